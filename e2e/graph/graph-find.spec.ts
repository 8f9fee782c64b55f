import type { ChatPage } from '../support/chat-page'
import { openForkedChat, seedTurns } from '../support/openings'
import { expectAccessible, onEveryScreen, picture } from '../support/screens'
import { expect, test } from '../support/test'

/** Two turns on main and another second turn on main-v2, which is in view; "harbour" stands deep in a long message. */
const openTrip = (chat: ChatPage) =>
  openForkedChat(chat, [
    'repeat: Lisbon in May',
    'repeat: the old tram',
    `repeat: ${'a very long walk '.repeat(20)} to the harbour`,
  ])

const field = (chat: ChatPage) => chat.graph.getByRole('searchbox', { name: 'Find in graph' })
const said = (chat: ChatPage) => chat.graph.getByRole('search', { name: 'Graph' }).getByRole('status')
const picked = (chat: ChatPage) => chat.graph.locator('[role=treeitem][aria-selected="true"]')

test('given the focus in the graph, when words are typed, then Enter steps through the hits, and back', async ({
  chat,
  page,
}) => {
  await openTrip(chat)
  await chat.here.focus()
  // when
  await page.keyboard.press('/')
  await expect(field(chat)).toBeFocused()
  await page.keyboard.type('TRAM')
  // then both messages of the other branch are found, and the first is shown
  await expect(said(chat)).toHaveText('1 of 2')
  await expect(picked(chat)).toHaveAccessibleName('You: repeat: the old tram')
  await page.keyboard.press('Enter')
  await expect(picked(chat)).toHaveAccessibleName('Assistant: the old tram')
  await page.keyboard.press('Enter')
  await expect(said(chat)).toHaveText('1 of 2')
  await page.keyboard.press('Shift+Enter')
  await expect(said(chat)).toHaveText('2 of 2')
  // and the thread has not moved
  await expect(page).toHaveURL(/branch=main-v2/)
  // and the same key leads from the tree back to the field
  await chat.here.focus()
  await page.keyboard.press('/')
  await expect(field(chat)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(field(chat)).toHaveCount(0)
  await expect(chat.node('Assistant: the old tram')).toBeFocused()
  await expect(picked(chat)).toHaveCount(0)
  // elsewhere the same key searches everything, at once, also as a menu is just closing
  await page.getByRole('heading', { level: 1 }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('/')
  await expect(page.getByRole('dialog')).toBeVisible()
})

test('given words deep in a message, or in a name, then they are found; without a hit, the field says so', async ({
  chat,
  page,
}) => {
  await openTrip(chat)
  await page.getByRole('button', { name: 'Find in graph' }).click()
  await field(chat).fill('harbour')
  await expect(said(chat)).toHaveText('1 of 2')
  await field(chat).fill('main-v2')
  await expect(said(chat)).toHaveText('1 of 1')
  await chat.graph.getByRole('button', { name: 'Next hit' }).click()
  await expect(picked(chat)).toHaveAttribute('aria-current', 'true')
  // Next leads back to the only hit, too
  await chat.graph.getByRole('tree').hover({ force: true, position: { x: 4, y: 4 } })
  await page.mouse.wheel(0, 3000)
  await expect(picked(chat)).not.toBeInViewport()
  await chat.graph.getByRole('button', { name: 'Next hit' }).click()
  await expect(picked(chat)).toBeInViewport()
  await field(chat).fill('zeppelin')
  await expect(said(chat)).toHaveText('Nothing found')
  await expect(chat.graph.getByRole('button', { name: 'Next hit' })).toBeDisabled()
  // offline, the beginnings of messages are searched
  await page.context().setOffline(true)
  await field(chat).fill('lisbon')
  await expect(said(chat)).toHaveText('1 of 2')
  await page.context().setOffline(false)
})

test('given a hit in a fold, when it is the first, then it is unfolded and in view', async ({
  chat,
  page,
}) => {
  const id = await seedTurns(
    chat,
    Array.from({ length: 102 }, (_, i) => `what is ${i + 1}+1`),
  )
  await chat.open(`/c/${id}`)
  await expect(chat.graph.getByRole('treeitem', { name: '201 messages, folded' })).toBeVisible()
  await page.getByRole('button', { name: 'Find in graph' }).click()
  await field(chat).fill('what is 50+1')
  await expect(said(chat)).toHaveText('1 of 1')
  await expect(picked(chat)).toHaveAccessibleName('You: what is 50+1')
  await expect(picked(chat)).toBeInViewport()
})

onEveryScreen((screen) => {
  const onPhone = screen.size === 'narrow'
  test.use({ hasTouch: onPhone })

  test('the field, and the hits it lights', async ({ chat, page }) => {
    const id = await seedTurns(chat, ['repeat: Lisbon in May', 'repeat: the old tram'])
    await chat.open(`/c/${id}`)
    if (onPhone) await page.getByRole('tab', { name: 'Graph' }).click()
    await page.getByRole('button', { name: 'Find in graph' }).click()
    await field(chat).fill('tram')
    await expect(said(chat)).toHaveText('1 of 2')
    await picture(page, `find-${screen.suffix}`)
    await expectAccessible(page)
  })
})
