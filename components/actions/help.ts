import { type Action, shownKeys } from './action'
import { appActions, palette } from './on-app'
import { articleKeys, pageActions } from './on-chat'
import { branchRowKeys, closeHistory, findInGraph, itemKeys, rowKeys } from './on-graph'

type Keyed = Pick<Action<never>, 'label' | 'keys'>

/** Keys that the message box answers itself. */
const writing: readonly Keyed[] = [
  { label: 'Ask', keys: ['Enter'] },
  { label: 'New line', keys: ['Shift+Enter'] },
  { label: 'From the message box to the messages', keys: ['Escape'] },
]

/** Keys that the list of chats answers itself. */
const listing: readonly Keyed[] = [
  { label: 'To the chat below', keys: ['ArrowDown'] },
  { label: 'To its menu', keys: ['ArrowRight'] },
  { label: 'Select it', keys: ['Space'] },
  { label: 'Select on the way', keys: ['Shift+ArrowDown'] },
  { label: 'Select all', keys: ['Ctrl+A'] },
  { label: 'Stop selecting', keys: ['Escape'] },
]

const scope = (heading: string, actions: readonly Keyed[]) => ({
  heading,
  rows: actions.flatMap(({ label, keys }) => (keys?.[0] ? [{ label, keys: shownKeys(keys[0]) }] : [])),
})

/** Everything that has a key, by where the key works. */
export const helpScopes = [
  scope('In the chat', [...writing, ...pageActions, ...appActions, palette]),
  scope('On a message', articleKeys),
  scope('In the list of chats', listing),
  scope('In the graph', [...itemKeys, findInGraph, closeHistory]),
  scope('In its outline', [...rowKeys, ...branchRowKeys.slice(0, 1)]),
]
