import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { ChatPage } from './support/chat-page'
import { openSample, seedTurns, sendTurn, signIn, userMessage } from './support/openings'
import { expectAccessible, onEveryScreen, sidewaysScroll } from './support/screens'
import { expect, test } from './support/test'

/** Forty messages in a line. */
async function openLine(chat: ChatPage): Promise<void> {
  const asks = ['What should we see', 'How do we get to', 'When is it quiet at', 'What does it cost to enter']
  const places = [
    'the castle',
    'the old harbour',
    'the tile museum',
    'the botanical garden',
    'the market hall',
  ]
  const texts = places.flatMap((place) => asks.map((ask) => `${ask} ${place}, with one of us on crutches?`))
  const id = await seedTurns(chat, texts)
  await chat.open(`/c/${id}`)
}

/** A hundred messages on eleven branches: main, and ten that ask one of its questions differently and go on. */
async function openForest(chat: ChatPage): Promise<void> {
  const { request } = chat.page
  const id = randomUUID()
  await signIn(request)
  const topics = [
    'budget',
    'trains',
    'food',
    'weather',
    'walking',
    'museums',
    'beaches',
    'nightlife',
    'hotels',
    'islands',
  ]
  for (let at = 0; at < 20; at++) {
    const text = `Question ${at + 1} about ${topics[at % topics.length]}: what would you do on day ${at + 1}?`
    await sendTurn(request, id, userMessage(text, `q${at + 1}`))
  }
  for (const [at, topic] of topics.entries()) {
    const text = `Thinking again about ${topic}: is there a cheaper way?`
    await sendTurn(request, id, userMessage(text), { branch: 'main', messageId: `q${at * 2 + 1}` })
    const branch = at === 0 ? 'main-v2' : `main-v${at + 2}`
    for (const more of ['And with children?', 'What if it rains?'])
      await sendTurn(request, id, userMessage(`${more} (${topic})`), { branch })
  }
  await chat.open(`/c/${id}?branch=main-v6`)
}

const showGraph = async (chat: ChatPage, onPhone: boolean) => {
  if (onPhone) await chat.page.getByRole('tab', { name: 'Graph' }).click()
  await expect(chat.graph.getByRole('radio', { name: 'Outline' })).toBeChecked()
  await expect(chat.nodes.first()).toBeAttached()
}

interface Line {
  text: string
  top: number
  bottom: number
  left: number
  right: number
  size: number
  /** how much of it is drawn, as a share */
  shown: number
  width: number
}

/** Every text of the outline that is in sight, where it is drawn. */
const linesInSight = (page: Page): Promise<Line[]> =>
  page.evaluate(() => {
    const region = document.querySelector('[aria-label="Conversation graph"]')
    const pane = region?.querySelector('[role=tree]')?.closest('.overflow-y-auto')?.getBoundingClientRect()
    if (!region || !pane) return []
    const found: Line[] = []
    const walker = document.createTreeWalker(region, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement
      const text = node.textContent?.trim() ?? ''
      if (!parent || text === '' || parent.closest('.sr-only, .invisible, .react-flow__attribution')) continue
      if (!parent.closest('.overflow-y-auto')) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const whole = range.getBoundingClientRect()
      const box = { left: whole.left, right: whole.right, top: whole.top, bottom: whole.bottom }
      for (let at: Element | null = parent; at && at !== region; at = at.parentElement) {
        if (getComputedStyle(at).overflowX === 'visible') continue
        const clip = at.getBoundingClientRect()
        box.left = Math.max(box.left, clip.left)
        box.right = Math.min(box.right, clip.right)
      }
      if (box.bottom <= pane.top || box.top >= pane.bottom) continue
      const width = box.right - box.left
      found.push({
        ...box,
        text,
        size: Number.parseFloat(getComputedStyle(parent).fontSize),
        width,
        shown: width / whole.width,
      })
    }
    return found
  })

/** Nothing lies on anything else, nothing is cut to nonsense, everything is large enough, and the head is in view. */
async function expectReadable(chat: ChatPage): Promise<void> {
  const { page } = chat
  await expect(chat.here).toBeInViewport({ ratio: 0.99 })
  const lines = await linesInSight(page)
  expect(lines.length).toBeGreaterThan(3)
  const faults: string[] = []
  for (const [at, line] of lines.entries()) {
    if (line.size < 12) faults.push(`${line.size} px: ${line.text}`)
    if (line.shown < 0.99 && line.width < 40) faults.push(`cut to ${Math.round(line.width)} px: ${line.text}`)
    for (const other of lines.slice(at + 1)) {
      const across = Math.min(line.right, other.right) - Math.max(line.left, other.left)
      const down = Math.min(line.bottom, other.bottom) - Math.max(line.top, other.top)
      if (across > 1 && down > 1) faults.push(`${line.text} lies on ${other.text}`)
    }
  }
  expect(faults).toEqual([])
}

onEveryScreen((screen) => {
  const onPhone = screen.size === 'narrow'
  test.use({ hasTouch: onPhone })

  const worlds = {
    sample: { open: openSample, branches: 4, messages: 10 },
    'a line of forty messages': { open: openLine, branches: 0, messages: 40 },
    'a hundred messages on eleven branches': { open: openForest, branches: 10, messages: undefined },
  } as const
  for (const [name, { open, branches, messages }] of Object.entries(worlds)) {
    test(`${name}: where one is, which branches there are, and what they are about`, async ({
      chat,
      page,
    }) => {
      test.setTimeout(90_000)
      await open(chat)
      await showGraph(chat, onPhone)
      await expectReadable(chat)
      await expect(chat.graph.locator('[role=treeitem][data-branch]')).toHaveCount(branches)
      if (messages) await expect(chat.graph.locator('[data-graph-node]')).toHaveCount(messages)
      await expectAccessible(page)
      expect(await sidewaysScroll(page)).toBe(0)
      const path = `test-results/screens/outline-${name.replaceAll(' ', '-')}-${screen.suffix}.png`
      await test.info().attach(name, { body: await page.screenshot({ path }), contentType: 'image/png' })
    })
  }
})
