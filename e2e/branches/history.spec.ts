import type { Page } from '@playwright/test'
import type { ChatPage } from '../support/chat-page'
import { openForkedChat, sendTurn, userMessage } from '../support/openings'
import { look, onEveryScreen } from '../support/screens'
import { expect, test } from '../support/test'

// Undo comes from the log of the chat: over reloads, over tabs; and the log can be read.

const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}
const panel = (page: Page) => page.getByRole('region', { name: 'History' })
const line = (page: Page, words: string | RegExp) =>
  panel(page).getByRole('listitem').filter({ hasText: words })
/** What a line offers. */
const way = (page: Page, words: string | RegExp, label: string) =>
  line(page, words).first().getByRole('button', { name: label, exact: true })

async function rename(chat: ChatPage, page: Page, to: string): Promise<void> {
  await chat.here.focus()
  await press(page, 'F2')
  await page.getByRole('textbox', { name: 'Branch name' }).fill(to)
  await press(page, 'Enter')
  await expect(chat.label(to)).toBeVisible()
}

async function checkpoint(chat: ChatPage, page: Page, name: string): Promise<void> {
  await chat.node('You: I am devansh').focus()
  await press(page, 'c')
  await page.getByRole('textbox', { name: 'Checkpoint name' }).fill(name)
  await press(page, 'Enter')
  await expect(chat.graph.getByRole('button', { name: `Restore ${name}`, exact: true })).toBeVisible()
}

const openHistory = async (page: Page) => {
  await page.getByRole('button', { name: 'History', exact: true }).click()
  await expect(panel(page).getByRole('listitem').first()).toBeVisible()
}

test('given moves before a reload, when they are undone after it, then each comes back, the branch that is read too', async ({
  chat,
  page,
}) => {
  await openForkedChat(chat)
  await rename(chat, page, 'threes')
  await chat.act(/^Assistant: .*devansh/i, 'Branch from here')
  await chat.reads('threes-v2')
  await chat.open(page.url())
  await expect(chat.messages).toHaveCount(2)
  await press(page, 'Escape', 'Control+z')
  await chat.reads('threes')
  await expect(chat.said('what is 3+3')).toBeVisible()
  await expect(chat.label('threes-v2')).toHaveCount(0)
  await press(page, 'Control+z')
  await chat.reads('main-v2')
  await expect(page.locator('[data-move-note]')).toContainText('Undone: renamed main-v2 to threes')
  // and made again
  await press(page, 'Control+Shift+z', 'Control+Shift+z')
  await chat.reads('threes-v2')
  await expect(chat.messages).toHaveCount(2)
  // a chat in which nothing was moved says so, and changes nothing
  await press(page, 'Control+Shift+z')
  await expect(page.locator('[data-move-note]')).toContainText('There is no move in this chat to make again.')
})

test('given two tabs, when one undoes what the other did, then both see it; what was built upon is refused in words', async ({
  chat,
  page,
  context,
}) => {
  await openForkedChat(chat)
  const other = await context.newPage()
  await other.goto(page.url())
  await expect(other.getByRole('article')).toHaveCount(4)
  // given a branch that the first tab opened
  await chat.act(/^Assistant: .*devansh/i, 'Branch from here')
  await chat.reads('main-v2-v2')
  const undoing = page.getByRole('button', { name: 'Undo', exact: true })
  await expect(undoing).toBeVisible()
  // when the other goes on there, then the first cannot take it back
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  await sendTurn(page.request, id, userMessage('what is 7+7'), { branch: 'main-v2-v2' })
  await undoing.click()
  await expect(page.getByText('Nothing was undone: “main-v2-v2” has moved on since.')).toBeVisible()
  await chat.reads('main-v2-v2')
  await expect(chat.messages).toHaveCount(4)

  // given another move of the first tab, when the other undoes it by key, then both have it undone
  await checkpoint(chat, page, 'good')
  const flag = other.getByRole('button', { name: 'Restore good', exact: true })
  await other.bringToFront()
  await expect(flag).toBeVisible()
  await other.getByRole('article').first().focus()
  await other.keyboard.press('Control+z')
  await expect(flag).toHaveCount(0)
  await page.bringToFront()
  await expect(chat.graph.getByRole('button', { name: 'Restore good', exact: true })).toHaveCount(0)
  // then the note of the first is about a move that is not the last any more
  await undoing.click()
  await expect(page.getByText('Nothing was undone: it is not the last move')).toBeVisible()
})

