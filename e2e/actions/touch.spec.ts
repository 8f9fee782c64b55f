import type { Locator, Page } from '@playwright/test'
import type { ChatPage } from '../support/chat-page'
import { phone } from '../support/screens'
import { expect, test } from '../support/test'
import type { GivenChats } from './given-chats'
import { openHands, type Run, type Runs } from './run-actions'

// A person with a finger and nothing else, on a phone: every action by taps and long touches. No ring is drawn where one tapped.

let page: Page
let chat: ChatPage
let given: GivenChats

/** Taps a target, which is about as large as a finger. */
async function tap(target: Locator): Promise<void> {
  await target.scrollIntoViewIfNeeded()
  const { width = 0, height = 0 } = (await target.boundingBox()) ?? {}
  expect(Math.min(width, height), `the size of ${target}`).toBeGreaterThanOrEqual(40)
  await target.tap()
}

/** A message is tapped where its words are: below them its buttons are shown then. */
const touch = (message: Locator) => message.tap({ position: { x: 30, y: 12 } })

/** A finger rests on a target until `shown` is there. */
async function hold(target: Locator, shown: Locator): Promise<void> {
  await target.scrollIntoViewIfNeeded()
  const box = await target.boundingBox()
  if (!box) throw new Error('It is not there')
  const at = { x: box.x + Math.min(box.width / 2, 80), y: box.y + box.height / 2 }
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] })
  await expect(shown).toBeVisible()
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await devtools.detach()
}

const button = (name: string | RegExp, within: Page | Locator = page) =>
  within.getByRole('button', { name, exact: typeof name === 'string' }).first()
const entry = (name: string | RegExp, role: 'menuitem' | 'menuitemradio' = 'menuitem') =>
  page.getByRole('menu').getByRole(role, { name, exact: true }).first()
const tab = (name: string) => page.getByRole('tab', { name })
const question = () => chat.said('what is 3+3')
const reply = () => chat.lastReply()
const chats = () => page.getByRole('dialog', { name: 'Chats' })
const bar = () => chat.toolbar

const thread = async () => {
  if ((await tab('Thread').getAttribute('aria-selected')) !== 'true') await tap(tab('Thread'))
}
const graphTab = async () => {
  if ((await tab('Graph').getAttribute('aria-selected')) !== 'true') await tap(tab('Graph'))
  await expect(chat.graph).toBeVisible()
}
const sidebar = () => tap(button('Open sidebar'))

const onMessage = (message: () => Locator, name: string) => async () => {
  await thread()
  await touch(message())
  await tap(button(name, message()))
}
const ofMessage =
  (message: () => Locator, item: string, menu = 'More actions') =>
  async () => {
    await onMessage(message, menu)()
    await tap(entry(item))
  }
const ofChat = (item: string | RegExp) => async () => {
  await tap(button('More about this chat'))
  await tap(entry(item))
}
const ofTitle = (item: string | RegExp) => async () => {
  await tap(page.locator('[data-chat-title]'))
  await tap(entry(item))
}
const ofAccount = (item: string, role?: 'menuitemradio') => async () => {
  await sidebar()
  await tap(button(/^Account:/))
  await tap(entry(item, role))
}
const choose = (label: string) => async () => {
  await ofAccount('Command palette')()
  const dialog = page.getByRole('dialog', { name: 'Command palette' })
  await tap(dialog.getByRole('combobox'))
  await page.keyboard.insertText(label)
  await tap(dialog.getByRole('option', { name: label }).first())
  await expect(dialog).toHaveCount(0)
}
const node = (name: string | RegExp) => chat.node(name).first()
const onNode = (name: string | RegExp, action: string | RegExp) => async () => {
  await graphTab()
  await tap(node(name))
  await tap(bar().getByRole('button', { name: action, exact: true }))
}
const other = () => chat.row(/what is 2\+2/)
const ofBranch = (item: string) => async () => {
  await graphTab()
  await hold(other(), page.getByRole('menu'))
  await tap(entry(item))
}
const ofGraph = (item: string | RegExp) => async () => {
  await graphTab()
  await tap(button('More about the graph', chat.graph))
  await tap(entry(item))
}

