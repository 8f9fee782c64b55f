import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { css, expectCount, expectHidden, focus, press } from '@/testing/page/chat-page'
import { openFork, openPage } from '@/testing/page/given'
import { expectAccessible } from '@/testing/page/look'

// A person without a mouse: every action of the page by key, and the focus where it is looked for.

test('the box has the focus, the messages are one stop each, and arrows reach their actions', async () => {
  const chat = await openFork()
  const at = (place: number) => expect.element(chat.messages.nth(place)).toHaveFocus()
  // when the box is left, then the last message is stood on
  await press('Escape')
  await at(3)
  await press('k')
  await at(2)
  await press('ArrowUp')
  await at(1)
  await press('ArrowDown', 'j')
  await at(3)
  // and Tab goes from one to the next
  await press('k', 'k', 'Tab')
  await at(2)
  await press('Shift+Tab')
  await at(1)
  // and both ways lead to the box
  await press('Enter')
  await expect.element(chat.box).toHaveFocus()
  await press('Escape', 'i')
  await expect.element(chat.box).toHaveFocus()
  // and what is typed there is text
  await userEvent.keyboard('jkg')
  await expect.element(chat.box).toHaveValue('jkg')

  // when the arrows go along the actions of a message
  await press('Escape', 'ArrowRight')
  const actions = chat.messages.nth(3).css('[data-message-actions] button')
  await expect.element(actions.first()).toHaveFocus()
  await press('ArrowRight')
  await expect.element(actions.nth(1)).toHaveFocus()
  await press('ArrowLeft', 'ArrowLeft')
  expect(document.activeElement?.tagName).toBe('BUTTON')
  await press('Escape')
  await at(3)
})

test('links before everything lead to the parts of the page', async () => {
  const chat = await openFork()
  const skip = page.getByRole('navigation', { name: 'Skip' })
  const first = skip.getByRole('link').first()
  await focus(first)
  await expect.element(first).toBeInViewport()
  await expectAccessible()
  await press('Enter')
  await expect.element(chat.messages.last()).toHaveFocus()
  await focus(skip.getByRole('link', { name: 'Skip to graph' }))
  await press('Enter')
  await expect.poll(() => document.activeElement?.role).toBe('treeitem')
  await focus(skip.getByRole('link', { name: 'Skip to message box' }))
  await press('Enter')
  await expect.element(chat.box).toHaveFocus()
  // and they come first: nothing is before them
  expect(document.querySelector('a[href], button, input, textarea, [tabindex="0"]')).toBe(first.element())
})

test.each(['/settings/usage', '/settings/models', '/c/nothing-here'])(
  'given the page at %s, then the first stop of Tab leads to its content',
  async (path) => {
    await openPage(path)
    const skip = page.getByRole('link', { name: 'Skip to content' })
    expect(document.querySelector('a[href], button, input, textarea, [tabindex="0"]')).toBe(skip.element())
    await focus(skip)
    await expect.element(skip).toBeInViewport()
    await press('Enter')
    const content = document.activeElement
    expect(content).toBe(document.querySelector('#content') ?? document.querySelector('main'))
    expect(content?.contains(document.querySelector('h1'))).toBe(true)
  },
)

test('letters act on the message that is stood on', async () => {
  const chat = await openFork()
  const question = chat.said('what is 3+3')
  // when it is edited, then Escape leads back to it
  await focus(question)
  await press('e')
  await expect.element(page.getByRole('textbox', { name: 'Edit message' })).toHaveFocus()
  await press('Escape')
  await expect.element(question).toHaveFocus()
  // when another version is read, and the first again
  await press('[')
  await chat.reads('main')
  await expect.element(chat.said('what is 2+2')).toHaveFocus()
  await press(']')
  await chat.reads('main-v2')
  await expect.element(question).toHaveFocus()
  // when a checkpoint is saved, then its box opens beside the message, on screen
  await focus(question)
  await press('c')
  const naming = page.getByRole('dialog', { name: 'Save a checkpoint' })
  await expect.element(naming).toBeInViewport({ ratio: 1 })
  const [box, asked] = [naming, question].map((each) => each.element().getBoundingClientRect())
  expect(Math.abs((box?.y ?? 0) - (asked?.y ?? 0))).toBeLessThan(200)
  await userEvent.keyboard('threes{Enter}')
  await expect.element(chat.graph.getByRole('button', { name: 'Restore threes' })).toBeVisible()
  await expect.element(question).toHaveFocus()
  // when the reply is tried again
  await focus(chat.lastReply())
  await press('r')
  // the question is the second of two already: the address tells the retry
  await expect.poll(() => location.search).not.toMatch(/branch=main-v2$/)
  await expect.element(page.getByText('2 / 2').last()).toBeVisible()
  await chat.settled()
  await expect.element(chat.lastReply()).toHaveFocus()
  // when it goes on from the first reply
  await focus(chat.messages.nth(1))
  await press('b')
  await expectCount(chat.messages, 2)
  await expect.element(chat.box).toHaveFocus()
})

