import type { Page } from '@playwright/test'
import type { ChatPage } from '../support/chat-page'
import { seedBranches, seedLine } from '../support/map-chats'
import { openSample, storedOnce } from '../support/openings'
import { expectAccessible, phone, picture, picturesAreTaken } from '../support/screens'
import { expect, test } from '../support/test'

/** What lies on the map, in px of the window. */
interface Seen {
  pane: Box
  chips: { name: string; box: Box; cut: boolean; isHere: boolean }[]
  nodes: { name: string; box: Box; isHere: boolean }[]
  /** the sizes of letters on the screen */
  letters: { words: string; size: number }[]
}

interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

const look = (page: Page): Promise<Seen> =>
  page.evaluate(() => {
    const boxOf = (element: Element) => {
      const { left, top, right, bottom } = element.getBoundingClientRect()
      return { left, top, right, bottom }
    }
    const graph = document.querySelector('.react-flow')
    if (!graph) throw new Error('The map is not on the page')
    const all = (selector: string) => [...graph.querySelectorAll<HTMLElement>(selector)]
    const sizeOf = (element: HTMLElement) =>
      (Number.parseFloat(getComputedStyle(element).fontSize) * element.getBoundingClientRect().height) /
      element.offsetHeight
    const chips = all('[data-branch], [data-checkpoint]')
    const texts = all('[role=treeitem] > [aria-hidden]').filter((each) => each.innerText.trim() !== '')
    return {
      pane: boxOf(graph),
      chips: chips.map((chip) => ({
        name: chip.innerText,
        box: boxOf(chip),
        isHere: chip.getAttribute('aria-description') === 'You are here',
        cut: [...chip.querySelectorAll('span')].some(
          (words) => words.scrollWidth > words.clientWidth + 1 || words.scrollHeight > words.clientHeight + 1,
        ),
      })),
      nodes: all('[role=treeitem]').map((node) => ({
        name: node.getAttribute('aria-label') ?? '',
        box: boxOf(node),
        isHere: node.getAttribute('aria-current') === 'true',
      })),
      letters: [...chips, ...texts.map((text) => text.querySelector('span') ?? text)].map((text) => ({
        words: text.innerText,
        size: sizeOf(text),
      })),
    }
  })

const covers = (a: Box, b: Box): boolean =>
  Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5 &&
  Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.5

const holds = (pane: Box, box: Box): boolean =>
  box.left >= pane.left && box.right <= pane.right && box.top >= pane.top && box.bottom <= pane.bottom

/** No label lies on another or on a message, or is cut; letters can be read; and what else has to hold of it. */
async function expectClear(page: Page, also: (seen: Seen) => void = () => undefined): Promise<Seen> {
  let seen: Seen | undefined
  // labels are placed, and messages drawn anew, with the frames after a move
  await expect(async () => {
    seen = await look(page)
    const { chips, nodes, letters } = seen
    const covered = chips.flatMap((chip, at) =>
      [...nodes, ...chips.slice(at + 1)]
        .filter(({ box }) => covers(chip.box, box))
        .map(({ name }) => `${chip.name} on ${name}`),
    )
    expect(covered).toEqual([])
    expect(chips.filter(({ cut }) => cut).map(({ name }) => name)).toEqual([])
    expect(letters.filter(({ size }) => size < 11.95)).toEqual([])
    also(seen)
  }).toPass({ timeout: 10_000, intervals: [50, 100] })
  await settled(page)
  if (!seen) throw new Error('The map was not seen')
  return seen
}

/** The view has come to rest. */
async function settled(page: Page): Promise<void> {
  const view = () => page.locator('.react-flow__viewport').first().getAttribute('style')
  let before = await view()
  await expect
    .poll(
      async () => {
        const same = before === (await view())
        before = await view()
        return same
      },
      { intervals: [50] },
    )
    .toBe(true)
}

/** The head being read and its label are in the pane. */
function expectHere({ pane, nodes, chips }: Seen): void {
  const here = nodes.find(({ isHere }) => isHere)
  expect(here && covers(pane, here.box)).toBe(true)
  const label = chips.find(({ isHere }) => isHere)
  expect(label && holds(pane, label.box), `${label?.name} in the pane`).toBe(true)
}

