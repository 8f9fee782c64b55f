import type { Locator, Page } from '@playwright/test'
import { openForkedChat } from '../support/openings'
import { expectAccessible } from '../support/screens'
import { expect, test } from '../support/test'

// A person without a mouse: every action of the page by key, and the focus where it is looked for.

const focused = (page: Page) => page.locator(':focus')

const expectFocus = (on: Locator) => expect(on).toBeFocused()

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

test('the box has the focus, and the messages are one stop each', async ({ chat, page }) => {
  await openForkedChat(chat)
  const articles = chat.messages
  await expect(chat.box).toBeFocused()
  // when the box is left, then the last message is stood on
  await press(page, 'Escape')
  await expectFocus(articles.nth(3))
  await press(page, 'k')
  await expectFocus(articles.nth(2))
  await press(page, 'ArrowUp')
  await expectFocus(articles.nth(1))
  await press(page, 'ArrowDown', 'j')
  await expectFocus(articles.nth(3))
  // and Tab goes from one to the next
  await press(page, 'k', 'k', 'Tab')
  await expectFocus(articles.nth(2))
  await press(page, 'Shift+Tab')
  await expectFocus(articles.nth(1))
  // and both ways lead to the box
  await press(page, 'Enter')
  await expect(chat.box).toBeFocused()
  await press(page, 'Escape', 'i')
  await expect(chat.box).toBeFocused()
  // and what is typed there is text
  await page.keyboard.type('jkg')
  await expect(chat.box).toHaveValue('jkg')
})

test('links before everything lead to the parts of the page', async ({ chat, page }) => {
  await openForkedChat(chat)
  const skip = page.getByRole('navigation', { name: 'Skip' })
  const first = skip.getByRole('link').first()
  await first.focus()
  await expect(first).toBeInViewport()
  await expectAccessible(page)
  await press(page, 'Enter')
  await expectFocus(chat.messages.last())
  await skip.getByRole('link', { name: 'Skip to graph' }).focus()
  await press(page, 'Enter')
  await expect(focused(page)).toHaveRole('treeitem')
  await skip.getByRole('link', { name: 'Skip to message box' }).focus()
  await press(page, 'Enter')
  await expect(chat.box).toBeFocused()
  // and they come first: nothing is before them
  const before = await first.evaluate((link) => {
    const all = [...document.querySelectorAll('a[href], button, input, textarea, [tabindex="0"]')]
    return all.indexOf(link)
  })
  expect(before).toBe(0)
})

test('the actions of a message are reached by arrows', async ({ chat, page }) => {
  await openForkedChat(chat)
  await press(page, 'Escape')
  const last = chat.messages.last()
  await press(page, 'ArrowRight')
  await expect(last.locator('[data-message-actions] button').first()).toBeFocused()
  await press(page, 'ArrowRight')
  await expect(last.locator('[data-message-actions] button').nth(1)).toBeFocused()
  await press(page, 'ArrowLeft', 'ArrowLeft')
  await expect(focused(page)).toHaveRole('button')
  await press(page, 'Escape')
  await expectFocus(last)
})

test('letters act on the message that is stood on', async ({ chat, page }) => {
  await openForkedChat(chat)
  const question = chat.said('what is 3+3')
  // when it is edited, then Escape leads back to it
  await question.focus()
  await press(page, 'e')
  await expect(page.getByRole('textbox', { name: 'Edit message' })).toBeFocused()
  await press(page, 'Escape')
  await expectFocus(question)
  // when another version is read, and the first again
  await press(page, '[')
  await chat.reads('main')
  await expect(chat.said('what is 2+2')).toBeVisible()
  await press(page, ']')
  await chat.reads('main-v2')
  // when a checkpoint is saved, then its box opens beside the message, on screen
  await question.focus()
  await press(page, 'c')
  const naming = page.getByRole('dialog', { name: 'Save a checkpoint' })
  await expect(naming).toBeInViewport({ ratio: 1 })
  const [box, asked] = [await naming.boundingBox(), await question.boundingBox()]
  expect(Math.abs((box?.y ?? 0) - (asked?.y ?? 0))).toBeLessThan(200)
  await page.keyboard.type('threes')
  await press(page, 'Enter')
  await expect(chat.graph.getByRole('button', { name: 'Restore threes' })).toBeVisible()
  await expectFocus(question)
  // when the reply is tried again
  await chat.lastReply().focus()
  await press(page, 'r')
  await expect(page.getByText('2 / 2').last()).toBeVisible()
  await chat.settled()
  await expect(page).not.toHaveURL(/branch=main-v2$/)
  // when it goes on from the first reply
  await chat.messages.nth(1).focus()
  await press(page, 'b')
  await expect(chat.messages).toHaveCount(2)
  await expect(chat.box).toBeFocused()
})

