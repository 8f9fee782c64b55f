// Longer than other files: each action of the page has a line.

import { expect, test } from '../support/test'
import {
  actions,
  chat,
  doAll,
  folds,
  given,
  isCopied,
  isMoved,
  other,
  page,
  question,
  type Runs,
  reads,
  reply,
} from './run-actions'
import {
  choose,
  chooseFrom,
  expectFocus,
  focused,
  inView,
  item,
  keysOf,
  leadsTo,
  markFocus,
  named,
  on,
  opens,
  press,
} from './with-keys'

// A person without a mouse: every action by its key, else by the palette or a menu. The focus is never lost.

const thread: Runs = {
  'to messages': [focused(reply)],
  'previous message': [on(reply), focused(question)],
  'next message': [on(question), focused(reply)],
  'message above': [on(reply), focused(question)],
  'message below': [on(question), focused(reply)],
  'next button': [on(reply), focused(() => reply().getByRole('button', { name: 'Copy' }))],
  'leave buttons': [on(() => reply().getByRole('button', { name: 'Copy' })), focused(reply)],
  'previous button': [on(reply), () => expect(reply().locator('button:focus')).toHaveCount(1)],
  'write from message': [on(reply), focused(() => chat.box)],
  'to box': [on(reply), focused(() => chat.box)],
  'to graph': [on(reply), () => expect(chat.graph.locator('[role=treeitem]:focus')).toHaveCount(1)],
  edit: [
    on(question),
    async () => {
      await expect(page.getByRole('textbox', { name: 'Edit message' })).toBeFocused()
      await press('Escape')
      await expect(question()).toBeFocused()
    },
  ],
  copy: [on(reply), isCopied],
  'leave out': [
    on(reply),
    async () => {
      await expect(reply()).toContainText('Left out')
      await press('w')
      await expect(reply()).not.toContainText('Left out')
    },
  ],
  'inspect prompt': [on(reply), opens('Prompt')],
  'fan out': [on(reply), opens('Ask several models')],
  'retry with': [on(reply), opens(/.*/, 'menu')],
  share: [on(question), opens('Share')],
  'share chat': [on(question), opens('Share')],
  bisect: [on(reply), opens('Find what made the difference')],
  replay: [on(reply), opens('Ask everything again')],
  compact: [on(reply), opens('Sum up and go on')],
  'cherry-pick': [on(reply), opens('Bring single messages along')],
  export: [on(reply), opens(/Export/)],
  proposals: [on(reply), opens('Proposals')],
  people: [on(reply), opens('People')],
  push: [on(reply), opens('Push')],
  pull: [on(reply), opens('Pull')],
  print: [on(reply), () => expect(page.locator('html')).toHaveAttribute('data-printed', '')],
  'all versions': [
    on(question),
    async () => {
      await expect(page.getByRole('dialog', { name: /versions/i }).locator('[aria-current]')).toBeFocused()
      await press('Escape')
      await expect(question().getByRole('button', { name: /Show all versions$/ })).toBeFocused()
    },
  ],
  'previous version': [on(question), reads('main-v2')],
  'next version': [on(() => chat.said('what is 2+2')), reads('main')],
  checkpoint: [
    on(question),
    async () => {
      await expect(page.getByRole('dialog', { name: 'Save a checkpoint' }).getByRole('textbox')).toBeFocused()
      await page.keyboard.insertText('good')
      await press('Enter')
      await expect(chat.graph.getByRole('button', { name: 'Restore good' })).toBeVisible()
      await expect(question()).toBeFocused()
    },
  ],
}