test('the history tells what was done, leads there, shows it, and goes back to it', async ({
  chat,
  page,
}) => {
  await openForkedChat(chat)
  await rename(chat, page, 'threes')
  await checkpoint(chat, page, 'good')
  await chat.label('main').click()
  await chat.reads('main')
  await chat.act(/^Assistant: .*devansh/i, 'Branch from here')
  await chat.reads('main-v2')
  await openHistory(page)
  await expect(panel(page)).toBeFocused()
  // by keyboard a line opens what it offers
  await panel(page).getByRole('button', { name: 'began on main' }).press('Enter')
  await press(page, 'Tab')
  await expect(way(page, 'began on main', 'See the graph as it was then')).toBeFocused()
  await expect(panel(page).getByRole('heading', { name: 'Today' })).toBeVisible()
  // the latest stands first, turns are folded between the moves
  const words = await panel(page).getByRole('listitem').allInnerTexts()
  expect(words.map((text) => text.replace(/^\d\d:\d\d\s*/, '').split('\n')[0])).toEqual([
    expect.stringMatching(/^opened main-v2 at “.*devansh.*”$/i),
    'switched to main',
    'saved checkpoint “good” at “I am devansh”',
    'renamed main-v2 to threes',
    '1 turn on threes',
    expect.stringMatching(/^opened main-v2 at/),
    '2 turns on main',
    'began on main',
  ])

  // when a line is gone to, the thread opens it, and the history stays
  await way(page, '1 turn on threes', 'Go there').click()
  await chat.reads('threes')
  await expect(chat.said('what is 3+3')).toBeVisible()
  await expect(line(page, 'switched to threes')).toBeVisible()
  await press(page, 'h')
  await expect(panel(page)).toHaveCount(0)

  // when a line is seen, the graph shows that time
  await openHistory(page)
  await way(page, 'renamed main-v2 to threes', 'See the graph as it was then').click()
  await expect(panel(page)).toHaveCount(0)
  await expect(page.getByRole('slider', { name: 'History' })).toHaveAttribute(
    'aria-valuetext',
    /Renamed main-v2 to threes/,
  )
  await expect(chat.graph.getByText('good', { exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: 'Return to now' }).click()

  // when Undo goes back to a line, everything after it is undone at once
  await openHistory(page)
  await expect(way(page, 'switched to threes', 'Undo to here')).toHaveCount(0)
  await way(page, '1 turn on threes', 'Undo to here').click()
  await expect(line(page, 'undid: renamed main-v2 to threes')).toBeVisible()
  await expect(line(page, /^\d\d:\d\d\s*saved checkpoint.*undone/)).toBeVisible()
  await chat.reads('main-v2')
  await expect(panel(page).locator('[data-history="undone"]')).toHaveCount(5)
  await expect(panel(page).locator('[data-undone]')).toHaveCount(5)
  // and by Redo it is there again, one after the other
  await panel(page).getByRole('button', { name: 'Make the move again' }).click()
  await chat.reads('threes')
  await expect(line(page, 'made again: renamed main-v2 to threes')).toBeVisible()
  await expect(panel(page).locator('[data-undone]')).toHaveCount(4)
})

test('given a move that was built upon, when Undo is asked to go back before it, then nothing is undone', async ({
  chat,
  page,
}) => {
  await openForkedChat(chat)
  await chat.act(/^Assistant: .*devansh/i, 'Branch from here')
  await expect(chat.messages).toHaveCount(2)
  await chat.ask('what is 7+7')
  await checkpoint(chat, page, 'good')
  await press(page, 'h')
  await way(page, /1 turn on main-v2$/, 'Undo to here').click()
  await expect(page.getByText('Nothing was undone: “main-v2-v2” has moved on since.')).toBeVisible()
  await expect(panel(page).locator('[data-undone]')).toHaveCount(0)
  await press(page, 'h')
  await expect(chat.graph.getByRole('button', { name: 'Restore good', exact: true })).toBeVisible()
})

test('a history that cannot be read says so, and is read when asked again', async ({ chat, page }) => {
  await openForkedChat(chat)
  await page.route('**/moves*', (route) => route.abort())
  await page.getByRole('button', { name: 'History', exact: true }).click()
  await expect(panel(page).getByRole('alert')).toBeVisible()
  await page.unroute('**/moves*')
  await panel(page).getByRole('alert').getByRole('button').click()
  await expect(line(page, 'began on main')).toBeVisible()
})

onEveryScreen((screen) => {
  test('the history, its lines and what they offer', async ({ chat, page }) => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await openForkedChat(chat)
    await rename(chat, page, 'threes')
    await checkpoint(chat, page, 'good')
    await chat.act(/^Assistant: .*devansh/i, 'Branch from here')
    await chat.reads('threes-v2')
    await chat.undo()
    await chat.reads('threes')
    if (screen.size === 'narrow') {
      await page.setViewportSize({ width: 390, height: 844 })
      await page
        .getByRole('button', { name: /devansh/i })
        .first()
        .click()
      await page.getByRole('menuitem', { name: 'History' }).click()
      await panel(page).getByRole('button', { name: 'renamed main-v2 to threes' }).click()
      await expect(way(page, 'renamed main-v2 to threes', 'Undo to here')).toBeVisible()
    } else {
      await openHistory(page)
      await line(page, 'renamed main-v2 to threes').first().hover()
    }
    await expect(line(page, 'undid: opened threes-v2')).toBeVisible()
    await look(page, 'history', screen)
  })
})