test('moves are undone one after another, and made again', async ({ chat, page }) => {
  await openForkedChat(chat)
  const note = page.locator('[data-move-note]')
  await press(page, 'Escape', '[')
  await chat.reads('main')
  // a switch needs no words
  await expect(page.getByRole('button', { name: 'Undo', exact: true })).toHaveCount(0)
  await chat.messages.nth(1).focus()
  await press(page, 'b')
  await expect(note).toContainText('continues from here')
  await expect(chat.messages).toHaveCount(2)
  // in the box the keys are the box's
  await page.keyboard.type('words')
  await press(page, 'Control+z')
  await expect(note).toContainText('continues from here')
  await chat.box.fill('')
  await press(page, 'Escape', 'Control+z')
  await chat.reads('main')
  await expect(note.getByRole('button')).toHaveCount(0)
  await expect(chat.messages).toHaveCount(4)
  await press(page, 'Control+z')
  await chat.reads('main-v2')
  await press(page, 'Control+z')
  await chat.reads('main-v2')
  await press(page, 'Control+Shift+z')
  await chat.reads('main')
  await press(page, 'Control+Shift+z')
  await expect(chat.messages).toHaveCount(2)
  await expect(chat.branch()).not.toContainText(/^main(-v2)?$/)
  // and the note is reached by a key
  await chat.messages.nth(1).focus()
  await press(page, 'c')
  await page.keyboard.type('here')
  await press(page, 'Enter')
  await expect(note).toContainText('Saved checkpoint “here”')
  await press(page, 'Alt+t')
  await expect(page.getByRole('button', { name: 'Undo', exact: true })).toBeFocused()
  await press(page, 'Enter')
  await expect(chat.graph.getByRole('button', { name: 'Restore here' })).toHaveCount(0)
})

test('the note about a move covers nothing', async ({ chat, page }) => {
  await openForkedChat(chat)
  await press(page, 'Escape', 'c')
  await page.keyboard.type('here')
  await press(page, 'Enter')
  const note = page.locator('[data-move-note] > div')
  await expect(note).toBeVisible()
  const covered = await note.evaluate((element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect()
    const points = [0.05, 0.3, 0.6, 0.95].map(
      (at) => [left + (right - left) * at, (top + bottom) / 2] as const,
    )
    return points.flatMap(([x, y]) =>
      document.elementsFromPoint(x, y).filter((other) => {
        const isAround = other.contains(element) || element.contains(other)
        return !isAround && other.matches('button, a, p, article, textarea')
      }),
    ).length
  })
  expect(covered).toBe(0)
  await expectAccessible(page)
})

test('the graph is shown, filled, searched, and left by key', async ({ chat, page }) => {
  await openForkedChat(chat)
  await press(page, 'Escape', 'g')
  await expect(chat.graph).toBeHidden()
  // the second of two quick presses would fill the window
  await expect(async () => {
    await press(page, 'g')
    await expect(chat.graph).toBeVisible({ timeout: 600 })
  }).toPass()
  await press(page, '/')
  await expect(page.getByRole('dialog', { name: 'Search' })).toBeVisible()
  await press(page, 'Escape', '?')
  const help = page.getByRole('dialog', { name: 'Keys' })
  await expect(help).toBeVisible()
  await expectAccessible(page)
  await press(page, 'Escape')
  await expect(help).toHaveCount(0)
})

test('the palette has every action that has a target on the page', async ({ chat, page }) => {
  await openForkedChat(chat)
  await press(page, 'Escape', 'c')
  await page.keyboard.type('good')
  await press(page, 'Enter')
  await expect(chat.graph.getByRole('button', { name: 'Restore good' })).toBeVisible()
  await chat.node('You: what is 2+2').getByRole('button').click()
  await chat.reads('main')
  await chat.lastReply().focus()
  await press(page, 'Control+k')
  const options = page.getByRole('dialog', { name: 'Command palette' }).getByRole('option')
  await expect(options.first()).toBeVisible()
  const listed = (await options.allInnerTexts()).map((text) => text.split('\n')[0]?.trim() ?? '')
  expect(listed).toEqual(
    expect.arrayContaining([
      ...[
        'Copy',
        'Edit',
        'Try again',
        'Branch from here',
        'Checkpoint here',
        'Previous version',
        'Next version',
      ],
      ...['Next message', 'Previous message', 'To the messages', 'Write a message', 'To the graph'],
      ...[
        'Show or hide the graph',
        'Full window',
        'Outline or map',
        'Compare branches',
        'Undo the last move',
      ],
      ...['To the note about the last move', 'Rename chat', 'Delete chat', 'New chat', 'Search messages'],
      ...['Show keys', 'Explore a sample conversation', 'Show or hide the sidebar', 'Dark theme'],
      ...['Open the message', 'Pick for comparing', 'Fit graph', 'Go to head', 'Find in graph', 'Zoom in'],
      ...['Zoom out', 'Save as SVG', 'Save as PNG', 'The graph as it was, and back to now'],
      ...['Restore good', 'Remove this checkpoint: good', 'Rename main', 'Archive main'],
    ]),
  )
  await expectAccessible(page)
  // when one of them is chosen, then it acts on the message that was stood on
  await page.keyboard.type('write a message')
  await press(page, 'Enter')
  await expect(chat.box).toBeFocused()
  await press(page, 'Control+k')
  await page.keyboard.type('Undo the last move')
  await press(page, 'Enter')
  await chat.reads('main-v2')
})
