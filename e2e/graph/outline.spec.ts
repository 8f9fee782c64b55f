import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { ChatPage } from '../support/chat-page'
import { openSample, seedTurns, sendTurn, signIn, storedOnce, userMessage } from '../support/openings'
import { expectAccessible, onEveryScreen, picture, sidewaysScroll } from '../support/screens'
import { expect, test } from '../support/test'

/** Forty messages in a line. */
const storeLine = storedOnce((chat) => {
  const asks = ['What should we see', 'How do we get to', 'When is it quiet at', 'What does it cost to enter']
  const places = [
    'the castle',
    'the old harbour',
    'the tile museum',
    'the botanical garden',
    'the market hall',
  ]
  const texts = places.flatMap((place) => asks.map((ask) => `${ask} ${place}, with one of us on crutches?`))
  return seedTurns(chat, texts)
})

const openLine = async (chat: ChatPage) => chat.open(`/c/${await storeLine(chat)}`)

/** A hundred messages on eleven branches: main, and ten that ask one of its questions differently and go on. */
const storeForest = storedOnce(async (chat) => {
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
  return id
})

const openForest = async (chat: ChatPage) => chat.open(`/c/${await storeForest(chat)}?branch=main-v6`)

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
    sample: { open: openSample, branches: 7, messages: 10 },
    'a line of forty messages': { open: openLine, branches: 0, messages: 40 },
    'a hundred messages on eleven branches': { open: openForest, branches: 10, messages: undefined },
  } as const
  for (const [name, { open, branches, messages }] of Object.entries(worlds)) {
    test(`${name}: where one is, which branches there are, and what they are about`, async ({
      chat,
      page,
    }) => {
      await open(chat)
      await showGraph(chat, onPhone)
      await expectReadable(chat)
      await expect(chat.graph.locator('[role=treeitem][data-branch]')).toHaveCount(branches)
      if (messages) await expect(chat.graph.locator('[data-graph-node]')).toHaveCount(messages)
      await expectAccessible(page)
      expect(await sidewaysScroll(page)).toBe(0)
      await picture(page, `outline-${name.replaceAll(' ', '-')}-${screen.suffix}`)
    })
  }
})

test('a branch is opened and closed in place, by click and by key, and its title switches to it', async ({
  chat,
  page,
}) => {
  await openSample(chat)
  const main = chat.row('main')
  const stairs = chat.node('You: That is a lot of stairs for a bad knee.')
  await expect(main).toHaveAttribute('aria-expanded', 'false')
  // when its row is clicked, then its messages stand below it, and nothing else has changed
  const before = await main.boundingBox()
  await main.click({ position: { x: 200, y: 14 } })
  await expect(main).toHaveAttribute('aria-expanded', 'true')
  await expect(stairs).toBeVisible()
  await expect(chat.here).toHaveAccessibleName(/^Assistant: For Pena yes/)
  expect(Math.abs(((await main.boundingBox())?.y ?? 0) - (before?.y ?? 99))).toBeLessThan(1)
  // when the arrows walk into it, out of it, and close it
  await expect(main).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  await expect(stairs).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(main).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(stairs).toHaveCount(0)
  await page.keyboard.press('ArrowUp')
  await expect(chat.node('You: Yes, plan day one.')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await expect(stairs).toBeVisible()
  await page.keyboard.press('ArrowLeft')

  // when its title is clicked, then it is read, its fork stays in place, and the branch read before is a row
  const fork = chat.node('You: Yes, plan day one.')
  const stood = await fork.boundingBox()
  await chat.label('main').click()
  await chat.reads('main')
  await expect(stairs).toBeVisible()
  await expect(chat.row('gentle-pace')).toHaveAttribute('aria-expanded', 'false')
  await expect(main).toHaveCount(0)
  expect(Math.abs(((await fork.boundingBox())?.y ?? 0) - (stood?.y ?? 99))).toBeLessThan(1)
  await expect(chat.here).toBeInViewport()
  // and a message of another branch, once shown, opens there
  await chat.row('porto-instead').click({ position: { x: 200, y: 14 } })
  await chat
    .node(/^You: And how long is the train/)
    .getByRole('button')
    .click()
  await chat.reads('porto-instead')
  await expect(chat.toolbar.getByRole('button').first()).toHaveAccessibleName('Branch from here')
})

test('the words of a reply run in its row, which is in view', async ({ chat }) => {
  await chat.open(`/c/${await seedTurns(chat, ['What should we see?', 'And on a Monday?'])}`)
  await chat.box.fill('count to 5000')
  await chat.box.press('Enter')
  await expect(chat.here).toHaveAccessibleName(/Writing$/)
  // the last of them: the first that fit into the row are below a hundred
  await expect(chat.here).toContainText(/\b\d{3,4}\b/)
  await expect(chat.here).toBeInViewport({ ratio: 0.99 })
  await chat.page.getByRole('button', { name: 'Stop', exact: true }).click()
  await chat.settled()
  await expect(chat.here).toContainText('Stopped')
})

test('the layout is chosen beside the thread and in the full window, and remembered for each', async ({
  chat,
  page,
}) => {
  await openSample(chat)
  const radio = (name: string) => chat.graph.getByRole('radio', { name })
  await expect(radio('Outline')).toBeChecked()
  await page.getByRole('button', { name: 'Full window', exact: true }).click()
  await expect(radio('Map')).toBeChecked()
  await expect(chat.nodes).toHaveCount(33)
  // when both are chosen the other way round, by mouse and by key
  await radio('Outline').click()
  await expect(chat.row('main')).toBeVisible()
  await page.getByRole('button', { name: 'Leave full window' }).click()
  await expect(radio('Outline')).toBeChecked()
  await page.keyboard.press('l')
  await expect(radio('Map')).toBeChecked()
  await chat.reload()
  await expect(radio('Map')).toBeChecked()
  await expect(chat.nodes).toHaveCount(33)
  await page.getByRole('button', { name: 'Full window', exact: true }).click()
  await expect(radio('Outline')).toBeChecked()
})

test('what is found in a closed branch is opened and shown', async ({ chat, page }) => {
  await openSample(chat)
  await page.getByRole('button', { name: 'Find in graph' }).click()
  await chat.graph.getByRole('searchbox', { name: 'Find in graph' }).fill('swimwear')
  await page.keyboard.press('Enter')
  const hit = chat.node(/^Assistant: Little: swimwear/)
  await expect(hit).toBeInViewport()
  await expect(hit).toHaveAttribute('aria-selected', 'true')
  await expect(chat.row('beach-day')).toHaveAttribute('aria-expanded', 'true')
})
