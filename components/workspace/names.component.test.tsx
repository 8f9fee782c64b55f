import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { focus } from '@/testing/page/chat-page'
import { openFork } from '@/testing/page/given'

const said = [
  'aria-label',
  'aria-description',
  'aria-valuetext',
  'aria-roledescription',
  'title',
  'alt',
  'placeholder',
]

/** All words of the page, seen or read out, but for the text boxes. */
const wordsOfPage = (): string[] =>
  [...document.querySelectorAll('body *')].flatMap((element) => [
    ...said.map((name) => element.getAttribute(name) ?? ''),
    ...[...element.childNodes]
      .filter((node) => node.nodeType === Node.TEXT_NODE)
      .map((node) => node.textContent ?? ''),
  ])

/** The words that hold the handle of a branch. */
const handles = (): string[] =>
  [document.title, ...wordsOfPage()].filter((words) => /\bmain\b|-v\d|-undone-/.test(words))

const expectNone = () => expect.poll(handles).toEqual([])

test('given retries, an edit and Undo, when every list of branches, the history and the past are open, then no handle is on the page but in the box that changes it', async () => {
  const chat = await openFork()
  await expectNone()

  // retries, each from the one before, and an edit
  const branch = () => new URLSearchParams(location.search).get('branch')
  for (const _ of [1, 2, 3]) {
    const before = branch()
    await chat.again()
    // the reply before stays until the other one has begun
    await expect.poll(branch).not.toBe(before)
    await chat.settled()
  }
  expect(branch()).toMatch(/-v2-v2/)
  await expectNone()
  await chat.said('what is 3+3').getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'Edit message' }).fill('what is 8+8')
  await userEvent.keyboard('{Enter}')
  await chat.settled()
  await expectNone()

  // lists: of the header, of the graph, of the palette, and the menus of a label
  await chat.branch().click()
  await expect.element(page.getByRole('option', { name: 'Main line' })).toBeVisible()
  await expectNone()
  await userEvent.keyboard('{Escape}')
  await chat.graph.getByRole('button', { name: 'Branches', exact: true }).click()
  await expectNone()
  await userEvent.keyboard('{Escape}')
  await userEvent.keyboard('{Control>}k{/Control}')
  await page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox').fill('branch')
  await expectNone()
  await userEvent.keyboard('{Escape}')
  await chat.draw('Outline')
  await chat.here.click({ button: 'right' })
  await expect.element(page.getByRole('menu')).toBeVisible()
  await expectNone()
  await userEvent.keyboard('{Escape}')

  // moves, their notes and what Undo says
  await chat.said('what is 8+8').getByRole('button', { name: 'Branch from here' }).click()
  await expect.element(page.getByText('New branch continues from here')).toBeVisible()
  await expectNone()
  await chat.undo()
  await expect.element(page.getByText(/^Undone: opened /)).toBeInTheDocument()
  await expectNone()

  // the history and the past
  await chat.history()
  await expect
    .element(page.getByRole('region', { name: 'History' }).getByText('began on Main line'))
    .toBeVisible()
  await expectNone()
  const slider = page.getByRole('slider', { name: 'History' })
  await expect.element(slider).toHaveAttribute('aria-valuetext', expect.stringMatching(/^\d+ of \d+/))
  await focus(slider)
  for (let at = Number(slider.element().getAttribute('aria-valuenow')); at > 1; at--) {
    await userEvent.keyboard('{ArrowLeft}')
    await expect.element(slider).toHaveAttribute('aria-valuenow', `${at - 1}`)
    await expectNone()
  }
  await page.getByRole('button', { name: 'Return to now' }).click()
  await page.getByRole('button', { name: 'Close history' }).click()

  // the box has the handle: it is what is renamed
  await chat.graph.getByRole('button', { name: 'Branches', exact: true }).click()
  await page.getByRole('button', { name: 'Rename Main line' }).click()
  await expect.element(page.getByRole('textbox', { name: 'Branch name' })).toHaveValue('main')
})
