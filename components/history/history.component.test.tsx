import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { type ChatPage, css, expectCount, focus, press } from '@/testing/page/chat-page'
import { intercept, openFork, reload } from '@/testing/page/given'
import { lookInAllWays } from '@/testing/page/look'

// Undo comes from the log of the chat, over reloads; and the log can be read. Two tabs are in e2e/branches/history.spec.ts.

const panel = page.getByRole('region', { name: 'History' })
const lines = panel.getByRole('listitem')
const line = (words: string | RegExp) => lines.filter({ hasText: words })
/** The actions of a line. */
const way = (words: string | RegExp, label: string) =>
  line(words).first().getByRole('button', { name: label, exact: true })
const flag = (chat: ChatPage, name: string) =>
  chat.graph.getByRole('button', { name: `Restore ${name}`, exact: true })
const slider = page.getByRole('slider', { name: 'History' })
const undone = panel.css('[data-undone]')
const note = css('[data-move-note]')
const firstReply = /^Assistant: .*devansh/i

async function rename(chat: ChatPage, to: string): Promise<void> {
  await focus(chat.here)
  await press('F2')
  await page.getByRole('textbox', { name: 'Branch name' }).fill(to)
  await press('Enter')
  await expect.element(chat.label(to)).toBeVisible()
}

async function checkpoint(chat: ChatPage, name: string): Promise<void> {
  await focus(chat.node('You: I am devansh'))
  await press('c')
  await page.getByRole('textbox', { name: 'Checkpoint name' }).fill(name)
  await press('Enter')
  await expect.element(flag(chat, name)).toBeVisible()
}

async function openHistory(chat: ChatPage): Promise<void> {
  await chat.history()
  await expect.element(lines.first()).toBeVisible()
}

test('given moves before a reload, when they are undone after it, then each comes back, the branch that is read too', async () => {
  const chat = await openFork()
  // in a chat in which nothing was moved there is nothing to take back
  await press('Escape', 'Control+z')
  await expect.element(note).toMatchTextContent('There is no move in this chat')
  await rename(chat, 'threes')
  await chat.act(firstReply, 'Branch from here')
  await chat.reads('threes-v2')
  await reload()
  await expectCount(chat.messages, 2)
  await focus(chat.box)
  await press('Escape', 'Control+z')
  await chat.reads('threes')
  await expect.element(chat.said('what is 3+3')).toBeVisible()
  await expectCount(chat.label('New branch'), 0)
  await press('Control+z')
  await chat.reads('main-v2')
  await expect.element(note).toMatchTextContent('Undone: renamed a branch to threes')
  // and made again
  await press('Control+Shift+z', 'Control+Shift+z')
  await chat.reads('threes-v2')
  await expectCount(chat.messages, 2)
  // when there is nothing more to make again, then the page says so, and nothing is changed
  await press('Control+Shift+z')
  await expect.element(note).toMatchTextContent('There is no move in this chat to make again.')
})

test('the history tells what was done, leads there, shows it, and goes back to it', async () => {
  const chat = await openFork()
  await rename(chat, 'threes')
  await checkpoint(chat, 'good')
  await chat.label('Main line').click()
  await chat.reads('main')
  await chat.act(firstReply, 'Branch from here')
  await chat.reads('main-v2')
  await openHistory(chat)
  await expect.element(slider).toHaveFocus()
  // by keyboard a line opens what it offers
  await focus(panel.getByRole('button', { name: 'began on Main line' }))
  await press('Enter', 'Tab')
  await expect.element(way('began on Main line', 'See the graph as it was then')).toHaveFocus()
  await expect.element(panel.getByRole('heading', { name: 'Today' })).toBeVisible()
  // the latest stands first, turns are folded between the moves
  const words = lines.elements().map((each) => (each as HTMLElement).innerText)
  expect(words.map((text) => text.replace(/^\d\d:\d\d\s*/, '').split('\n')[0])).toEqual([
    expect.stringMatching(/^opened New branch at “.*devansh.*”$/i),
    'switched to Main line',
    'saved checkpoint “good” at “I am devansh”',
    'renamed a branch to threes',
    '1 turn on threes',
    expect.stringMatching(/^opened threes at/),
    '2 turns on Main line',
    'began on Main line',
  ])

  // when a line is gone to, the thread opens it, and the history stays
  await way('1 turn on threes', 'Go there').click()
  await chat.reads('threes')
  await expect.element(chat.said('what is 3+3')).toBeVisible()
  await expect.element(line('switched to threes')).toBeVisible()
  await press('h')
  await expectCount(panel, 0)

  // when a line is seen, the graph shows that time
  await openHistory(chat)
  await way('renamed a branch to threes', 'See the graph as it was then').click()
  await expect.element(line('renamed a branch to threes').first()).toHaveAttribute('aria-current', 'time')
  await expect
    .element(slider)
    .toHaveAttribute('aria-valuetext', expect.stringMatching(/Renamed a branch to threes/))
  await expectCount(chat.graph.getByText('good', { exact: true }), 0)
  await page.getByRole('button', { name: 'Return to now' }).click()
  await expectCount(panel.css('[aria-current]'), 0)

  // when Undo goes back to a line, everything after it is undone at once
  await expectCount(way('switched to threes', 'Undo to here'), 0)
  await way('1 turn on threes', 'Undo to here').click()
  await expect.element(line('undid: renamed a branch to threes')).toBeVisible()
  await expect.element(line(/^\d\d:\d\d\s*saved checkpoint.*undone/)).toBeVisible()
  await chat.reads('main-v2')
  await expectCount(panel.css('[data-history="undone"]'), 5)
  await expectCount(undone, 5)
  // and by Redo it is there again, one after the other
  await panel.getByRole('button', { name: 'Redo' }).click()
  await chat.reads('threes')
  await expect.element(line('made again: renamed a branch to threes')).toBeVisible()
  await expectCount(undone, 4)
  await lookInAllWays('history', async (size) => {
    const renamed = 'renamed a branch to threes'
    if (size === 'wide') return line(renamed).first().hover()
    await reload()
    await chat.ofChat('History')
    await panel.getByRole('button', { name: renamed }).first().click()
    await expect.element(way(renamed, 'Go there')).toBeVisible()
  })
})

test('given a move that was built upon, when Undo is asked to go back before it, then nothing is undone', async () => {
  const chat = await openFork()
  await chat.act(firstReply, 'Branch from here')
  await expectCount(chat.messages, 2)
  await chat.ask('what is 7+7')
  await checkpoint(chat, 'good')
  await press('h')
  await way(/1 turn on what is 3\+3$/, 'Undo to here').click()
  await expect.element(page.getByText('Nothing was undone: the branch has moved on since.')).toBeVisible()
  await expectCount(undone, 0)
  await press('h')
  await expect.element(flag(chat, 'good')).toBeVisible()
})

test('a history that cannot be read says so, and is read when asked again', async () => {
  const chat = await openFork()
  const restore = intercept(/\/moves/, () => {
    throw new TypeError('Failed to fetch')
  })
  await chat.history()
  await expect.element(panel.getByRole('alert')).toBeVisible()
  // the page also asks by itself when something is said of the chat: only the click is answered
  addEventListener('click', restore, { once: true, capture: true })
  await panel.getByRole('alert').getByRole('button').click()
  await expect.element(line('began on Main line')).toBeVisible()
})