const whole: Runs = {
  search: [on(reply), opens('Search')],
  help: [on(reply), opens('Keys')],
  palette: [on(reply), opens('Command palette')],
  sidebar: [
    on(reply),
    async () => {
      await expect(page.getByRole('complementary', { name: 'Chats' })).toHaveCount(0)
      await expectFocus()
      await choose('Show or hide the sidebar')
      await expect(page.getByRole('complementary', { name: 'Chats' })).toBeVisible()
    },
  ],
  dark: [on(reply), () => expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')],
  light: [on(reply), () => expect(page.locator('html')).toHaveAttribute('data-theme', 'light')],
  system: [on(reply), () => expect(page.locator('html')).toHaveAttribute('data-theme', 'light')],
  account: [on(reply), leadsTo(/settings\/account/)],
  models: [leadsTo(/settings\/models/)],
  tools: [leadsTo(/settings\/tools/)],
  remotes: [leadsTo(/settings\/remotes/)],
  usage: [leadsTo(/settings\/usage/)],
  import: [leadsTo(/settings\/data/)],
  appearance: [leadsTo(/settings\/appearance/)],
  'compare branches': [on(reply), leadsTo(/\/compare/)],
  'rename chat': [
    on(reply),
    async () => {
      await expect(page.getByRole('textbox', { name: /title|name/i })).toBeFocused()
      await press('Escape')
      await expectFocus()
    },
  ],
  'tag chat': [on(reply), opens(/tags/i)],
  'pin chat': [on(reply), () => expect(page.getByText('Pinned').first()).toBeVisible()],
  'archive chat': [
    on(reply),
    async () => {
      await expect(page.getByText('Archived', { exact: true })).toBeVisible()
      await expectFocus()
      await choose('Archive or unarchive the chat')
      await expect(page.getByText('Archived', { exact: true })).toHaveCount(0)
    },
  ],
  'open origin': [
    on(reply),
    async () => {
      const opened = page.waitForEvent('popup')
      await choose('Open where it was imported from')
      await (await opened).close()
    },
    expectFocus,
  ],
  'delete chat': [on(reply), opens(/delete/i, 'alertdialog')],
  'select chats': [
    on(() => page.locator('[data-chat] a').first()),
    async () => {
      await press('ArrowRight', 'Enter')
      const menu = page.getByRole('menu')
      await expect(menu).toBeVisible()
      await page.keyboard.type('Sel')
      await expect(menu.getByRole('menuitem', { name: 'Select chats' })).toBeFocused()
      await press('Enter')
    },
    async () => {
      await expect(page.getByText(/1 selected/)).toBeVisible()
      await expectFocus()
      await press('Escape')
      await expect(page.getByText(/1 selected/)).toHaveCount(0)
    },
  ],
  context: [
    on(reply),
    async () => {
      const panel = page.getByRole('region', { name: 'Instructions' })
      await expect(panel).toBeVisible()
      await expectFocus()
      await press('x')
      await expect(panel).toHaveCount(0)
    },
  ],
}

const graph: Runs = {
  graph: [
    on(reply),
    async () => {
      await expect(chat.graph).toBeHidden()
      await expectFocus()
      // the second of two quick presses would fill the window
      await press('Shift', 'g')
      await expect(chat.graph).toBeVisible()
    },
  ],
  'graph full': [
    async () => {
      await reply().focus()
      // else its first press would be the second of a pair
      await press('Shift')
    },
    () => expect(chat.box).toBeHidden(),
  ],
  'leave full window': [() => expect(chat.box).toBeVisible()],
  'graph layout': [on(reply), () => expect(chat.graph.getByRole('radio', { name: 'Map' })).toBeChecked()],
}

const inMap: Runs = {
  head: [on(item(/Tell me about Lisbon/)), focused(item(/That is 6/))],
  first: [on(item(/That is 6/)), focused(item(/Tell me about Lisbon/))],
  below: [on(item(/Tell me about Lisbon/)), focused(item(/Lisbon is worth/))],
  above: [on(item(/Lisbon is worth/)), focused(item(/Tell me about Lisbon/))],
  'previous in graph': [on(item(/what is 3\+3/)), focused(item(/what is 2\+2/))],
  'next in graph': [on(item(/what is 2\+2/)), focused(item(/what is 3\+3/))],
  'zoom in': [inView(/what is 3\+3/), isMoved],
  fit: [inView(/what is 3\+3/), isMoved],
  'zoom out': [inView(/what is 3\+3/), isMoved],
  pick: [
    on(item(/what is 2\+2/)),
    async () => {
      await expect(chat.graph.getByText(/Pick another/).first()).toBeVisible()
    },
  ],
  leave: [on(item(/what is 2\+2/)), () => expect(chat.graph.getByText(/Pick another/)).toHaveCount(0)],
  compare: [on(item(/what is 2\+2/)), leadsTo(/\/compare/)],
  open: [on(item(/what is 3\+3/)), expectFocus],
  find: [
    on(item(/what is 3\+3/)),
    async () => {
      await expect(chat.graph.getByRole('searchbox')).toBeFocused()
      await press('Escape')
      await expectFocus()
    },
  ],
  'show head': [on(item(/Tell me about Lisbon/)), expectFocus],
  'fold all': [on(item(/what is 3\+3/)), () => expect(folds()).toHaveCount(1)],
  unfold: [on(folds), () => expect(folds()).toHaveCount(0)],
  fold: [on(item(/Sintra is worth/)), () => expect(folds()).toHaveCount(1)],
  'save svg': [
    on(reply),
    async () => {
      const saved = page.waitForEvent('download')
      await choose('Save as SVG')
      expect((await saved).suggestedFilename()).toMatch(/\.svg$/)
    },
    expectFocus,
  ],
  'save png': [
    on(reply),
    async () => {
      const saved = page.waitForEvent('download')
      await choose('Save as PNG')
      expect((await saved).suggestedFilename()).toMatch(/\.png$/)
    },
    expectFocus,
  ],
}

const inOutline: Runs = {
  'row above': [on(item(/That is 6/)), focused(item(/what is 3\+3/))],
  'row below': [on(item(/what is 3\+3/)), focused(item(/That is 6/))],
  'open row': [on(other), () => expect(other()).toHaveAttribute('aria-expanded', 'true')],
  'row within': [on(other), focused(item(/You: what is 2\+2/))],
  'row around': [on(item(/You: what is 2\+2/)), focused(other)],
  'close row': [on(other), () => expect(other()).toHaveAttribute('aria-expanded', 'false')],
}

const branches: Runs = {
  merge: [
    async () => {
      await reply().focus()
      await press('l')
      await expect(chat.graph.getByRole('radio', { name: 'Outline' })).toBeChecked()
    },
    named('Merge Main line into…'),
    opens('Merge'),
  ],
  'compact branch': [on(reply), named('Sum up Main line and go on…'), opens('Sum up and go on')],
  'replay branch': [on(reply), named('Ask everything on Main line again…'), opens('Ask everything again')],
  'share branch': [on(reply), named('Share Main line…'), opens('Share')],
  rename: [
    on(item(/That is 6/)),
    async () => {
      await expect(page.getByRole('textbox', { name: 'Branch name' })).toBeFocused()
      await page.keyboard.insertText('sums')
      await press('Enter')
      await expect(chat.branch()).toContainText('sums')
    },
  ],
  archive: [on(other), () => chooseFrom('Archive'), () => expect(other()).toHaveCount(0)],
  unarchive: [
    on(() => chat.graph.getByRole('button', { name: 'Branches' })),
    async () => {
      await press('Enter')
      const button = page.getByRole('button', { name: /^Unarchive/ })
      await expect(page.getByRole('dialog', { name: 'Branches' })).toBeVisible()
      for (let at = 0; at < 12 && !(await button.evaluate((node) => node === document.activeElement)); at++)
        await press('Tab')
      await press('Enter')
    },
    async () => {
      await expect(page.getByRole('button', { name: /^Unarchive/ })).toHaveCount(0)
      await expectFocus()
      await press('Escape')
      await expect(chat.graph.getByRole('button', { name: 'Branches' })).toBeFocused()
    },
  ],
  restore: [on(item(/That is 6/)), reads('sums-v2')],
  undo: [on(() => chat.messages.last()), reads('sums')],
  redo: [on(() => chat.messages.last()), reads('sums-v2')],
  'remove checkpoint': [
    on(() => chat.messages.last()),
    () => choose('Remove this checkpoint: good'),
    () => expect(chat.graph.getByRole('button', { name: 'Restore good' })).toHaveCount(0),
  ],
  'to note': [
    on(() => chat.messages.last()),
    focused(() => page.getByRole('button', { name: 'Undo', exact: true })),
  ],
  switch: [on(reply), () => choose('Switch to what is 2+2'), reads('main-v2')],
  branch: [
    on(() => chat.messages.nth(1)),
    async () => {
      await expect(chat.messages).toHaveCount(2)
      await expect(chat.box).toBeFocused()
    },
  ],
  history: [on(() => chat.messages.last()), focused(() => page.getByRole('slider', { name: 'History' }))],
  now: [
    async () => {
      // one move is what it says before the history is read
      await expect(page.getByRole('slider', { name: 'History' })).not.toHaveAttribute('aria-valuemax', '1')
      await press('ArrowLeft')
    },
    async () => {
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
    focused(() => page.getByRole('slider', { name: 'History' })),
  ],
  'close history': [() => expect(page.getByRole('region', { name: 'History' })).toHaveCount(0)],
  retry: [
    async () => {
      await choose('Switch to what is 2+2')
      await chat.reads('main-v2')
      await reply().focus()
    },
    async () => {
      await expect(page).not.toHaveURL(/main-v2$/)
      await chat.settled()
    },
  ],
}

const elsewhere: Runs = {
  steer: [
    async () => {
      await choose('what is 5+5')
      await expect(page).toHaveURL(new RegExp(given.agent))
      await chat.messages.first().focus()
    },
    async () => {
      const dialog = page.getByRole('dialog', { name: 'Steer the agent here' })
      await expect(dialog.getByRole('textbox')).toBeFocused()
      await press('Control+Enter')
      await expect(dialog).toHaveCount(0)
      await expect(page.getByRole('region', { name: 'Agent', exact: true })).toContainText(
        'goes on from here',
      )
    },
  ],
  'stop steering': [
    on(() => chat.messages.last()),
    () => expect(page.getByText('goes on from here')).toHaveCount(0),
  ],
  select: [on(item(/5\+5/)), () => expect(chat.graph.locator('[aria-selected=true]')).toHaveCount(1)],
  new: [focused(() => chat.box)],
  sample: [() => expect(page.getByRole('region', { name: 'Tour' })).toBeVisible()],
}

const runs: Runs = { ...thread, ...inOutline, ...whole, ...graph, ...inMap, ...branches, ...elsewhere }

test('by keyboard alone', async ({ browser, baseURL }) => {
  await doAll(browser, baseURL ? { baseURL } : {}, runs, async (id, run) => {
    const [before, by] = run.slice(0, -1)
    await before?.()
    await markFocus()
    const { keys, label = id } = actions.get(id) ?? {}
    if (by) await by()
    else if (keys?.[0]) await press(...keysOf(keys[0]))
    else await choose(label)
    await run.at(-1)?.()
    await expectFocus()
  })
})
