import { type Action, shownKeys } from './action'
import { appActions, palette } from './on-app'
import { chatActions, threadMoves } from './on-chat'
import { branchRowKeys, findInGraph, itemKeys, returnToNow, rowKeys, timeTravel } from './on-graph'

type Keyed = Pick<Action<never>, 'label' | 'keys'>

/** Keys that fields and libraries answer themselves. */
const writing: readonly Keyed[] = [
  { label: 'Send', keys: ['Enter'] },
  { label: 'New line', keys: ['Shift+Enter'] },
]
const toNote: Keyed = { label: 'To the note about the last move', keys: ['Alt+T'] }

const scope = (heading: string, actions: readonly Keyed[]) => ({
  heading,
  rows: actions.flatMap(({ label, keys }) => (keys?.[0] ? [{ label, keys: shownKeys(keys[0]) }] : [])),
})

/** Everything that has a key, by where the key works. */
export const helpScopes = [
  scope('In the chat', [...writing, ...threadMoves, ...chatActions, ...appActions, palette, toNote]),
  scope('In the graph', [...itemKeys, findInGraph, timeTravel, returnToNow]),
  scope('In its outline', [...rowKeys, ...branchRowKeys.slice(0, 1)]),
]
