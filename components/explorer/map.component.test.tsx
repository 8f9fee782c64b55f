import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { boxOf, type ChatPage, css, expectCount, expectHidden, focus } from '@/testing/page/chat-page'
import { onPhone, openFork, openSample, reload } from '@/testing/page/given'
import { openForest, openLine } from '@/testing/page/long-chats'
import { expectAccessible, lookInAllWays } from '@/testing/page/look'

type Box = Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom'>

/** Everything on the map, in px of the window. */
function look() {
  const graph = css('.react-flow').element()
  const all = (selector: string) => [...graph.querySelectorAll<HTMLElement>(selector)]
  const boxed = (element: Element) => ({ box: element.getBoundingClientRect() })
  const chips = all('[data-branch], [data-checkpoint]')
  const texts = all('[role=treeitem] > [aria-hidden]').filter((each) => each.innerText.trim() !== '')
  return {
    pane: graph.getBoundingClientRect(),
    chips: chips.map((chip) => ({
      ...boxed(chip),
      name: chip.innerText,
      isHere: chip.getAttribute('aria-description') === 'You are here',
      cut: [...chip.querySelectorAll('span')].some(
        (words) => words.scrollWidth > words.clientWidth + 1 || words.scrollHeight > words.clientHeight + 1,
      ),
    })),
    nodes: all('[role=treeitem]').map((node) => ({
      ...boxed(node),
      name: node.getAttribute('aria-label') ?? '',
      isHere: node.getAttribute('aria-current') === 'true',
    })),
    /** the sizes of letters on the screen */
    texts: texts.map((text) => ({ ...boxed(text), name: text.innerText })),
    letters: [...chips, ...texts.map((text) => text.querySelector('span') ?? text)].map((text) => ({
      words: text.innerText,
      size: (Number.parseFloat(getComputedStyle(text).fontSize) * boxed(text).box.height) / text.offsetHeight,
    })),
  }
}

type Seen = ReturnType<typeof look>

const covers = (a: Box, b: Box): boolean =>
  Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5 &&
  Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.5

const holds = (pane: Box, box: Box): boolean =>
  box.left >= pane.left && box.right <= pane.right && box.top >= pane.top && box.bottom <= pane.bottom

/** No label or text lies on another, no label on a message, and none is cut; letters can be read; and what else has to hold of it. */
async function expectClear(also: (seen: Seen) => void = () => undefined): Promise<Seen> {
  // labels are placed, and messages drawn anew, with the frames after a move
  const seen = await vi.waitFor(
    () => {
      const now = look()
      const { chips, nodes, letters, texts } = now
      const words = [...chips, ...texts]
      const covered = words.flatMap((chip, at) =>
        [...(at < chips.length ? nodes : []), ...words.slice(at + 1)]
          .filter(({ box }) => covers(chip.box, box))
          .map(({ name }) => `${chip.name} on ${name}`),
      )
      expect(covered).toEqual([])
      expect(chips.filter(({ cut }) => cut).map(({ name }) => name)).toEqual([])
      expect(letters.filter(({ size }) => size < 11.95)).toEqual([])
      also(now)
      return now
    },
    { timeout: 10_000 },
  )
  await settled()
  return seen
}

const view = () => css('.react-flow__viewport').first().element().getAttribute('style')

/** The view has come to rest. */
async function settled(): Promise<void> {
  let before = view()
  await expect
    .poll(() => {
      const same = before === view()
      before = view()
      return same
    })
    .toBe(true)
}

/** The head being read and its label are in the pane. */
function expectHere({ pane, nodes, chips }: Seen): void {
  const here = nodes.find(({ isHere }) => isHere)
  expect(here && covers(pane, here.box)).toBe(true)
  const label = chips.find(({ isHere }) => isHere)
  expect(label && holds(pane, label.box), `${label?.name} in the pane`).toBe(true)
}

/** The whole drawing is in the pane. */
function expectAllIn({ pane, nodes, chips }: Seen): void {
  const outside = [...nodes, ...chips].filter(({ box }) => !holds(pane, box))
  expect(outside.map(({ name }) => name)).toEqual([])
}

const chats = [
  { name: 'sample', open: openSample, branches: 4 },
  { name: 'line', open: openLine, branches: 1 },
  { name: 'branches', open: () => openForest('main'), branches: 11 },
]