/** A dialog opens, and a tap on its button closes it. */
const opens =
  (name: string | RegExp, role: 'dialog' | 'alertdialog' = 'dialog') =>
  async () => {
    const dialog = page.getByRole(role, { name })
    await tap(button(/^(Close|Cancel|Keep)/, dialog))
    await expect(dialog).toHaveCount(0)
  }
/** A panel opens that a tap beside it closes. */
const opensOver = (name: string | RegExp) => async () => {
  const panel = page.getByRole('dialog', { name })
  await expect(panel).toBeVisible()
  await page.touchscreen.tap(300, 20)
  await expect(panel).toHaveCount(0)
}
const leadsTo = (path: RegExp) => async () => {
  await expect(page).toHaveURL(path)
  await page.goBack()
  await expect(page).toHaveURL(/\/c\/[^/]*$/)
  await expect(tab('Thread')).toBeVisible()
}
const reads = (branch: string) => () => chat.reads(branch)
const shows = (locator: () => Locator) => () => expect(locator()).toBeVisible()
const gone = (locator: () => Locator) => () => expect(locator()).toHaveCount(0)

const tapped: Run = {
  by: async () => {
    await thread()
    await touch(question())
  },
  sees: shows(() => button('Edit', question())),
}
const selected: Run = {
  by: async () => {
    await graphTab()
    await tap(node(/That is 6/))
  },
  async sees() {
    await expect(bar()).toBeVisible()
    await tap(button('Close', chat.graph))
    await expect(bar()).toHaveCount(0)
  },
}

