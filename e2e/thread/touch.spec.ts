import type { Page } from '@playwright/test'
import type { ChatPage } from '../support/chat-page'
import { seedFork, seedTurns } from '../support/openings'
import { expectAccessible, phone, sidewaysScroll } from '../support/screens'
import { expect, test } from '../support/test'

// A person with a finger and nothing else: every action of the page, on a phone.

test.use(phone)

const tap = (page: Page, name: string | RegExp, exact = true) =>
  page.getByRole('button', { name, exact }).first().tap()

/** Two turns on main and another second turn on main-v2, which is in view. */
async function openFork(chat: ChatPage): Promise<void> {
  const chatId = await seedTurns(chat, ['I am devansh', 'what is 2+2'])
  await seedFork(chat, chatId, 'what is 3+3')
  await chat.open(`/c/${chatId}?branch=main-v2`)
  await expect(chat.messages).toHaveCount(4)
}

async function toGraph(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Graph' }).tap()
  await expect(page.getByRole('region', { name: 'Conversation graph' })).toBeVisible()
}
const toThread = (page: Page) => page.getByRole('tab', { name: 'Thread' }).tap()

/** Chooses a command of the palette, which the list of chats opens. */
async function choose(page: Page, words: string): Promise<void> {
  await tap(page, 'Open sidebar')
  await page.getByRole('dialog', { name: 'Chats' }).getByRole('button', { name: 'Command palette' }).tap()
  const dialog = page.getByRole('dialog', { name: 'Command palette' })
  await dialog.getByPlaceholder(/Go to a chat/).fill(words)
  await dialog.getByRole('option').first().tap()
  await expect(dialog).toHaveCount(0)
}

test('no keyboard comes up by itself, and what is tapped is large enough', async ({ chat, page }) => {
  await openFork(chat)
  await expect(chat.box).not.toBeFocused()
  const last = chat.lastReply()
  const small = await last.locator('[data-message-actions] button').evaluateAll((buttons) =>
    buttons.flatMap((button) => {
      const { width, height } = button.getBoundingClientRect()
      return width < 44 || height < 44 ? [button.getAttribute('aria-label')] : []
    }),
  )
  expect(small).toEqual([])
  expect(await sidewaysScroll(page)).toBe(0)
})

test('every action on a message', async ({ chat, page }) => {
  await openFork(chat)
  const question = chat.said('what is 3+3')
  await question.getByRole('button', { name: 'Copy' }).tap()
  // edit
  await question.getByRole('button', { name: 'Edit' }).tap()
  await page.getByRole('textbox', { name: 'Edit message' }).fill('what is 4+4')
  await tap(page, 'Save and send')
  await expect(chat.lastReply()).toContainText('8')
  await chat.settled()
  const branch = () => new URL(page.url()).searchParams.get('branch') ?? ''
  const edited = branch()
  expect(edited).not.toBe('main-v2')
  // versions
  await tap(page, 'Previous version')
  await chat.reads('main-v2')
  await tap(page, 'Next version')
  await chat.reads(edited)
  // another try
  await chat.lastReply().getByRole('button', { name: 'Try again', exact: true }).tap()
  await expect(page).not.toHaveURL(new RegExp(`branch=${edited}$`))
  await chat.settled()
  const again = branch()
  // a checkpoint, its box on screen
  await chat.lastReply().getByRole('button', { name: 'Checkpoint here' }).tap()
  const naming = page.getByRole('dialog', { name: 'Save a checkpoint' })
  await expect(naming).toBeInViewport({ ratio: 1 })
  await naming.getByRole('textbox').fill('eights')
  await naming.getByRole('button', { name: 'Save' }).tap()
  const note = page.locator('[data-move-note]')
  await expect(note).toContainText('Saved checkpoint “eights”')
  await tap(page, 'Undo')
  await expect(note.getByRole('button')).toHaveCount(0)
  // a branch, undone and made again
  await chat.messages.nth(1).getByRole('button', { name: 'Branch from here' }).tap()
  await expect(chat.messages).toHaveCount(2)
  await expectAccessible(page)
  await tap(page, 'Undo')
  await chat.reads(again)
  await expect(chat.messages).toHaveCount(4)
  await choose(page, 'Make the move again')
  await expect(chat.messages).toHaveCount(2)
  await choose(page, 'Undo the last move')
  await chat.reads(again)
})