async function openMap(open: () => Promise<ChatPage>): Promise<ChatPage> {
  const chat = await open()
  await chat.draw('Map')
  await expect.element(chat.here).toBeVisible()
  return chat
}

/** The graph fills the window. */
async function fill(): Promise<void> {
  await page.getByRole('button', { name: 'Full window', exact: true }).click()
  await expectHidden(css('article'))
}

test.each(chats)('the labels of the $name are whole, docked and in the full window', async (given) => {
  const chat = await openMap(given.open)
  await expectClear(expectHere)
  // when the graph fills the window
  await fill()
  await chat.draw('Map')
  await expectClear(expectHere)
  await expectAccessible()
  // then Fit shows every branch's title
  await chat.graph.getByRole('button', { name: 'Fit graph' }).click()
  const fitted = await expectClear(expectAllIn)
  expect(fitted.chips.length).toBeGreaterThanOrEqual(given.branches)
  // and at every zoom it says where one is
  const zoom = chat.graph.getByRole('button', { name: /^Zoom to 100 %/ })
  for (const [way, steps] of [
    ['Zoom in', 7],
    ['Zoom out', 12],
  ] as const) {
    for (let step = 0; step < steps; step++) {
      const before = zoom.element().getAttribute('aria-label')
      await chat.graph.getByRole('button', { name: way }).click()
      await expect.poll(() => zoom.element().getAttribute('aria-label')).not.toBe(before)
      const { chips } = await expectClear()
      expect(chips.filter(({ isHere }) => isHere)).toHaveLength(1)
    }
  }
})

test('the map, on every screen', async () => {
  await openMap(openSample)
  await lookInAllWays('map', async (size) => {
    if (size === 'narrow') await page.getByRole('tab', { name: 'Graph' }).click()
    await expectClear(expectHere)
  })
})

test.each(chats)('on a phone, the labels of the $name are whole', async ({ open }) => {
  await onPhone()
  const chat = await open()
  await page.getByRole('tab', { name: 'Graph' }).click()
  await chat.draw('Map')
  await expect.element(chat.here).toBeVisible()
  await expectClear(expectHere)
  await chat.graph.getByRole('button', { name: 'Fit graph' }).click()
  await expectClear()
})

test('a map is laid out again when the graph is docked, and when the window is resized', async () => {
  const chat = await openMap(openSample)
  await fill()
  const { pane } = await expectClear(expectAllIn)
  // when the full window is left
  await chat.graph.getByRole('button', { name: 'Leave full window' }).click()
  await expect.element(css('article').first()).toBeVisible()
  const docked = await expectClear(expectHere)
  expect(docked.pane.right - docked.pane.left).toBeLessThan(pane.right - pane.left)
  // and when the window becomes smaller, and larger again
  for (const [width, height] of [
    [1280, 760],
    [1720, 1000],
  ] as const) {
    const before = view()
    await page.viewport(width, height)
    await expect.poll(view).not.toBe(before)
    await expectClear(expectHere)
  }
  // a view that the reader has chosen is kept
  await chat.graph.getByRole('button', { name: /^Zoom to 100 %/ }).click()
  await settled()
  await page.viewport(1440, 900)
  await settled()
  await expect.element(chat.graph.getByRole('button', { name: 'Zoom to 100 %, now 100 %' })).toBeVisible()
  await expect.element(chat.here).toBeInViewport()
})

test('a map that is shown whole stays whole: after clicks, as it grows, and in a smaller window', async () => {
  const chat = await openMap(openSample)
  await fill()
  await expectClear(expectAllIn)
  // when a message is clicked, and the empty canvas
  await chat
    .node(/^You: We have three days/)
    .getByRole('button')
    .click()
  await css('.react-flow__pane')
    .first()
    .click({ position: { x: 900, y: 500 } })
  await settled()
  // and a reply is asked for again, which is a line more
  const before = chat.nodes.elements().length
  await page.getByRole('region', { name: 'Where you are' }).getByRole('button', { name: 'Try again' }).click()
  await expectCount(chat.nodes, before + 1)
  await expectClear(expectAllIn)
  // and the window becomes smaller
  await page.viewport(1100, 700)
  await expectClear(expectAllIn)
})