test('moves are undone one after another, and made again; the note about them is reached by key and covers nothing', async () => {
  const chat = await openFork()
  const note = css('[data-move-note]')
  await press('Escape', '[')
  await chat.reads('main')
  // the version that is read takes the focus, which would leave what is focused before it
  await expect.element(chat.said('what is 2+2')).toHaveFocus()
  // a switch needs no words
  await expectCount(page.getByRole('button', { name: 'Undo', exact: true }), 0)
  await focus(chat.messages.nth(1))
  await press('b')
  await expect.element(note).toMatchTextContent('continues from here')
  await expectCount(chat.messages, 2)
  // in the box the keys are the box's
  await userEvent.keyboard('words')
  await press('Control+z')
  await expect.element(note).toMatchTextContent('continues from here')
  await chat.box.fill('')
  await press('Escape', 'Control+z')
  await chat.reads('main')
  await expectCount(note.getByRole('button'), 0)
  await expectCount(chat.messages, 4)
  await press('Control+z')
  await chat.reads('main-v2')
  await press('Control+z')
  await chat.reads('main-v2')
  await press('Control+Shift+z')
  await chat.reads('main')
  await press('Control+Shift+z')
  await expectCount(chat.messages, 2)
  await expect.element(chat.branch()).not.toMatchTextContent(/^main(-v2)?$/)
  // given a checkpoint, then the words about it stand on nothing else
  await focus(chat.messages.nth(1))
  await press('c')
  await userEvent.keyboard('here{Enter}')
  await expect.element(note).toMatchTextContent('Saved checkpoint “here”')
  expect(coveredBy(note.css(':scope > div').element())).toEqual([])
  await expectAccessible()
  // and are reached by a key
  await press('Alt+t')
  await expect.element(page.getByRole('button', { name: 'Undo', exact: true })).toHaveFocus()
  await press('Enter')
  await expectCount(chat.graph.getByRole('button', { name: 'Restore here' }), 0)
})

/** The elements behind an element along its middle, without those around it. */
function coveredBy(element: Element): Element[] {
  const { left, width, top, bottom } = element.getBoundingClientRect()
  return [0.05, 0.3, 0.6, 0.95]
    .flatMap((at) => document.elementsFromPoint(left + width * at, (top + bottom) / 2))
    .filter((other) => !other.contains(element) && !element.contains(other))
    .filter((other) => other.matches('button, a, p, article, textarea'))
}

test('the graph is hidden, shown, searched, and left by key; the help has the keys', async () => {
  const chat = await openFork()
  await press('Escape', 'g')
  await expectHidden(chat.graph)
  // the second of two quick presses would fill the window
  await press('Shift', 'g')
  await expect.element(chat.graph).toBeVisible()
  await press('/')
  await expect.element(page.getByRole('dialog', { name: 'Search' })).toBeVisible()
  await press('Escape', '?')
  const help = page.getByRole('dialog', { name: 'Keys' })
  await expect.element(help).toBeVisible()
  await expectAccessible()
  await press('Escape')
  await expectCount(help, 0)
})