test('every action of the page', async ({ chat, page }) => {
  await openFork(chat)
  // help
  await tap(page, 'Open sidebar')
  await page.getByRole('dialog', { name: 'Chats' }).getByRole('button', { name: 'Show keys' }).tap()
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible()
  await page.getByRole('dialog', { name: 'Keys' }).getByRole('button', { name: 'Close' }).tap()
  // search
  await tap(page, 'Open sidebar')
  await page.getByRole('dialog', { name: 'Chats' }).getByRole('button', { name: 'Search', exact: true }).tap()
  const search = page.getByRole('dialog', { name: 'Search' })
  await search.getByRole('combobox').fill('devansh')
  await search.getByRole('option').first().tap()
  await expect(search).toHaveCount(0)
  // a hit on the branch being read is read on that branch
  await chat.reads('main-v2')
  // theme
  await tap(page, 'Open sidebar')
  await page.getByRole('radio', { name: 'Dark' }).tap()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expectAccessible(page)
  await page.getByRole('dialog', { name: 'Chats' }).getByRole('button', { name: 'Close sidebar' }).tap()
  // the moves through the thread, and to its parts
  await choose(page, 'Previous message')
  await choose(page, 'Next message')
  await choose(page, 'Write a message')
  await expect(chat.box).toBeFocused()
  await choose(page, 'To the graph')
  await expect(chat.graph).toBeVisible()
  await choose(page, 'To the messages')
  await expect(chat.lastReply()).toBeVisible()
  // the chat itself
  await choose(page, 'Rename chat')
  await page.getByRole('textbox', { name: 'Title' }).fill('Sums')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sums')
  await choose(page, 'Compare branches')
  await expect(page).toHaveURL(/compare/)
  await page.goBack()
  await choose(page, 'New chat')
  await expect(chat.messages).toHaveCount(0)
})

test('a message that waits', async ({ chat, page }) => {
  await chat.open()
  await chat.box.tap()
  await chat.box.fill('count to 5000')
  await tap(page, 'Send')
  await expect(page.locator('article[data-status="streaming"]')).toContainText('3')
  await chat.box.fill('and then')
  await tap(page, 'Send when the reply ends')
  const waiting = page.getByRole('region', { name: 'Waiting message' })
  await expect(waiting).toContainText('and then')
  await expectAccessible(page)
  expect(await sidewaysScroll(page)).toBe(0)
  await waiting.getByRole('button', { name: 'Remove the waiting message' }).tap()
  await expect(waiting).toHaveCount(0)
  await tap(page, 'Stop')
  await chat.settled()
})

test('every action of the graph', async ({ chat, page }) => {
  await openFork(chat)
  await toGraph(page)
  const node = chat.node('Assistant').first()
  await node.getByRole('button').tap()
  await expect(chat.toolbar).toBeVisible()
  await chat.toolbar.getByRole('button', { name: 'Checkpoint here' }).tap()
  await page.getByRole('textbox', { name: /name/i }).fill('start')
  await page.getByRole('textbox', { name: /name/i }).press('Enter')
  await expect(page.locator('[data-move-note]')).toContainText('start')
  await tap(page, 'Restore start')
  await expect(page.locator('[data-move-note]')).toContainText('Back at “start”')
  await tap(page, 'Undo')
  await chat.reads('main-v2')
  // the branches
  await tap(page, 'Branches')
  const sheet = page.getByRole('dialog', { name: 'Branches' })
  await sheet.getByRole('button', { name: /^Archive main(,|$)/ }).tap()
  await sheet.getByRole('button', { name: /^Unarchive main(,|$)/ }).tap()
  await sheet.getByRole('button', { name: /^Rename main(,|$)/ }).tap()
  await sheet.getByRole('textbox', { name: 'Branch name' }).fill('twos')
  await sheet.getByRole('textbox', { name: 'Branch name' }).press('Enter')
  await sheet.getByRole('button', { name: /^Switch to twos(,|$)/ }).tap()
  await chat.reads('twos')
  // the view
  await choose(page, 'Find in graph')
  await chat.graph.getByRole('searchbox').fill('devansh')
  await expect(chat.graph.getByRole('search').getByRole('status')).toHaveText(/^1 of/)
  await chat.graph.getByRole('search').getByRole('button', { name: 'Close' }).tap()
  await choose(page, 'Go to head')
  await choose(page, 'The graph as it was, and back to now')
  await expect(chat.graph.getByRole('slider')).toBeVisible()
  await choose(page, 'Return to now')
  await expect(chat.graph.getByRole('slider')).toHaveCount(0)
  await choose(page, 'Remove this checkpoint')
  await expect(page.getByRole('button', { name: 'Restore start' })).toHaveCount(0)
  await chat.node('You').first().getByRole('button').tap()
  await chat.toolbar.getByRole('button', { name: 'Open' }).tap()
  await expect(chat.messages.first()).toBeVisible()
  await toGraph(page)
  await chat.node('Assistant').first().getByRole('button').tap()
  await chat.toolbar.getByRole('button', { name: 'Branch from here' }).tap()
  await expect(page.getByText('continues from here')).toBeVisible()
  await expect(chat.messages).toHaveCount(2)
  await toThread(page)
})
