import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { boxOf, type ChatPage, expectCount } from '@/testing/page/chat-page'
import {
  givenReply,
  goOn,
  onPhone,
  openChat,
  openSample,
  reload,
  scripted,
  turns,
} from '@/testing/page/given'
import { openAgentRun, openForest, openHuge, openLine } from '@/testing/page/long-chats'
import { expectNoSidewaysScroll, lookInAllWays } from '@/testing/page/look'

/** Every text of the outline that is in sight: where it is drawn, the size of its letters in px, and how much is shown. */
function linesInSight() {
  const region = document.querySelector('[aria-label="Conversation graph"]')
  const pane = region?.querySelector('[role=tree]')?.closest('.overflow-y-auto')
  const found: { text: string; box: Box; size: number; shown: number }[] = []
  if (!region || !pane) return found
  const walker = document.createTreeWalker(pane, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement
    const text = node.textContent?.trim() ?? ''
    if (!parent || text === '' || parent.closest('.sr-only, .invisible, .react-flow__attribution')) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const whole = range.getBoundingClientRect()
    let box: Box = whole
    for (let at: Element | null = parent; at && at !== region; at = at.parentElement)
      if (getComputedStyle(at).overflowX !== 'visible') box = common(box, at.getBoundingClientRect())
    if (box.bottom <= box.top) continue
    const size = Number.parseFloat(getComputedStyle(parent).fontSize)
    found.push({ text, box, size, shown: (box.right - box.left) / whole.width })
  }
  return found
}

type Box = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>

/** The overlap of two boxes; its ends have changed places when there is none. */
const common = (one: Box, other: Box): Box => ({
  left: Math.max(one.left, other.left),
  right: Math.min(one.right, other.right),
  top: Math.max(one.top, other.top),
  bottom: Math.min(one.bottom, other.bottom),
})

/** Text that cannot be read: small letters, cut titles of branches, lines that are cut to nonsense or lie on others. */
function faults(): string[] {
  const lines = linesInSight()
  const found = lines.length > 3 ? [] : [`${lines.length} lines`]
  const titles = new Set(
    [...document.querySelectorAll('[role=treeitem][data-branch] [data-branch-title]')].map(
      ({ textContent }) => textContent,
    ),
  )
  for (const [at, { text, box, size, shown }] of lines.entries()) {
    const width = box.right - box.left
    if (size < 12) found.push(`${size} px: ${text}`)
    if (shown < 0.99 && titles.has(text) && text.length <= 40) found.push(`not whole: ${text}`)
    if (shown < 0.99 && width < 40) found.push(`cut to ${Math.round(width)} px: ${text}`)
    for (const other of lines.slice(at + 1)) {
      const { left, right, top, bottom } = common(box, other.box)
      if (right - left > 1 && bottom - top > 1) found.push(`${text} lies on ${other.text}`)
    }
  }
  return found
}

/** Every line can be read, and the head is in view. */
async function expectReadable(chat: ChatPage): Promise<void> {
  await expect.element(chat.graph.getByRole('radio', { name: 'Outline' })).toBeChecked()
  await expect.element(chat.here).toBeInViewport({ ratio: 0.99 })
  await expect.poll(faults).toEqual([])
}

const long = import.meta.env.RAMIFY_TEST_LONG

// The long ones take seconds each: `RAMIFY_TEST_LONG=1` measures them too.
const chats = [
  { name: 'sample', open: openSample, branches: 7, messages: 10 },
  { name: 'hundred-messages-on-eleven-branches', open: () => openForest('main-v6'), branches: 11 },
  ...(long
    ? [
        { name: 'line-of-forty-messages', open: openLine, branches: 0, messages: 40 },
        { name: 'line-of-five-hundred-messages', open: () => openLine(500), branches: 0 },
        { name: 'sixty-steps-of-an-agent', open: openAgentRun, branches: 0, messages: 6 },
        { name: 'ten-thousand-messages-on-three-hundred-branches', open: openHuge },
      ]
    : []),
]

test.each<(typeof chats)[number] & { branches?: number; messages?: number }>(chats)(
  '$name: where one is, which branches there are, and what they are about',
  async (given) => {
    const chat = await given.open()
    await expectReadable(chat)
    if (given.branches !== undefined)
      await expectCount(chat.graph.css('[role=treeitem][data-branch]'), given.branches)
    if (given.messages) await expectCount(chat.graph.css('[data-graph-node]'), given.messages)
    const openTab = () => page.getByRole('tab', { name: 'Graph' }).click()
    const look = async (size: 'wide' | 'narrow') => {
      if (size === 'narrow') await openTab()
      await expectReadable(chat)
    }
    if (given.name === 'sample' || long) await lookInAllWays(`outline-${given.name}`, look)
    await page.viewport(390, 844)
    await look('narrow')
    // and in rows as tall as a finger
    await onPhone()
    const touched = await reload()
    await openTab()
    await expectReadable(touched)
    expectNoSidewaysScroll()
  },
)