const runs: Runs = {
  'next message, previous message, message above, message below, next button, previous button, leave buttons, to messages':
    tapped,
  'to box, write from message': { by: () => tap(chat.box), sees: () => expect(chat.box).toBeFocused() },
  copy: { by: onMessage(reply, 'Copy'), sees: shows(reply) },
  edit: {
    by: onMessage(question, 'Edit'),
    async sees() {
      await expect(page.getByRole('textbox', { name: 'Edit message' })).toBeFocused()
      await tap(button('Cancel'))
      await expect(question()).toBeVisible()
    },
  },
  'inspect prompt': { by: ofMessage(reply, 'Inspect prompt'), sees: opens('Prompt') },
  'fan out': { by: ofMessage(reply, 'Ask several models…', 'Try again'), sees: opens('Ask several models') },
  share: { by: ofMessage(question, 'Share up to here…'), sees: opens('Share') },
  'share chat': { by: () => tap(button('Share')), sees: opens('Share') },
  bisect: {
    by: ofMessage(reply, 'Find what made the difference…'),
    sees: opens('Find what made the difference'),
  },
  replay: { by: ofMessage(reply, 'Ask everything again…'), sees: opens('Ask everything again') },
  compact: { by: ofMessage(reply, 'Sum up and go on…'), sees: opens('Sum up and go on') },
  'cherry-pick': {
    by: ofMessage(reply, 'Bring single messages along…'),
    sees: opens('Bring single messages along'),
  },
  'all versions': {
    by: async () => {
      await thread()
      await tap(button(/Show all versions$/))
    },
    sees: opensOver(/versions/i),
  },
  'previous version': { by: () => tap(button('Previous version')), sees: reads('main-v2') },
  'next version': { by: () => tap(button('Next version')), sees: reads('main') },
  checkpoint: {
    by: ofMessage(question, 'Checkpoint'),
    async sees() {
      const naming = page.getByRole('dialog', { name: 'Save a checkpoint' })
      await tap(naming.getByRole('textbox'))
      await naming.getByRole('textbox').fill('good')
      await tap(button('Save', naming))
      await expect(naming).toHaveCount(0)
    },
  },
  'retry with': {
    by: ofMessage(reply, 'Ask another model', 'Try again'),
    async sees() {
      await expect(page.getByRole('menu')).toBeVisible()
      // where nothing is
      await page.touchscreen.tap(300, 200)
      await expect(page.getByRole('menu')).toHaveCount(0)
    },
  },
  export: { by: ofChat('Export…'), sees: opens(/Export/) },
  print: {
    by: ofChat('Print'),
    sees: () => expect(page.locator('html')).toHaveAttribute('data-printed', ''),
  },
  'compare branches': { by: ofChat('Compare'), sees: leadsTo(/\/compare/) },
  merge: { by: ofChat('Merge into…'), sees: opens('Merge') },
  context: { by: ofChat('Instructions'), sees: opens('Instructions') },
  history: { by: ofChat('History'), sees: shows(() => page.getByRole('region', { name: 'History' })) },
  now: {
    by: async () => {
      await tap(button('Previous movement'))
      await tap(button('Return to now'))
    },
    sees: gone(() => button('Return to now')),
  },
  'close history': {
    by: () => tap(button('Close history')),
    sees: gone(() => page.getByRole('region', { name: 'History' })),
  },
  // the branch
  'graph, graph full, to graph': { by: graphTab, sees: shows(() => chat.graph) },
  'leave full window': { by: thread, sees: shows(() => chat.box) },
  'row above, row below, above, below, first, head, select, leave, row within, row around': selected,
  'open row': {
    by: async () => {
      await graphTab()
      await tap(other())
    },
    sees: () => expect(other()).toHaveAttribute('aria-expanded', 'true'),
  },
  'close row': {
    by: () => tap(other()),
    sees: () => expect(other()).toHaveAttribute('aria-expanded', 'false'),
  },
  open: { by: onNode(/what is 3\+3/, 'Open'), sees: shows(question) },
  pick: {
    by: onNode(/what is 3\+3/, 'Pick for comparing'),
    sees: shows(() => chat.graph.getByText(/Pick another/)),
  },
  'previous in graph, next in graph, compare': {
    by: async () => {
      await tap(other())
      await onNode(/You: what is 2\+2/, /^Compare with/)()
    },
    sees: leadsTo(/\/compare/),
  },
  fold: {
    by: onNode(/Sintra is worth/, 'Fold this stretch'),
    sees: shows(() => chat.graph.locator('[role=treeitem][data-item^=fold]').first()),
  },
  unfold: {
    by: () => tap(chat.graph.locator('[role=treeitem][data-item^=fold]').first()),
    sees: gone(() => chat.graph.locator('[role=treeitem][data-item^=fold]')),
  },
  'fold all': { by: ofGraph('Fold long stretches'), sees: () => ofGraph('Show every message')() },
  'show head': { by: ofGraph('Go to where you are'), sees: shows(() => node(/That is 6/)) },
  find: {
    by: async () => {
      await graphTab()
      await tap(button('Find in graph', chat.graph))
    },
    async sees() {
      await expect(chat.graph.getByRole('searchbox')).toBeFocused()
      await tap(button('Close', chat.graph.getByRole('search')))
      await expect(chat.graph.getByRole('searchbox')).toHaveCount(0)
    },
  },
  'save svg': {
    by: async () => {
      const saved = page.waitForEvent('download')
      await ofGraph('Save as SVG')()
      await saved
    },
    sees: shows(() => chat.graph),
  },
  'save png': {
    by: async () => {
      const saved = page.waitForEvent('download')
      await ofGraph('Save as PNG')()
      await saved
    },
    sees: shows(() => chat.graph),
  },
  'graph layout': {
    by: async () => {
      await graphTab()
      await tap(chat.graph.getByRole('radio', { name: 'Map' }))
    },
    sees: () => expect(chat.graph.getByRole('radio', { name: 'Map' })).toBeChecked(),
  },
  fit: { by: () => tap(button('Fit graph', chat.graph)), sees: shows(() => chat.graph) },
  'zoom in': { by: choose('Zoom in'), sees: shows(() => chat.graph) },
  'zoom out': {
    by: choose('Zoom out'),
    async sees() {
      await tap(chat.graph.getByRole('radio', { name: 'Outline' }))
    },
  },
  'compact branch': { by: ofBranch('Sum up and go on…'), sees: opens('Sum up and go on') },
  'replay branch': { by: ofBranch('Ask everything again…'), sees: opens('Ask everything again') },
  'share branch': { by: ofBranch('Share…'), sees: opens('Share') },
  rename: {
    by: ofBranch('Rename'),
    async sees() {
      const name = page.getByRole('textbox', { name: 'Branch name' })
      await expect(name).toBeFocused()
      await name.fill('what is 2+2 again')
      await page.keyboard.press('Enter')
      await expect(name).toHaveCount(0)
    },
  },
  archive: { by: ofBranch('Archive'), sees: gone(other) },
  unarchive: {
    by: async () => {
      await tap(button('Branches', chat.graph))
      await tap(button(/^Unarchive/, page.getByRole('dialog', { name: 'Branches' })))
    },
    sees: opensOver('Branches'),
  },
  switch: {
    by: () => tap(chat.graph.getByRole('button', { name: /^Switch to/ }).first()),
    sees: () => expect(page).toHaveURL(/branch=(?!main$)/),
  },
  restore: {
    by: () => tap(chat.graph.getByRole('button', { name: 'Restore good' })),
    sees: shows(() => button('Undo')),
  },
  'undo, to note': {
    by: () => tap(button('Undo')),
    sees: () => expect(page).toHaveURL(/branch=(?!main-v3)/),
  },
  redo: { by: ofChat('Redo'), sees: () => expect(page).toHaveURL(/main-v3/) },
  'remove checkpoint': {
    by: async () => {
      await graphTab()
      await hold(chat.graph.getByRole('button', { name: 'Restore good' }), page.getByRole('menu'))
      await tap(entry('Remove this checkpoint'))
    },
    sees: gone(() => chat.graph.getByRole('button', { name: 'Restore good' })),
  },
  branch: {
    by: onMessage(() => chat.messages.nth(1), 'Branch from here'),
    sees: () => expect(chat.messages).toHaveCount(2),
  },
  retry: {
    by: async () => {
      await tap(button('Undo'))
      await expect(chat.messages).not.toHaveCount(2)
      await ofMessage(reply, 'Try again', 'Try again')()
    },
    sees: () => chat.settled(),
  },
  search: {
    by: async () => {
      await sidebar()
      await tap(button('Search', chats()))
    },
    async sees() {
      await expect(chats()).toHaveCount(0)
      await opensOver('Search')()
    },
  },
  help: { by: ofAccount('Show keys'), sees: opens('Keys') },
  palette: { by: ofAccount('Command palette'), sees: opensOver('Command palette') },
  sidebar: {
    by: sidebar,
    sees: async () => {
      await tap(button('Close sidebar', chats()))
      await expect(chats()).toHaveCount(0)
    },
  },
  dark: {
    by: ofAccount('Dark', 'menuitemradio'),
    sees: async () => {
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
      await tap(button('Close sidebar', chats()))
    },
  },
  light: {
    by: ofAccount('Light', 'menuitemradio'),
    sees: async () => {
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
      await tap(button('Close sidebar', chats()))
    },
  },
  system: {
    by: ofAccount('Same as the system', 'menuitemradio'),
    sees: async () => {
      await tap(button('Close sidebar', chats()))
    },
  },
  account: { by: ofAccount('Settings'), sees: leadsTo(/settings\/account/) },
  models: { by: choose('Models and keys'), sees: leadsTo(/settings\/models/) },
  tools: { by: choose('Tools and servers'), sees: leadsTo(/settings\/tools/) },
  usage: { by: choose('Usage and cost'), sees: leadsTo(/settings\/usage/) },
  import: { by: choose('Import chats…'), sees: leadsTo(/settings\/data/) },
  appearance: { by: choose('Appearance'), sees: leadsTo(/settings\/appearance/) },
  'rename chat': {
    by: ofTitle('Rename chat'),
    async sees() {
      await expect(page.getByRole('textbox', { name: 'Title' })).toBeFocused()
      // leaving the field saves it
      await touch(question())
      await expect(page.getByRole('textbox', { name: 'Title' })).toHaveCount(0)
    },
  },
  'tag chat': { by: ofTitle('Tags…'), sees: opensOver('Tags') },
  'pin chat': {
    by: ofTitle('Pin chat'),
    sees: async () => {
      await tap(page.locator('[data-chat-title]'))
      await expect(entry('Unpin chat')).toBeVisible()
      await tap(entry('Unpin chat'))
    },
  },
  'archive chat': {
    by: ofTitle('Archive chat'),
    sees: async () => {
      await ofTitle('Unarchive chat')()
    },
  },
  'open origin': {
    by: async () => {
      const popup = page.waitForEvent('popup')
      await ofTitle(/^Open on/)()
      await (await popup).close()
    },
    sees: shows(() => page.locator('[data-chat-title]')),
  },
  'delete chat': { by: ofTitle('Delete chat'), sees: opens(/delete/i, 'alertdialog') },
  'select chats': {
    by: async () => {
      await sidebar()
      await hold(
        chats().locator('[data-chat] a').first(),
        page.getByRole('toolbar', { name: 'Selected chats' }),
      )
    },
    sees: async () => {
      await tap(button('Stop selecting'))
      await expect(page.getByRole('toolbar', { name: 'Selected chats' })).toHaveCount(0)
      await tap(button('Close sidebar', chats()))
    },
  },
  steer: {
    by: async () => {
      await sidebar()
      await tap(chats().getByRole('link', { name: /what is 5\+5/ }))
      await expect(page).toHaveURL(new RegExp(given.agent))
      await ofMessage(() => chat.messages.first(), 'Steer the agent here…')()
    },
    async sees() {
      const dialog = page.getByRole('dialog', { name: 'Steer the agent here' })
      await tap(dialog.getByRole('textbox'))
      await dialog.getByRole('textbox').fill('Count again')
      await tap(button('Steer the agent', dialog))
      await expect(page.getByRole('region', { name: 'Agent', exact: true })).toContainText(
        'goes on from here',
      )
    },
  },
  'stop steering': {
    by: () => tap(button('Stop steering')),
    sees: gone(() => page.getByText('goes on from here')),
  },
  sample: { by: choose('See an example'), sees: shows(() => page.getByRole('region', { name: 'Tour' })) },
  new: {
    by: async () => {
      await sidebar()
      await tap(button('New chat', chats()))
    },
    sees: shows(() => chat.box),
  },
}

/** The ring that a browser draws around what has the focus, where no text is written. */
const ring = () =>
  page.evaluate(() => {
    const at = document.activeElement
    if (!at?.matches(':focus-visible') || at.matches('input, textarea')) return null
    const { outlineStyle, outlineWidth } = getComputedStyle(at)
    return outlineStyle === 'none' || outlineWidth === '0px' ? null : at.outerHTML.slice(0, 200)
  })

test('by touch alone', async ({ browser, baseURL }) => {
  const hands = await openHands(browser, { ...phone, ...(baseURL && { baseURL }) })
  page = hands.page
  chat = hands.chat
  given = hands.given
  await hands.doAll(runs, async (_, run) => {
    await run.by?.()
    await run.sees()
    expect(await ring()).toBe(null)
  })
})
