import type { Locator, Page } from '@playwright/test'
import type { ChatPage } from '../support/chat-page'
import { expect, test } from '../support/test'
import type { GivenChats } from './given-chats'
import { actions, openHands, type Runs } from './run-actions'

// A person without a mouse: every action by its key, else by the palette or a menu. The focus is never lost.

let page: Page
let chat: ChatPage
let given: GivenChats

const keysOf = (name: string) =>
  name
    .split(' ')
    .map((key) =>
      key.replace('Ctrl', 'Control').replace(/\+([A-Z])$/, (_, letter) => `+${letter.toLowerCase()}`),
    )

async function press(...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

const palette = () => page.getByRole('dialog', { name: 'Command palette' })

async function choose(label: string): Promise<void> {
  await press('Control+k')
  await expect(palette().getByRole('combobox')).toBeFocused()
  await page.keyboard.insertText(label)
  await expect(palette().getByRole('option', { name: label }).first()).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await press('Enter')
  await expect(palette()).toHaveCount(0)
}

/** The focus is on something that is seen. */
const expectFocus = () =>
  expect
    .poll(() =>
      page.evaluate(() => {
        const at = document.activeElement
        if (!at || at === document.body) return 'nowhere'
        return at.checkVisibility({ visibilityProperty: true })
          ? 'seen'
          : `hidden: ${at.outerHTML.slice(0, 200)}`
      }),
    )
    .toBe('seen')

/** A dialog opens, has the focus, and gives it back. */
const opens =
  (name: string | RegExp, role: 'dialog' | 'alertdialog' | 'menu' = 'dialog') =>
  async () => {
    const dialog = page.getByRole(role, { name })
    await expect(dialog).toBeVisible()
    await expect.poll(() => dialog.evaluate((node) => node.contains(document.activeElement))).toBe(true)
    await press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(page.locator('[data-stood]')).toBeFocused()
  }

/** A page opens, and the person comes back. */
const leadsTo = (path: string | RegExp) => async () => {
  await expect(page).toHaveURL(path)
  await expectFocus()
  await page.goBack()
  await expect(page).toHaveURL(/\/c\/[^/]*$/)
  await expect(chat.box).toBeVisible()
}

const focused = (locator: () => Locator) => () => expect(locator()).toBeFocused()
const on = (locator: () => Locator) => () => locator().focus()
const question = () => chat.said('what is 3+3')
const reply = () => chat.lastReply()
const reads = (branch: string) => () => chat.reads(branch)
const other = () => chat.row(/what is 2\+2/)
const named = (label: string) => () => choose(label)
async function chooseFrom(name: string) {
  await press('Shift+F10')
  const entry = page.getByRole('menu').getByRole('menuitem', { name, exact: true })
  await expect(entry).toBeVisible()
  for (let at = 0; at < 20 && !(await entry.evaluate((node) => node === document.activeElement)); at++)
    await press('ArrowDown')
  await press('Enter')
}
const item = (name: string | RegExp) => () => chat.node(name).first()

const thread: Runs = {
  'to messages': { sees: focused(reply) },
  'previous message': { given: on(reply), sees: focused(question) },
  'next message': { given: on(question), sees: focused(reply) },
  'message above': { given: on(reply), sees: focused(question) },
  'message below': { given: on(question), sees: focused(reply) },
  'next button': { given: on(reply), sees: focused(() => reply().getByRole('button', { name: 'Copy' })) },
  'leave buttons': { given: on(() => reply().getByRole('button', { name: 'Copy' })), sees: focused(reply) },
  'previous button': { given: on(reply), sees: () => expect(reply().locator('button:focus')).toHaveCount(1) },
  'write from message': { given: on(reply), sees: focused(() => chat.box) },
  'to box': { given: on(reply), sees: focused(() => chat.box) },
  'to graph': {
    given: on(reply),
    sees: () => expect(chat.graph.locator('[role=treeitem]:focus')).toHaveCount(1),
  },
  edit: {
    given: on(question),
    async sees() {
      await expect(page.getByRole('textbox', { name: 'Edit message' })).toBeFocused()
      await press('Escape')
      await expect(question()).toBeFocused()
    },
  },
  copy: {
    given: on(reply),
    sees: focused(reply),
  },
  'inspect prompt': { given: on(reply), sees: opens('Prompt') },
  'fan out': { given: on(reply), sees: opens('Ask several models') },
  'retry with': { given: on(reply), sees: opens(/.*/, 'menu') },
  share: { given: on(question), sees: opens('Share') },
  'share chat': { given: on(question), sees: opens('Share') },
  bisect: { given: on(reply), sees: opens('Find what made the difference') },
  replay: { given: on(reply), sees: opens('Ask everything again') },
  compact: { given: on(reply), sees: opens('Sum up and go on') },
  'cherry-pick': { given: on(reply), sees: opens('Bring single messages along') },
  export: { given: on(reply), sees: opens(/Export/) },
  print: { given: on(reply), sees: () => expect(page.locator('html')).toHaveAttribute('data-printed', '') },
  'all versions': {
    given: on(question),
    async sees() {
      await expect(page.getByRole('dialog', { name: /versions/i }).locator('[aria-current]')).toBeFocused()
      await press('Escape')
      await expect(question().getByRole('button', { name: /Show all versions$/ })).toBeFocused()
    },
  },
  'previous version': { given: on(question), sees: reads('main-v2') },
  'next version': { given: on(() => chat.said('what is 2+2')), sees: reads('main') },
  checkpoint: {
    given: on(question),
    async sees() {
      await expect(page.getByRole('dialog', { name: 'Save a checkpoint' }).getByRole('textbox')).toBeFocused()
      await page.keyboard.insertText('good')
      await press('Enter')
      await expect(chat.graph.getByRole('button', { name: 'Restore good' })).toBeVisible()
      await expect(question()).toBeFocused()
    },
  },
}

const whole: Runs = {
  search: { given: on(reply), sees: opens('Search') },
  help: { given: on(reply), sees: opens('Keys') },
  palette: { given: on(reply), sees: opens('Command palette') },
  sidebar: {
    given: on(reply),
    async sees() {
      await expect(page.getByRole('complementary', { name: 'Chats' })).toHaveCount(0)
      await expectFocus()
      await choose('Show or hide the sidebar')
      await expect(page.getByRole('complementary', { name: 'Chats' })).toBeVisible()
    },
  },
  dark: { given: on(reply), sees: () => expect(page.locator('html')).toHaveAttribute('data-theme', 'dark') },
  light: {
    given: on(reply),
    sees: () => expect(page.locator('html')).toHaveAttribute('data-theme', 'light'),
  },
  system: {
    given: on(reply),
    sees: () => expect(page.locator('html')).toHaveAttribute('data-theme', 'light'),
  },
  account: { given: on(reply), sees: leadsTo(/settings\/account/) },
  models: { sees: leadsTo(/settings\/models/) },
  tools: { sees: leadsTo(/settings\/tools/) },
  usage: { sees: leadsTo(/settings\/usage/) },
  import: { sees: leadsTo(/settings\/data/) },
  appearance: { sees: leadsTo(/settings\/appearance/) },
  'compare branches': { given: on(reply), sees: leadsTo(/\/compare/) },
  'rename chat': {
    given: on(reply),
    async sees() {
      await expect(page.getByRole('textbox', { name: /title|name/i })).toBeFocused()
      await press('Escape')
      await expectFocus()
    },
  },
  'tag chat': { given: on(reply), sees: opens(/tags/i) },
  'pin chat': { given: on(reply), sees: () => expect(page.getByText('Pinned').first()).toBeVisible() },
  'archive chat': {
    given: on(reply),
    async sees() {
      await expect(page.getByText('Archived', { exact: true })).toBeVisible()
      await expectFocus()
      await choose('Archive or unarchive the chat')
      await expect(page.getByText('Archived', { exact: true })).toHaveCount(0)
    },
  },
  'open origin': {
    given: on(reply),
    async by() {
      const opened = page.waitForEvent('popup')
      await choose('Open where it was imported from')
      await (await opened).close()
    },
    sees: expectFocus,
  },
  'delete chat': { given: on(reply), sees: opens(/delete/i, 'alertdialog') },
  'select chats': {
    given: on(() => page.locator('[data-chat] a').first()),
    async by() {
      await press('ArrowRight', 'Enter')
      const menu = page.getByRole('menu')
      await expect(menu).toBeVisible()
      await page.keyboard.type('Sel')
      await expect(menu.getByRole('menuitem', { name: 'Select chats' })).toBeFocused()
      await press('Enter')
    },
    async sees() {
      await expect(page.getByText(/1 selected/)).toBeVisible()
      await expectFocus()
      await press('Escape')
      await expect(page.getByText(/1 selected/)).toHaveCount(0)
    },
  },
  context: {
    given: on(reply),
    async sees() {
      const panel = page.getByRole('region', { name: 'Instructions' })
      await expect(panel).toBeVisible()
      await expectFocus()
      await press('x')
      await expect(panel).toHaveCount(0)
    },
  },
}

const graph: Runs = {
  graph: {
    given: on(reply),
    async sees() {
      await expect(chat.graph).toBeHidden()
      await expectFocus()
      // the second of two quick presses would fill the window
      await press('Shift', 'g')
      await expect(chat.graph).toBeVisible()
    },
  },
  'graph full': {
    async given() {
      await reply().focus()
      // else its first press would be the second of a pair
      await press('Shift')
    },
    sees: () => expect(chat.box).toBeHidden(),
  },
  'leave full window': { sees: () => expect(chat.box).toBeVisible() },
  'graph layout': {
    given: on(reply),
    sees: () => expect(chat.graph.getByRole('radio', { name: 'Map' })).toBeChecked(),
  },
}

const inMap: Runs = {
  head: { given: on(item(/Tell me about Lisbon/)), sees: focused(item(/That is 6/)) },
  first: { given: on(item(/That is 6/)), sees: focused(item(/Tell me about Lisbon/)) },
  below: { given: on(item(/Tell me about Lisbon/)), sees: focused(item(/Lisbon is worth/)) },
  above: { given: on(item(/Lisbon is worth/)), sees: focused(item(/Tell me about Lisbon/)) },
  'previous in graph': { given: on(item(/what is 3\+3/)), sees: focused(item(/what is 2\+2/)) },
  'next in graph': { given: on(item(/what is 2\+2/)), sees: focused(item(/what is 3\+3/)) },
  'zoom in': { given: on(item(/what is 3\+3/)), sees: focused(item(/what is 3\+3/)) },
  'zoom out': { given: on(item(/what is 3\+3/)), sees: focused(item(/what is 3\+3/)) },
  fit: { given: on(item(/what is 3\+3/)), sees: focused(item(/what is 3\+3/)) },
  pick: {
    given: on(item(/what is 2\+2/)),
    sees: async () => {
      await expect(chat.graph.getByText(/Pick another/).first()).toBeVisible()
    },
  },
  leave: {
    given: on(item(/what is 2\+2/)),
    sees: () => expect(chat.graph.getByText(/Pick another/)).toHaveCount(0),
  },
  compare: { given: on(item(/what is 2\+2/)), sees: leadsTo(/\/compare/) },
  open: { given: on(item(/what is 3\+3/)), sees: expectFocus },
  find: {
    given: on(item(/what is 3\+3/)),
    async sees() {
      await expect(chat.graph.getByRole('searchbox')).toBeFocused()
      await press('Escape')
      await expectFocus()
    },
  },
  'show head': { given: on(item(/Tell me about Lisbon/)), sees: expectFocus },
  'fold all': { given: on(item(/what is 3\+3/)), sees: expectFocus },
  unfold: {
    given: on(() => chat.graph.locator('[role=treeitem][data-item^=fold]').first()),
    sees: expectFocus,
  },
  fold: { given: on(item(/Sintra is worth/)), sees: expectFocus },
  'save svg': {
    given: on(reply),
    sees: expectFocus,
    async by() {
      const saved = page.waitForEvent('download')
      await choose('Save as SVG')
      expect((await saved).suggestedFilename()).toMatch(/\.svg$/)
    },
  },
  'save png': {
    given: on(reply),
    sees: expectFocus,
    async by() {
      const saved = page.waitForEvent('download')
      await choose('Save as PNG')
      expect((await saved).suggestedFilename()).toMatch(/\.png$/)
    },
  },
}

const inOutline: Runs = {
  'row above': { given: on(item(/That is 6/)), sees: focused(item(/what is 3\+3/)) },
  'row below': { given: on(item(/what is 3\+3/)), sees: focused(item(/That is 6/)) },
  'open row': { given: on(other), sees: () => expect(other()).toHaveAttribute('aria-expanded', 'true') },
  'row within': { given: on(other), sees: focused(item(/You: what is 2\+2/)) },
  'row around': { given: on(item(/You: what is 2\+2/)), sees: focused(other) },
  'close row': { given: on(other), sees: () => expect(other()).toHaveAttribute('aria-expanded', 'false') },
}

const branches: Runs = {
  merge: {
    async given() {
      await reply().focus()
      await press('l')
      await expect(chat.graph.getByRole('radio', { name: 'Outline' })).toBeChecked()
    },
    by: named('Merge Main line into…'),
    sees: opens('Merge'),
  },
  'compact branch': {
    given: on(reply),
    by: named('Sum up Main line and go on…'),
    sees: opens('Sum up and go on'),
  },
  'replay branch': {
    given: on(reply),
    by: named('Ask everything on Main line again…'),
    sees: opens('Ask everything again'),
  },
  'share branch': { given: on(reply), by: named('Share Main line…'), sees: opens('Share') },
  rename: {
    given: on(item(/That is 6/)),
    async sees() {
      await expect(page.getByRole('textbox', { name: 'Branch name' })).toBeFocused()
      await page.keyboard.insertText('sums')
      await press('Enter')
      await expect(chat.branch()).toContainText('sums')
    },
  },
  archive: {
    given: on(other),
    by: () => chooseFrom('Archive'),
    sees: () => expect(other()).toHaveCount(0),
  },
  unarchive: {
    given: on(() => chat.graph.getByRole('button', { name: 'Branches' })),
    async by() {
      await press('Enter')
      const button = page.getByRole('button', { name: /^Unarchive/ })
      await expect(page.getByRole('dialog', { name: 'Branches' })).toBeVisible()
      for (let at = 0; at < 12 && !(await button.evaluate((node) => node === document.activeElement)); at++)
        await press('Tab')
      await press('Enter')
    },
    async sees() {
      await expect(page.getByRole('button', { name: /^Unarchive/ })).toHaveCount(0)
      await expectFocus()
      await press('Escape')
      await expect(chat.graph.getByRole('button', { name: 'Branches' })).toBeFocused()
    },
  },
  restore: { given: on(item(/That is 6/)), sees: reads('sums-v2') },
  undo: { given: on(() => chat.messages.last()), sees: reads('sums') },
  redo: { given: on(() => chat.messages.last()), sees: reads('sums-v2') },
  'remove checkpoint': {
    given: on(() => chat.messages.last()),
    by: () => choose('Remove this checkpoint: good'),
    sees: () => expect(chat.graph.getByRole('button', { name: 'Restore good' })).toHaveCount(0),
  },
  'to note': {
    given: on(() => chat.messages.last()),
    sees: focused(() => page.getByRole('button', { name: 'Undo', exact: true })),
  },
  switch: {
    given: on(reply),
    by: () => choose('Switch to what is 2+2'),
    sees: reads('main-v2'),
  },
  branch: {
    given: on(() => chat.messages.nth(1)),
    async sees() {
      await expect(chat.messages).toHaveCount(2)
      await expect(chat.box).toBeFocused()
    },
  },
  history: {
    given: on(() => chat.messages.last()),
    sees: focused(() => page.getByRole('slider', { name: 'History' })),
  },
  now: {
    async given() {
      // one move is what it says before the history is read
      await expect(page.getByRole('slider', { name: 'History' })).not.toHaveAttribute('aria-valuemax', '1')
      await press('ArrowLeft')
    },
    async by() {
      await expect(page.getByRole('button', { name: 'Return to now' })).toBeVisible()
      for (let at = 0; at < 6; at++) {
        if (
          await page
            .getByRole('button', { name: 'Return to now' })
            .evaluate((node) => node === document.activeElement)
        )
          break
        await press('Tab')
      }
      await press('Enter')
    },
    sees: focused(() => page.getByRole('slider', { name: 'History' })),
  },
  'close history': { sees: () => expect(page.getByRole('region', { name: 'History' })).toHaveCount(0) },
  retry: {
    async given() {
      await choose('Switch to what is 2+2')
      await chat.reads('main-v2')
      await reply().focus()
    },
    async sees() {
      await expect(page).not.toHaveURL(/main-v2$/)
      await chat.settled()
    },
  },
}

const elsewhere: Runs = {
  steer: {
    async given() {
      await choose('what is 5+5')
      await expect(page).toHaveURL(new RegExp(given.agent))
      await chat.messages.first().focus()
    },
    async sees() {
      const dialog = page.getByRole('dialog', { name: 'Steer the agent here' })
      await expect(dialog.getByRole('textbox')).toBeFocused()
      await press('Control+Enter')
      await expect(dialog).toHaveCount(0)
      await expect(page.getByRole('region', { name: 'Agent', exact: true })).toContainText(
        'goes on from here',
      )
    },
  },
  'stop steering': {
    given: on(() => chat.messages.last()),
    sees: () => expect(page.getByText('goes on from here')).toHaveCount(0),
  },
  select: {
    given: on(item(/5\+5/)),
    sees: () => expect(chat.graph.locator('[aria-selected=true]')).toHaveCount(1),
  },
  new: { sees: focused(() => chat.box) },
  sample: { sees: () => expect(page.getByRole('region', { name: 'Tour' })).toBeVisible() },
}

const runs: Runs = { ...thread, ...inOutline, ...whole, ...graph, ...inMap, ...branches, ...elsewhere }

test('by keyboard alone', async ({ browser, baseURL }) => {
  const hands = await openHands(browser, baseURL ? { baseURL } : {})
  page = hands.page
  chat = hands.chat
  given = hands.given
  await hands.doAll(runs, async (id, run) => {
    await run.given?.()
    await page.evaluate(() => {
      for (const each of document.querySelectorAll('[data-stood]')) each.removeAttribute('data-stood')
      document.activeElement?.setAttribute('data-stood', '')
    })
    const { keys, label = id } = actions.get(id) ?? {}
    if (run.by) await run.by()
    else if (keys?.[0]) await press(...keysOf(keys[0]))
    else await choose(label)
    await run.sees()
    await expectFocus()
  })
})