test('a branch is opened and closed in place, by click and by key, and its title switches to it', async () => {
  const chat = await openSample()
  const main = chat.row('Main line')
  const stairs = chat.node('You: That is a lot of stairs for a bad knee.')
  const fork = chat.node('You: Yes, plan day one.')
  await expect.element(main).toHaveAttribute('aria-expanded', 'false')
  // when its row is clicked, then its messages stand below it, and nothing else has changed
  const before = boxOf(main)
  await main.click({ position: { x: 200, y: 14 } })
  await expect.element(main).toHaveAttribute('aria-expanded', 'true')
  await expect.element(stairs).toBeVisible()
  await expect.element(chat.here).toHaveAccessibleName(expect.stringMatching(/^Assistant: For Pena yes/))
  expect(Math.abs(boxOf(main).y - before.y)).toBeLessThan(1)
  // when the arrows walk into it, out of it, and close it
  await expect.element(main).toHaveFocus()
  await userEvent.keyboard('{ArrowRight}{ArrowDown}')
  await expect.element(stairs).toHaveFocus()
  await userEvent.keyboard('{ArrowLeft}')
  await expect.element(main).toHaveFocus()
  await userEvent.keyboard('{ArrowLeft}')
  await expectCount(stairs, 0)
  await userEvent.keyboard('{ArrowUp}')
  await expect.element(fork).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}{ArrowRight}')
  await expect.element(stairs).toBeVisible()
  await userEvent.keyboard('{ArrowLeft}')

  // when its title is clicked, then it is read, its row stays in place, and the branch read before is a row
  const stood = [boxOf(fork), boxOf(main), boxOf(chat.row('Porto instead'))]
  await chat.label('Main line').click()
  await chat.reads('main')
  await expect.element(stairs).toBeVisible()
  await expect.element(main).toHaveAttribute('aria-expanded', 'true')
  const rest = chat.row('The whole plan')
  await expect.element(rest).toHaveAttribute('aria-expanded', 'false')
  const stand = [boxOf(fork), boxOf(main), boxOf(chat.row('Porto instead'))]
  for (const [at, { x, y }] of stand.entries()) {
    expect(Math.abs(y - (stood[at]?.y ?? 0))).toBeLessThan(1)
    expect(x).toBe(stood[at]?.x)
  }
  await expect.element(chat.here).toBeInViewport()
  // and the other way round: what closes above does not move the row that was clicked
  const clicked = boxOf(chat.row('Name of the sea'))
  await chat.label('Name of the sea').click()
  await chat.reads('Name of the sea')
  await expectCount(stairs, 0)
  await expect.element(main).toHaveAttribute('aria-expanded', 'false')
  expect(Math.abs(boxOf(chat.row('Name of the sea')).y - clicked.y)).toBeLessThan(1)
  // and a message of another branch, once shown, opens there
  await chat.row('Porto instead').click({ position: { x: 200, y: 14 } })
  await chat
    .node(/^You: And how long is the train/)
    .getByRole('button')
    .click()
  await chat.reads('Porto instead')
  await expect.element(chat.toolbar.getByRole('button').first()).toHaveAccessibleName('Branch from here')
})

test('a pointer that rests on a row, or the focus, has a card say what the row has no room for', async () => {
  const chat = await openSample()
  const card = chat.graph.css('[data-row-card]')
  await chat.row('Porto instead').hover()
  await expect.element(card).toMatchTextContent(/^Porto instead.*several times a day.*4 messages · .+/)
  // within the pane, and on no part of its own row
  const [box, row] = [boxOf(card), boxOf(chat.row('Porto instead'))]
  expect(box.y).toBeGreaterThanOrEqual(row.y + row.height)
  await chat.row('Porto instead').click({ position: { x: 300, y: 14 } })
  await expectCount(card, 0)
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(card).toMatchTextContent(/^You/)
  await userEvent.keyboard('{ArrowUp}{ArrowLeft}')
  await expect.element(card).toMatchTextContent(/^Porto instead/)
})

test('given a finger held on a branch, then its menu begins with what the row has no room for', async () => {
  await onPhone()
  const chat = await openSample()
  await page.getByRole('tab', { name: 'Graph' }).click()
  await chat.row('Porto instead').click({ button: 'right', position: { x: 300, y: 20 } })
  await expect.element(page.getByRole('menu')).toMatchTextContent(/^Porto instead.*4 messages · .+Switch/)
})

test('the words of a reply run in its row, which is in view', async () => {
  const says = turns('What should we see?', 'And on a Monday?')
  const chat = await openChat({ model: scripted, branches: [{ name: 'main', says }] })
  const words = Array.from({ length: 300 }, (_, at) => at + 1).join(' ')
  await givenReply('count on', { text: words, holdAfter: 250 })
  await chat.send('count on')
  await expect.element(chat.here).toHaveAccessibleName(expect.stringMatching(/Writing$/))
  // the last of them: the first that fit into the row are below a hundred
  await expect.element(chat.here).toMatchTextContent(/\b2\d\d\b/)
  await expect.element(chat.here).toBeInViewport({ ratio: 0.99 })
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await goOn('count on')
  await chat.settled()
  await expect.element(chat.here).toMatchTextContent('Stopped')
})

test('the layout is chosen beside the thread and in the full window, and remembered for each', async () => {
  const chat = await openSample()
  const radio = (name: string) => chat.graph.getByRole('radio', { name })
  const fillWindow = () => page.getByRole('button', { name: 'Full window', exact: true }).click()
  await expect.element(radio('Outline')).toBeChecked()
  await fillWindow()
  await expect.element(radio('Map')).toBeChecked()
  await expectCount(chat.nodes, 33)
  // when both are chosen the other way round, by mouse and by key
  await radio('Outline').click()
  await expect.element(chat.row('Main line')).toBeVisible()
  await page.getByRole('button', { name: 'Leave full window' }).click()
  await expect.element(radio('Outline')).toBeChecked()
  await userEvent.keyboard('l')
  await expect.element(radio('Map')).toBeChecked()
  await reload()
  await expect.element(radio('Map')).toBeChecked()
  await expectCount(chat.nodes, 33)
  await fillWindow()
  await expect.element(radio('Outline')).toBeChecked()
})