test('the palette has every action that has a target on the page', async () => {
  const chat = await openFork()
  await press('Escape', 'c')
  await userEvent.keyboard('good{Enter}')
  await expect.element(chat.graph.getByRole('button', { name: 'Restore good' })).toBeVisible()
  await chat.node('You: what is 2+2').getByRole('button').click()
  await chat.reads('main')
  await focus(chat.lastReply())
  await press('Control+k')
  const options = page.getByRole('dialog', { name: 'Command palette' }).getByRole('option')
  await expect.element(options.first()).toBeVisible()
  const listed = options.elements().map((option) => (option as HTMLElement).innerText.split('\n')[0]?.trim())
  const inPalette = [
    'Copy, Edit, Try again, Branch from here, Checkpoint here, Previous version, Next version, Next message',
    'Previous message, To the messages, Write a message, To the graph, Show or hide the graph, Full window',
    'Outline or map, Compare branches, Undo the last move, To the note about the last move, Rename chat',
    'Delete chat, New chat, Search messages, Show keys, See an example, Dark theme',
    'Show or hide the sidebar, Open the message, Pick for comparing, Fit graph, Go to where you are, Find in graph',
    'Zoom in, Zoom out, Save as SVG, Save as PNG, Restore good, Remove this checkpoint: good, Rename Main line',
  ].flatMap((line) => line.split(', '))
  const more = [
    'Archive Main line',
    'History',
    'Share',
    'Instructions',
    'Ask several models…',
    'Find what made the difference…',
  ]
  expect(listed).toEqual(expect.arrayContaining([...inPalette, ...more]))
  await expectAccessible()
  // when one of them is chosen, then it acts on the message that was stood on
  await userEvent.keyboard('write a message{Enter}')
  await expect.element(chat.box).toHaveFocus()
  await press('Control+k')
  await userEvent.keyboard('Undo the last move{Enter}')
  await chat.reads('main-v2')
})

/** Does the first command of the palette for these words. */
async function command(words: string): Promise<void> {
  await press('Control+k')
  await userEvent.keyboard(`${words}{Enter}`)
  await expectCount(page.getByRole('dialog', { name: 'Command palette' }), 0)
}

test('the whole name of a command does that command, though other groups answer to its words', async () => {
  await openFork()
  await press('Escape')
  await command('Dark theme')
  await expect.poll(() => document.documentElement.dataset.theme).toBe('dark')
  expect(location.pathname).toMatch(/^\/c\//)
})

test('what opens in the place of a title or beside it gives the focus back to the message', async () => {
  const chat = await openFork()
  const reply = chat.lastReply()
  await focus(reply)
  // when the chat is not renamed after all, and when it is
  await press('F2')
  await expect.element(page.getByRole('textbox', { name: 'Title' })).toHaveFocus()
  await press('Escape')
  await expect.element(reply).toHaveFocus()
  await press('F2')
  await userEvent.keyboard('Sums{Enter}')
  await expect.element(reply).toHaveFocus()
  // when tags and models are looked at
  await command('Tags…')
  await expect.element(page.getByRole('dialog', { name: 'Tags' })).toBeVisible()
  await press('Escape')
  await expect.element(reply).toHaveFocus()
  // given the menu of the title, which is gone while its field is there
  await focus(css('[data-chat-title]'))
  await press('Enter')
  await expect.element(page.getByRole('menuitem', { name: 'Rename chat' })).toBeVisible()
  await press('ArrowDown', 'Enter')
  await expect.element(page.getByRole('textbox', { name: 'Title' })).toHaveFocus()
  await press('Escape')
  await expect.element(css('[data-chat-title]')).toHaveFocus()
})

test('selecting chats begins and ends with the focus on their rows', async () => {
  const chat = await openFork()
  await chat.settled()
  const row = css('[data-chat] a').first()
  await focus(row)
  // the row is read before it has its button
  await expect.element(css('[data-chat] [data-more]').first()).toBeInTheDocument()
  await press('ArrowRight', 'Enter')
  const entry = page.getByRole('menuitem', { name: 'Select chats' })
  await focus(entry)
  await press('Enter')
  await expect.element(page.getByRole('toolbar', { name: 'Selected chats' })).toBeVisible()
  await expect.element(row).toHaveFocus()
  // when its own button ends it
  await focus(page.getByRole('button', { name: 'Stop selecting' }))
  await press('Enter')
  await expectCount(page.getByRole('toolbar', { name: 'Selected chats' }), 0)
  await expect.element(row).toHaveFocus()
})

test('a page that is gone to by key has the focus on its content', async () => {
  await openFork()
  await press('Escape')
  await command('Appearance')
  await expect.poll(() => location.pathname).toBe('/settings/appearance')
  await expect.poll(() => document.activeElement?.closest('main') !== null).toBe(true)
})