test('a map beside the thread stays whole after a branch, a turn and a checkpoint', async () => {
  const chat = await openMap(openFork)
  await expectClear(expectAllIn)
  await chat.nodes.last().getByRole('button').click()
  await chat.toolbar.getByRole('button', { name: 'Branch from here' }).click()
  await chat.ask('what is my name')
  await chat.more(chat.said('what is my name'), 'Checkpoint')
  await page.getByRole('textbox', { name: 'Checkpoint name' }).fill('good')
  await userEvent.keyboard('{Enter}')
  await expect.element(chat.graph.getByRole('button', { name: 'Restore good', exact: true })).toBeVisible()
  await expectClear(expectAllIn)
})

test('a checkpoint is named beside its message, and its flag is brought into view', async () => {
  const chat = await openMap(openLine)
  const field = chat.graph.getByRole('textbox', { name: 'Checkpoint name' })
  const flag = (name: string) => chat.graph.getByRole('button', { name: `Restore ${name}`, exact: true })
  await focus(chat.here)
  for (const name of ['the end', 'the beginning']) {
    // when a message is given a checkpoint by key
    await userEvent.keyboard('c')
    await expect.element(field).toHaveFocus()
    await settled()
    const { pane, nodes } = look()
    expect(holds(pane, boxOf(field))).toBe(true)
    const from = boxOf(chat.graph.css('[role=treeitem][tabindex="0"]'))
    expect(Math.abs(boxOf(field).y - from.y)).toBeLessThan(80)
    expect(nodes).toHaveLength(40)
    await field.fill(name)
    await userEvent.keyboard('{Enter}')
    // then its flag is in view
    await expect.element(flag(name)).toBeInViewport({ ratio: 0.99 })
    await expectClear()
    await userEvent.keyboard('{Home}')
  }
  // when a message far away is given one in the thread
  await chat.said('(20)').hover()
  await chat.more(chat.said('(20)'), 'Checkpoint')
  await page.getByRole('textbox', { name: 'Checkpoint name' }).fill('far away')
  await userEvent.keyboard('{Enter}')
  await expect.element(flag('far away')).toBeInViewport({ ratio: 0.99 })
})

/** The parts of a message that its actions cover: the message itself, and the labels right below it. */
function coveredByToolbar(chat: ChatPage, name: RegExp): string[] {
  const [on, card] = [boxOf(chat.toolbar), boxOf(chat.node(name))]
  const below = { left: card.left, right: card.right, top: card.bottom, bottom: card.bottom + 8 }
  const labels = look().chips.filter(({ box }) => covers(box, below))
  return [{ name: 'the message', box: card }, ...labels]
    .filter(({ box }) => covers(on, box))
    .map(({ name }) => name)
}

test('the actions of a message cover neither its text nor its labels, in the order they have everywhere', async () => {
  const chat = await openMap(openSample)
  await fill()
  for (const name of [/^You: We have three days/, /^Assistant: For Pena/, /^Assistant: You are right/]) {
    await chat.node(name).getByRole('button').click()
    await expect.element(chat.toolbar).toBeVisible()
    await settled()
    // the bar of the message before stays until this one is selected, and moves with the view
    await expect.poll(() => coveredByToolbar(chat, name)).toEqual([])
    const actions = chat.toolbar.getByRole('button').elements()
    expect(actions.slice(0, 2).map(({ textContent }) => textContent)).toEqual(['Branch from here', 'Open'])
  }
})

test('the hint lies below the graph, and goes with the first use of it', async () => {
  const chat = await openSample()
  const hint = page.getByRole('note').filter({ hasText: 'Every message and every branch' })
  await expect.element(hint).toBeVisible()
  expect(boxOf(hint).y).toBeGreaterThanOrEqual(boxOf(chat.graph).bottom)
  // when a branch is picked by its label
  await chat.label('Main line').click()
  await chat.reads('main')
  await expectCount(hint, 0)
  await reload()
  await expect.element(chat.here).toBeVisible()
  await expectCount(hint, 0)
})

test('given the outline beside the thread, when the full window opens as a map, then all of it is in the pane', async () => {
  const chat = await openSample()
  await expect.element(chat.here).toBeVisible()
  await page.getByRole('button', { name: 'Full window', exact: true }).click()
  await expectHidden(css('article'))
  await expect.element(chat.label('Main line')).toBeVisible()
  const outside = () => {
    const { pane, chips, nodes } = look()
    return [...chips, ...nodes].filter(({ box }) => !holds(pane, box)).map(({ name }) => name)
  }
  await expect.poll(outside).toEqual([])
  // and as the pane changes
  await page.viewport(1200, 700)
  await expect.poll(outside).toEqual([])
})
