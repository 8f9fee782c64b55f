import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectCount, focus, press } from '@/testing/page/chat-page'
import { onPhone, openFork, openSample } from '@/testing/page/given'
import { controlsInSight } from '@/testing/page/sight'

test('given a graph in the full window, then Escape leaves first the selection and then the window', async () => {
  const chat = await openFork()
  const leave = page.getByRole('button', { name: 'Leave full window' })
  await page.getByRole('button', { name: 'Full window', exact: true }).click()
  await expect.element(leave).toBeVisible()
  await chat.nodes.first().click()
  await expect.element(chat.nodes.first()).toHaveAttribute('aria-selected', 'true')
  await userEvent.keyboard('{Escape}')
  await expect.element(leave).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(leave).not.toBeInTheDocument()
  await expect.element(chat.box).toBeVisible()
})

test.each([
  ['by its keys', ['g', 'g']],
  ['from the palette', ['Control+k']],
] as const)(
  'given the focus on a message, when the graph fills the window %s, then the graph has it',
  async (_, keys) => {
    const chat = await openFork()
    await focus(chat.lastReply())
    await press(...keys)
    if (keys.length === 1) await userEvent.keyboard('Full window{Enter}')
    await expect.element(page.getByRole('button', { name: 'Leave full window' })).toBeVisible()
    await expect.poll(() => chat.graph.element().contains(document.activeElement)).toBe(true)
  },
)

const foot = page.getByRole('region', { name: 'Where you are' })
const share = page.getByRole('button', { name: 'Share', exact: true })

test('given a map in the full window, then it says in words where one is, and what to press to share, to ask again and to merge', async () => {
  const chat = await openSample()
  // beside the thread, what is done to its last message stands there
  const again = foot.getByRole('button', { name: 'Try again' })
  await expect.element(foot.getByRole('button', { name: 'Merge into…' })).toBeVisible()
  await expectCount(again, 0)
  await page.getByRole('button', { name: 'Full window', exact: true }).click()
  await expect.element(foot).toMatchTextContent(/^You are hereAssistant: For Pena yes/)
  expect(controlsInSight().map(({ words }) => words)).toEqual(
    expect.arrayContaining(['Share', 'Try again', 'Branch', 'Merge into…']),
  )
  // when asked again, then another branch grows on the map, which stays
  const before = chat.nodes.elements().length
  await again.click()
  await expectCount(chat.nodes, before + 1)
  await expect.element(foot).not.toMatchTextContent('For Pena yes')
  // when a branch begins, then the thread is there to write on
  await foot.getByRole('button', { name: 'Branch' }).click()
  await expect.element(chat.box).toHaveFocus()
  await expectCount(again, 0)
})

test('on a phone, the graph says the same', async () => {
  await onPhone()
  await openSample()
  await page.getByRole('tab', { name: 'Graph' }).click()
  await expect.element(foot.getByRole('button', { name: 'Merge into…' })).toBeInViewport({ ratio: 0.99 })
  await expect.element(foot.getByRole('button', { name: 'Try again' })).toBeInViewport({ ratio: 0.99 })
  await expect.element(share).toBeInViewport({ ratio: 0.99 })
  expect(controlsInSight().filter(({ isRow }) => !isRow).length).toBeLessThanOrEqual(20)
})
