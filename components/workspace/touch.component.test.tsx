import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { type ChatPage, css, expectCount, expectLargeTargets } from '@/testing/page/chat-page'
import { forkedChat, givenReply, goOn, onPhone, openChat, scripted, turns } from '@/testing/page/given'
import { expectAccessible, expectNoSidewaysScroll } from '@/testing/page/look'

// A person with a finger and nothing else: every action of the page, on a phone.

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).first()
const chats = page.getByRole('dialog', { name: 'Chats' })
const note = css('[data-move-note]')
const branch = () => new URLSearchParams(location.search).get('branch') ?? ''

async function openFork(): Promise<ChatPage> {
  await onPhone()
  const chat = await openChat(forkedChat, { branch: 'main-v2' })
  await expectCount(chat.messages, 4)
  return chat
}

/** Chooses a command of the palette, which the list of chats opens. */
async function choose(words: string): Promise<void> {
  await button('Open sidebar').click()
  await chats.getByRole('button', { name: /^Account:/ }).click()
  await page.getByRole('menuitem', { name: 'Command palette' }).click()
  const dialog = page.getByRole('dialog', { name: 'Command palette' })
  await dialog.getByPlaceholder(/Go to a chat/).fill(words)
  await dialog.getByRole('option').first().click()
  await expectCount(dialog, 0)
}

test('no keyboard comes up by itself, and every action on a message is large enough and done with a tap', async () => {
  const chat = await openFork()
  await expect.element(chat.box).not.toHaveFocus()
  await expectLargeTargets(chat.lastReply().css('[data-message-actions] button'))
  expectNoSidewaysScroll()
  const question = chat.said('what is 3+3')
  await question.click()
  await question.getByRole('button', { name: 'Copy' }).click()
  // edit
  await question.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'Edit message' }).fill('what is 4+4')
  await button('Save and send').click()
  await expect.element(chat.lastReply()).toMatchTextContent(/8/)
  await chat.settled()
  const edited = branch()
  expect(edited).not.toBe('main-v2')
  // versions
  await button('Previous version').click()
  await chat.reads('main-v2')
  await button('Next version').click()
  await chat.reads(edited)
  // another try
  await chat.again()
  await expect.poll(branch).not.toBe(edited)
  await chat.settled()
  const again = branch()
  // a checkpoint, its box on screen
  await chat.more(chat.lastReply(), 'Checkpoint')
  const naming = page.getByRole('dialog', { name: 'Save a checkpoint' })
  await expect.element(naming).toBeInViewport({ ratio: 1 })
  await naming.getByRole('textbox').fill('eights')
  await naming.getByRole('button', { name: 'Save' }).click()
  await expect.element(note).toMatchTextContent(/Saved checkpoint “eights”/)
  await button('Undo').click()
  await expectCount(note.getByRole('button'), 0)
  // a branch, undone and made again
  await chat.messages.nth(1).click()
  await chat.messages.nth(1).getByRole('button', { name: 'Branch from here' }).click()
  await expectCount(chat.messages, 2)
  await expectAccessible()
  await button('Undo').click()
  await chat.reads(again)
  await expectCount(chat.messages, 4)
  await choose('Redo')
  await expectCount(chat.messages, 2)
  await choose('Undo the last move')
  await chat.reads(again)
})

test('help, search, theme and the parts of the page', async () => {
  const chat = await openFork()
  await button('Open sidebar').click()
  await chat.ofAccount('Show keys')
  const keys = page.getByRole('dialog', { name: 'Keys' })
  await keys.getByRole('button', { name: 'Close' }).click()
  // a hit on the branch being read is read on that branch
  await button('Open sidebar').click()
  await chats.getByRole('button', { name: 'Search', exact: true }).click()
  const search = page.getByRole('dialog', { name: 'Search' })
  await search.getByRole('combobox').fill('devansh')
  await search.getByRole('option').first().click()
  await expectCount(search, 0)
  await chat.reads('main-v2')
  await button('Open sidebar').click()
  await chat.ofAccount('Dark', 'menuitemradio')
  await expect.poll(() => document.documentElement.dataset.theme).toBe('dark')
  await expectAccessible()
  await chats.getByRole('button', { name: 'Close sidebar' }).click()
  await choose('To the graph')
  await expect.element(chat.graph).toBeVisible()
  await choose('To the messages')
  await expect.element(chat.lastReply()).toBeVisible()
  await choose('Write a message')
  await expect.element(chat.box).toHaveFocus()
})

test('a message that waits', async () => {
  await onPhone()
  const question = 'count while another message waits'
  await givenReply(question, { text: 'one two three', holdAfter: 2 })
  const chat = await openChat({ model: scripted, branches: [{ name: 'main', says: turns('Hello') }] })
  await chat.box.fill(question)
  await button('Ask').click()
  await expect.element(css('article[data-status="streaming"]')).toMatchTextContent(/two/)
  await chat.box.fill('and then')
  await button('Ask when the reply ends').click()
  const waiting = page.getByRole('list', { name: 'Waiting messages' })
  await expect.element(waiting).toMatchTextContent(/and then/)
  await expectAccessible()
  expectNoSidewaysScroll()
  await waiting.getByRole('button', { name: 'Remove the waiting message' }).click()
  await expectCount(waiting, 0)
  await button('Stop').click()
  await chat.settled()
  await goOn(question)
})

test('every action of the graph', async () => {
  const chat = await openFork()
  const tab = page.getByRole('tab', { name: 'Graph' })
  await tab.click()
  await expect.element(chat.graph).toBeVisible()
  await expect.element(tab).toHaveStyle({ outlineStyle: 'none' })
  await chat.node('Assistant').first().getByRole('button').click()
  await chat.toolbar.getByRole('button', { name: 'Checkpoint here' }).click()
  await page.getByRole('textbox', { name: /name/i }).fill('start')
  await userEvent.keyboard('{Enter}')
  await expect.element(note).toMatchTextContent(/start/)
  await button('Restore start').click()
  await expect.element(note).toMatchTextContent(/Back at “start”/)
  await button('Undo').click()
  await chat.reads('main-v2')
  // the branches
  await button('Branches').click()
  const sheet = page.getByRole('dialog', { name: 'Branches' })
  for (const what of ['Archive', 'Unarchive', 'Rename']) {
    await sheet.getByRole('button', { name: new RegExp(`^${what} Main line(,|$)`) }).click()
  }
  await sheet.getByRole('textbox', { name: 'Branch name' }).fill('twos')
  await userEvent.keyboard('{Enter}')
  await sheet.getByRole('button', { name: /^Switch to twos(,|$)/ }).click()
  await chat.reads('twos')
  // the view
  await choose('Find in graph')
  await chat.graph.getByRole('searchbox').fill('devansh')
  const find = chat.graph.getByRole('search')
  await expect.element(find.getByRole('status')).toMatchTextContent(/^1 of/)
  await find.getByRole('button', { name: 'Close' }).click()
  await chat.node('You').first().getByRole('button').click()
  await chat.toolbar.getByRole('button', { name: 'Open' }).click()
  await expect.element(chat.messages.first()).toBeVisible()
})