// nothing is caught on its way
test.use({ contextOptions: { reducedMotion: 'reduce' } })

const storeLine = storedOnce(seedLine)
const storeBranches = storedOnce(seedBranches)

const chats: Record<string, { open(chat: ChatPage): Promise<string>; branches: number }> = {
  sample: { open: openSample, branches: 4 },
  line: { open: async (chat) => `/c/${await storeLine(chat)}`, branches: 1 },
  branches: { open: async (chat) => `/c/${await storeBranches(chat)}?branch=main`, branches: 11 },
}

/** The graph fills the window. */
async function fill(page: Page): Promise<void> {
  // two presses too far apart hide the graph and show it again
  await expect(async () => {
    if (await page.getByRole('article').first().isVisible()) {
      await page.keyboard.press('Escape')
      await page.keyboard.press('g')
      await page.keyboard.press('g')
    }
    await expect(page.getByRole('article').first()).toBeHidden({ timeout: 1_000 })
  }).toPass()
}

async function pictures(page: Page, name: string): Promise<void> {
  if (!picturesAreTaken) return
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    await page.waitForFunction(() => !document.getAnimations().some((each) => each instanceof CSSTransition))
    await picture(page, `map-${name}-${colorScheme}`)
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
}

for (const [name, { open, branches }] of Object.entries(chats)) {
  test(`the labels of the ${name} are whole, docked and in the full window`, async ({ chat, page }) => {
    await chat.open(await open(chat))
    await chat.draw('Map')
    await expect(chat.here).toBeVisible()
    await expectClear(page, expectHere)
    await pictures(page, `${name}-docked`)
    // when the graph fills the window
    await fill(page)
    await expectClear(page, expectHere)
    await expectAccessible(page)
    await pictures(page, `${name}-full`)
    // then Fit shows every branch's label
    await chat.graph.getByRole('button', { name: 'Fit graph' }).click()
    const fitted = await expectClear(page, expectAllIn)
    expect(fitted.chips.length).toBeGreaterThanOrEqual(branches)
    await pictures(page, `${name}-fit`)
    // and at every zoom
    for (let step = 0; step < 8; step++) {
      await chat.graph.getByRole('button', { name: 'Zoom out' }).click()
      const seen = await expectClear(page)
      expect(seen.chips.length).toBe(fitted.chips.length)
    }
    await pictures(page, `${name}-far`)
  })
}

test.describe('on a phone', () => {
  test.use(phone)
  for (const [name, { open }] of Object.entries(chats)) {
    test(`the labels of the ${name} are whole`, async ({ chat, page }) => {
      await chat.open(await open(chat))
      await page.getByRole('tab', { name: 'Graph' }).tap()
      await chat.draw('Map')
      await expect(chat.here).toBeVisible()
      await expectClear(page, expectHere)
      await pictures(page, `${name}-phone`)
      await chat.graph.getByRole('button', { name: 'Fit graph' }).tap()
      await expectClear(page)
      await pictures(page, `${name}-phone-fit`)
    })
  }
})

