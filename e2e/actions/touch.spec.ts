import { phone } from '../support/screens'
import { expect, test } from '../support/test'
import {
  chat,
  doAll,
  folds,
  given,
  isCopied,
  isMoved,
  keepView,
  other,
  page,
  question,
  type Run,
  type Runs,
  reads,
  reply,
} from './run-actions'
import {
  bar,
  button,
  chats,
  choose,
  entry,
  gone,
  graphTab,
  hold,
  leadsTo,
  node,
  ofAccount,
  ofBranch,
  ofChat,
  ofGraph,
  ofMessage,
  ofTitle,
  onMessage,
  onNode,
  opens,
  opensOver,
  ring,
  shows,
  sidebar,
  tab,
  tap,
  thread,
  touch,
} from './with-finger'

// A person with a finger and nothing else, on a phone: every action by taps and long touches. No ring is drawn where one tapped.

const tapped: Run = [
  async () => {
    await thread()
    await touch(question())
  },
  shows(() => button('Edit', question())),
]
const selected: Run = [
  async () => {
    await graphTab()
    await tap(node(/That is 6/))
  },
  async () => {
    await expect(bar()).toBeVisible()
    await tap(button('Close', chat.graph))
    await expect(bar()).toHaveCount(0)
  },
]

const runs: Runs = {
  'next message, previous message, message above, message below, next button, previous button, leave buttons, to messages':
    tapped,
  'to box, write from message': [() => tap(chat.box), () => expect(chat.box).toBeFocused()],
  copy: [onMessage(reply, 'Copy'), isCopied],
  'leave out': [ofMessage(reply, 'Leave out of the prompt'), ofMessage(reply, 'Put back into the prompt')],
  edit: [
    onMessage(question, 'Edit'),
    async () => {
      await expect(page.getByRole('textbox', { name: 'Edit message' })).toBeFocused()
      await tap(button('Cancel'))
      await expect(question()).toBeVisible()
    },
  ],
  'inspect prompt': [ofMessage(reply, 'Inspect prompt'), opens('Prompt')],
  'fan out': [ofMessage(reply, 'Ask several models…', 'Try again'), opens('Ask several models')],
  share: [ofMessage(question, 'Share up to here…'), opens('Share')],
  'share chat': [() => tap(button('Share')), opens('Share')],
  bisect: [ofMessage(reply, 'Find what made the difference…'), opens('Find what made the difference')],
  replay: [ofMessage(reply, 'Ask everything again…'), opens('Ask everything again')],
  compact: [ofMessage(reply, 'Sum up and go on…'), opens('Sum up and go on')],
  'cherry-pick': [ofMessage(reply, 'Bring single messages along…'), opens('Bring single messages along')],
  'all versions': [
    async () => {
      await thread()
      await tap(button(/Show all versions$/))
    },
    opensOver(/versions/i),
  ],
  'previous version': [() => tap(button('Previous version')), reads('main-v2')],
  'next version': [() => tap(button('Next version')), reads('main')],
  checkpoint: [
    ofMessage(question, 'Checkpoint'),
    async () => {
      const naming = page.getByRole('dialog', { name: 'Save a checkpoint' })
      await tap(naming.getByRole('textbox'))
      await naming.getByRole('textbox').fill('good')
      await tap(button('Save', naming))
      await expect(naming).toHaveCount(0)
    },
  ],
  'retry with': [
    ofMessage(reply, 'Ask another model', 'Try again'),
    async () => {
      await expect(page.getByRole('menu')).toBeVisible()
      // where nothing is
      await page.touchscreen.tap(300, 200)
      await expect(page.getByRole('menu')).toHaveCount(0)
    },
  ],
  export: [ofChat('Export…'), opens(/Export/)],
  proposals: [ofChat('Proposals…'), opens('Proposals')],
  people: [ofChat('People…'), opens('People')],
  push: [ofChat('Push…'), opens('Push')],
  pull: [ofChat('Pull'), opens('Pull')],
  print: [ofChat('Print'), () => expect(page.locator('html')).toHaveAttribute('data-printed', '')],
  'compare branches': [ofChat('Compare'), leadsTo(/\/compare/)],
  merge: [ofChat('Merge into…'), opens('Merge')],
  context: [ofChat('Instructions'), opens('Instructions')],
  history: [ofChat('History'), shows(() => page.getByRole('region', { name: 'History' }))],
  now: [
    async () => {
      await tap(button('Previous movement'))
      await tap(button('Return to now'))
    },
    gone(() => button('Return to now')),
  ],
  'close history': [
    () => tap(button('Close history')),
    gone(() => page.getByRole('region', { name: 'History' })),
  ],
  // the branch
  'graph, graph full, to graph': [graphTab, shows(() => chat.graph)],
  'leave full window': [thread, shows(() => chat.box)],
  'row above, row below, above, below, first, head, select, leave, row within, row around': selected,
  'open row': [
    async () => {
      await graphTab()
      await tap(other())
    },
    () => expect(other()).toHaveAttribute('aria-expanded', 'true'),
  ],
  'close row': [() => tap(other()), () => expect(other()).toHaveAttribute('aria-expanded', 'false')],
  open: [onNode(/what is 3\+3/, 'Open'), shows(question)],
  pick: [onNode(/what is 3\+3/, 'Pick for comparing'), shows(() => chat.graph.getByText(/Pick another/))],
  'previous in graph, next in graph, compare': [
    async () => {
      await tap(other())
      await onNode(/You: what is 2\+2/, /^Compare with/)()
    },
    leadsTo(/\/compare/),
  ],
  fold: [onNode(/Sintra is worth/, 'Fold this stretch'), shows(() => folds().first())],
  unfold: [() => tap(folds().first()), gone(() => folds())],
  'fold all': [ofGraph('Fold long stretches'), () => ofGraph('Show every message')()],
  'show head': [ofGraph('Go to where you are'), shows(() => node(/That is 6/))],
  find: [
    async () => {
      await graphTab()
      await tap(button('Find in graph', chat.graph))
    },
    async () => {
      await expect(chat.graph.getByRole('searchbox')).toBeFocused()
      await tap(button('Close', chat.graph.getByRole('search')))
      await expect(chat.graph.getByRole('searchbox')).toHaveCount(0)
    },
  ],
  'save svg': [
    async () => {
      const saved = page.waitForEvent('download')
      await ofGraph('Save as SVG')()
      await saved
    },
    shows(() => chat.graph),
  ],
  'save png': [
    async () => {
      const saved = page.waitForEvent('download')
      await ofGraph('Save as PNG')()
      await saved
    },
    shows(() => chat.graph),
  ],
  'graph layout': [
    async () => {
      await graphTab()
      await tap(chat.graph.getByRole('radio', { name: 'Map' }))
    },
    () => expect(chat.graph.getByRole('radio', { name: 'Map' })).toBeChecked(),
  ],
  'zoom in': [keepView, choose('Zoom in'), isMoved],
  fit: [keepView, () => tap(button('Fit graph', chat.graph)), isMoved],
  'zoom out': [
    keepView,
    choose('Zoom out'),
    isMoved,
    () => tap(chat.graph.getByRole('radio', { name: 'Outline' })),
  ],
  'compact branch': [ofBranch('Sum up and go on…'), opens('Sum up and go on')],
  'replay branch': [ofBranch('Ask everything again…'), opens('Ask everything again')],
  'share branch': [ofBranch('Share…'), opens('Share')],
  rename: [
    ofBranch('Rename'),
    async () => {
      const name = page.getByRole('textbox', { name: 'Branch name' })
      await expect(name).toBeFocused()
      await name.fill('what is 2+2 again')
      await page.keyboard.press('Enter')
      await expect(chat.graph.getByText('what is 2+2 again')).toBeVisible()
      await tap(tab('Graph'))
    },
  ],
  archive: [ofBranch('Archive'), gone(other)],
  unarchive: [
    async () => {
      await tap(button('Branches', chat.graph))
      await tap(button(/^Unarchive/, page.getByRole('dialog', { name: 'Branches' })))
    },
    opensOver('Branches'),
  ],
  restore: [
    async () => {
      await graphTab()
      await tap(button('Restore good', chat.graph))
    },
    reads('main-v2'),
  ],
  'undo, to note': [() => tap(button('Undo')), reads('main')],
  redo: [ofChat('Redo'), reads('main-v2')],
  'remove checkpoint': [
    async () => {
      await graphTab()
      await hold(chat.graph.getByRole('button', { name: 'Restore good' }), page.getByRole('menu'))
      await tap(entry('Remove this checkpoint'))
    },
    gone(() => chat.graph.getByRole('button', { name: 'Restore good' })),
  ],
  switch: [
    () => tap(chat.graph.getByRole('button', { name: /^Switch to what is 2\+2/ })),
    () => expect(page).toHaveURL(/branch=what/),
  ],
  branch: [
    onMessage(() => chat.messages.nth(1), 'Branch from here'),
    () => expect(chat.messages).toHaveCount(2),
  ],
  retry: [
    async () => {
      await tap(button('Undo'))
      await expect(chat.messages).not.toHaveCount(2)
      await ofMessage(reply, 'Try again', 'Try again')()
    },
    () => expect(page).not.toHaveURL(/again$/),
  ],
  search: [
    async () => {
      await sidebar()
      await tap(button('Search', chats()))
    },
    async () => {
      await expect(chats()).toHaveCount(0)
      await opensOver('Search', 800)()
    },
  ],
  help: [ofAccount('Show keys'), opens('Keys')],
  palette: [ofAccount('Command palette'), opensOver('Command palette')],
  sidebar: [
    sidebar,
    async () => {
      await tap(button('Close sidebar', chats()))
      await expect(chats()).toHaveCount(0)
    },
  ],
  dark: [
    ofAccount('Dark', 'menuitemradio'),
    async () => {
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
      await tap(button('Close sidebar', chats()))
    },
  ],
  light: [
    ofAccount('Light', 'menuitemradio'),
    async () => {
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
      await tap(button('Close sidebar', chats()))
    },
  ],
  system: [
    ofAccount('Same as the system', 'menuitemradio'),
    async () => {
      await tap(button('Close sidebar', chats()))
    },
  ],
  account: [ofAccount('Settings'), leadsTo(/settings\/account/)],
  models: [choose('Models and keys'), leadsTo(/settings\/models/)],
  tools: [choose('Tools and servers'), leadsTo(/settings\/tools/)],
  remotes: [choose('Remotes'), leadsTo(/settings\/remotes/)],
  usage: [choose('Usage and cost'), leadsTo(/settings\/usage/)],
  import: [choose('Import chats…'), leadsTo(/settings\/data/)],
  appearance: [choose('Appearance'), leadsTo(/settings\/appearance/)],
  'rename chat': [
    ofTitle('Rename chat'),
    async () => {
      await expect(page.getByRole('textbox', { name: 'Title' })).toBeFocused()
      // leaving the field saves it
      await touch(question())
      await expect(page.getByRole('textbox', { name: 'Title' })).toHaveCount(0)
    },
  ],
  'tag chat': [ofTitle('Tags…'), opensOver('Tags')],
  'pin chat': [
    ofTitle('Pin chat'),
    async () => {
      await tap(page.locator('[data-chat-title]'))
      await expect(entry('Unpin chat')).toBeVisible()
      await tap(entry('Unpin chat'))
    },
  ],
  'archive chat': [
    ofTitle('Archive chat'),
    async () => {
      await ofTitle('Unarchive chat')()
    },
  ],
  'open origin': [
    async () => {
      const popup = page.waitForEvent('popup')
      await ofTitle(/^Open on/)()
      await (await popup).close()
    },
    shows(() => page.locator('[data-chat-title]')),
  ],
  'delete chat': [ofTitle('Delete chat'), opens(/delete/i, 'alertdialog')],
  'select chats': [
    async () => {
      await sidebar()
      await hold(
        chats().locator('[data-chat] a').first(),
        page.getByRole('toolbar', { name: 'Selected chats' }),
      )
    },
    async () => {
      await tap(button('Stop selecting'))
      await expect(page.getByRole('toolbar', { name: 'Selected chats' })).toHaveCount(0)
      await tap(button('Close sidebar', chats()))
    },
  ],
  steer: [
    async () => {
      await sidebar()
      await tap(chats().getByRole('link', { name: /what is 5\+5/ }))
      await expect(page).toHaveURL(new RegExp(given.agent))
      await ofMessage(() => chat.messages.first(), 'Steer the agent here…')()
    },
    async () => {
      const dialog = page.getByRole('dialog', { name: 'Steer the agent here' })
      await tap(dialog.getByRole('textbox'))
      await dialog.getByRole('textbox').fill('Count again')
      await tap(button('Steer the agent', dialog))
      await expect(page.getByRole('region', { name: 'Agent', exact: true })).toContainText(
        'goes on from here',
      )
    },
  ],
  'stop steering': [() => tap(button('Stop steering')), gone(() => page.getByText('goes on from here'))],
  sample: [choose('See an example'), shows(() => page.getByRole('region', { name: 'Tour' }))],
  new: [
    async () => {
      await sidebar()
      await tap(button('New chat', chats()))
    },
    shows(() => chat.box),
  ],
}

test('by touch alone', async ({ browser, baseURL }) => {
  await doAll(browser, { ...phone, ...(baseURL && { baseURL }) }, runs, async (_, run) => {
    for (const act of run) await act()
    expect(await ring()).toBe(null)
  })
})
