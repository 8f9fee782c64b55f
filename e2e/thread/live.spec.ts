import type { BrowserContext, Page } from '@playwright/test'
import { ChatPage } from '../support/chat-page'
import { sendTurn, userMessage } from '../support/openings'
import { expect, otherPerson, test, watchErrors } from '../support/test'

// One person with two tabs on one chat: changes made in one tab appear in the other, and disturb nothing there.
// Several replies at once on one page are in components/session/live.component.test.tsx.

/** Resolves when a tab listens: later changes reach it by themselves. */
const listens = (page: Page) => page.waitForResponse((response) => response.url().includes('/api/live'))

const errors: string[][] = []

/** Opens the chat of the first tab in a second one, which must log no error either. */
async function alsoOpen(context: BrowserContext, first: Page): Promise<ChatPage> {
  const page = await context.newPage()
  errors.push(watchErrors(page))
  const other = new ChatPage(page)
  const listening = listens(page)
  await other.open(first.url())
  await listening
  return other
}

test.afterEach(() => expect(errors.splice(0).flat()).toEqual([]))

test('a new chat is shared from its first message on: messages, their replies, a stop and its end appear in the other tab', async ({
  chat,
  page,
  browser,
  baseURL,
  context,
}) => {
  await chat.open()
  const listening = listens(page)
  await chat.ask('Hello')
  await listening
  const other = await alsoOpen(context, page)
  await expect(other.messages).toHaveCount(2)
  // given a draft in the other tab
  await other.box.fill('Half a thought')
  // when a reply is written that goes on until it is stopped
  await chat.box.fill('count to 5000 [demo:hang-after 90]')
  await chat.box.press('Enter')
  // then both tabs show the question and the reply as it comes in
  await expect(other.said('count to 5000')).toBeVisible()
  await expect(other.page.locator('article[data-status="streaming"]')).toContainText('90')
  await expect(other.graph.getByRole('treeitem', { name: /^Assistant: .*Writing$/ })).toHaveCount(1)
  await expect(chat.page.locator('article[data-status="streaming"]')).toContainText('90')
  // when the tab that only watches stops it, then it is stopped in both
  await other.page.getByRole('button', { name: 'Stop', exact: true }).click()
  for (const tab of [chat, other]) {
    await expect(tab.page.locator('article[data-status="stopped"]')).toHaveCount(1)
    await tab.settled()
    await expect(tab.messages).toHaveCount(4)
  }
  // and the draft is untouched
  await expect(other.box).toHaveValue('Half a thought')
  // and the other tab can go on from there at once; the first sees the question and the end of the reply
  await other.ask('what do you see')
  await expect(chat.said('what do you see')).toBeVisible()
  await chat.settled()
  await expect(chat.messages).toHaveCount(6)
  await expect(chat.lastReply()).toContainText('on this branch')

  // a browser without a session hears nothing of it
  const stranger = await otherPerson(browser, baseURL)
  const id = new URL(page.url()).pathname.split('/').at(-1)
  expect((await stranger.page.request.get(`/api/live?chat=${id}`)).status()).toBe(401)
  await stranger.page.context().close()

  // when the chat is deleted in one tab, then the other says so and still shows the draft
  await other.box.fill('Half a thought')
  await page.getByRole('heading', { level: 1 }).click()
  await page.getByRole('menuitem', { name: 'Delete chat' }).click()
  await page.getByRole('button', { name: 'Delete chat' }).click()
  await expect(other.page.getByRole('heading', { name: 'This chat is no longer here' })).toBeVisible()
  await expect(other.page.getByText('Half a thought')).toBeVisible()
  await expect(page).toHaveURL(/\/$/)
})

test('a branch and a checkpoint made in one tab appear in the graph of the other, which stays where it is', async ({
  chat,
  page,
  context,
}) => {
  await chat.open()
  await chat.ask('I am devansh')
  await chat.showGraph()
  await chat.draw('Map')
  await chat.ask('My favourite colour is green')
  const other = await alsoOpen(context, page)
  await expect(other.graph.getByRole('treeitem')).toHaveCount(4)
  // when one tab branches, goes on from there, and saves a checkpoint
  await chat.act(/^Assistant: .*devansh/i, 'Branch from here')
  await expect(page).toHaveURL(/branch=main-v2/)
  await chat.ask('what is my name')
  await chat.ofChat('Checkpoint')
  await page.getByRole('textbox', { name: /name/i }).fill('good')
  await page.keyboard.press('Enter')
  // then the other has it all in its graph
  await expect(other.label('what is my name')).toBeVisible()
  await expect(other.graph.getByRole('treeitem')).toHaveCount(6)
  await expect(other.graph.getByRole('button', { name: 'Restore good', exact: true })).toBeVisible()
  // and still reads main
  await expect(other.branch()).toHaveText(/Main line$/)
  await expect(other.page).not.toHaveURL(/main-v2/)
  await expect(other.said('My favourite colour is green')).toBeVisible()
  await expect(other.said('what is my name')).toHaveCount(0)

  // when the first switches back, then the other does not move; nor the other way round
  await chat.label('Main line').click()
  await expect(page).toHaveURL(/branch=main$/)
  await other.label('what is my name').click()
  await expect(other.said('what is my name')).toBeVisible()
  await chat.ask('what do you see')
  await expect(other.graph.getByRole('treeitem')).toHaveCount(8)
  await expect(other.branch()).toHaveAttribute('title', 'what is my name')
  await expect(chat.branch()).toHaveText('Main line')
})

test('offline, the page says so and keeps the draft; back online it catches up', async ({
  chat,
  page,
  context,
}) => {
  await chat.open()
  const listening = listens(page)
  await chat.ask('Hello')
  await listening
  await chat.box.fill('Half a thought')
  const note = page.getByText('Offline: what you write is kept')
  await context.setOffline(true)
  await expect(note).toBeVisible()
  // meanwhile a script goes on in the same chat
  await sendTurn(page.request, new URL(page.url()).pathname.slice(3), userMessage('From a script'))
  await expect(chat.messages).toHaveCount(2)
  await context.setOffline(false)
  await expect(note).toHaveCount(0)
  await expect(chat.said('From a script')).toBeVisible()
  await expect(chat.messages).toHaveCount(4)
  await expect(chat.box).toHaveValue('Half a thought')
})