test('a map is laid out again when the graph is docked, and when the window is resized', async ({
  chat,
  page,
}) => {
  await chat.open(await openSample(chat))
  await chat.draw('Map')
  await fill(page)
  const { pane } = await expectClear(page, expectAllIn)
  // when the full window is left
  await chat.graph.getByRole('button', { name: 'Leave full window' }).click()
  await expect(page.getByRole('article').first()).toBeVisible()
  const docked = await expectClear(page, expectHere)
  expect(docked.pane.right - docked.pane.left).toBeLessThan(pane.right - pane.left)
  // and when the window becomes smaller, and larger again
  for (const size of [
    { width: 1280, height: 760 },
    { width: 1720, height: 1000 },
  ]) {
    await page.setViewportSize(size)
    await expectClear(page, expectHere)
  }
  // a view that the reader has chosen is kept
  await chat.graph.getByRole('button', { name: /^Zoom to 100 %/ }).click()
  await settled(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await settled(page)
  await expect(chat.graph.getByRole('button', { name: 'Zoom to 100 %, now 100 %' })).toBeVisible()
  await expect(chat.here).toBeInViewport()
})

/** The whole drawing is in the pane. */
function expectAllIn(seen: Seen): void {
  const all = [...seen.nodes, ...seen.chips]
  expect(all.filter(({ box }) => !holds(seen.pane, box)).map(({ name }) => name)).toEqual([])
}

test('a checkpoint is named beside its message, and its flag is brought into view', async ({
  chat,
  page,
}) => {
  await chat.open(`/c/${await seedLine(chat)}`)
  await chat.draw('Map')
  await chat.here.focus()
  for (const name of ['the end', 'the beginning']) {
    // when a message is given a checkpoint by key
    await page.keyboard.press('c')
    const field = chat.graph.getByRole('textbox', { name: 'Checkpoint name' })
    await expect(field).toBeFocused()
    await settled(page)
    const { pane, nodes } = await look(page)
    const box = await field.boundingBox()
    if (!box) throw new Error('The field is not drawn')
    expect(
      holds(pane, { left: box.x, top: box.y, right: box.x + box.width, bottom: box.y + box.height }),
    ).toBe(true)
    const from = await chat.graph.locator('[role=treeitem][tabindex="0"]').boundingBox()
    expect(Math.abs(box.y - (from?.y ?? 0))).toBeLessThan(80)
    expect(nodes.length).toBe(40)
    await field.fill(name)
    await page.keyboard.press('Enter')
    // then its flag is in view
    const flag = chat.graph.getByRole('button', { name: `Restore ${name}`, exact: true })
    await expect(flag).toBeInViewport({ ratio: 0.99 })
    await expectClear(page)
    await page.keyboard.press('Home')
  }
  // when a message far away is given one in the thread
  await chat.said('(20)').hover()
  await chat.said('(20)').getByRole('button', { name: 'Checkpoint here' }).click()
  await page.getByRole('textbox', { name: 'Checkpoint name' }).fill('far away')
  await page.keyboard.press('Enter')
  await expect(chat.graph.getByRole('button', { name: 'Restore far away' })).toBeInViewport({ ratio: 0.99 })
})

/** What the actions of a message cover of it: the message itself, and the labels that stand right below it. */
async function coveredByToolbar(chat: ChatPage, page: Page, name: RegExp): Promise<string[]> {
  await settled(page)
  const [bar, node] = [await chat.toolbar.boundingBox(), await chat.node(name).boundingBox()]
  if (!bar || !node) throw new Error('The message is not drawn')
  const boxOf = ({ x, y, width, height }: typeof bar): Box => ({
    ...{ left: x, top: y, right: x + width, bottom: y + height },
  })
  const [on, card] = [boxOf(bar), boxOf(node)]
  const below = { ...card, top: card.bottom, bottom: card.bottom + 8 }
  const labels = (await look(page)).chips.filter(({ box }) => covers(box, below))
  return [{ name: 'the message', box: card }, ...labels]
    .filter(({ box }) => covers(on, box))
    .map(({ name }) => name)
}

test('the actions of a message cover neither its text nor its labels, in the order they have everywhere', async ({
  chat,
  page,
}) => {
  await chat.open(await openSample(chat))
  await fill(page)
  for (const name of [
    /^You: We have three days/,
    /^For Pena|^Assistant: For Pena/,
    /^Assistant: You are right/,
  ]) {
    await chat.node(name).getByRole('button').click()
    await expect(chat.toolbar).toBeVisible()
    // the bar of the message before stays until this one is selected, and moves with the view
    await expect.poll(() => coveredByToolbar(chat, page, name)).toEqual([])
    const actions = await chat.toolbar.getByRole('button').allInnerTexts()
    expect(actions.slice(0, 2)).toEqual(['Branch from here', 'Open'])
  }
})

test('the hint lies below the graph, and goes with the first use of it', async ({ chat, page }) => {
  await chat.open(await openSample(chat))
  const hint = page.getByRole('note').filter({ hasText: 'as a map' })
  await expect(hint).toBeVisible()
  const graph = await chat.graph.boundingBox()
  if (!graph) throw new Error('The graph is not drawn')
  expect((await hint.boundingBox())?.y).toBeGreaterThanOrEqual(graph.y + graph.height)
  // when a branch is picked by its label
  await chat.label('main').click()
  await chat.reads('main')
  await expect(hint).toHaveCount(0)
  await chat.reload()
  await expect(chat.here).toBeVisible()
  await expect(hint).toHaveCount(0)
})
