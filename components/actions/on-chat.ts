import { GitCompareArrows, ListTree, Maximize2, Minimize2, PanelRight, Waypoints } from 'lucide-react'
import type { Action } from './action'
import { listedChatActions, type OnListedChat } from './on-app'
import { branchFromHere, checkpointHere, type OnMessage } from './on-message'

/** How the graph is drawn: a message to a row, or branches side by side. */
export type GraphLayout = 'outline' | 'map'

/** Where the graph stands on the page. */
export interface OnPlace {
  /** it fills the window */
  graphFull: boolean
  layout: GraphLayout
  fillGraph(): void
  setLayout(layout: GraphLayout): void
}

/** The chat on the page. `messageId` is the focused message, or the last when none is focused. */
export interface OnChat extends OnMessage, OnListedChat, OnPlace {
  graphShown: boolean
  toggleGraph(): void
  /** undefined when the chat has one branch only */
  compare: (() => void) | undefined
  goToMessage(by: 1 | -1): void
  goToVersion(which: 'previous' | 'next'): void
}

export const openComparison: Action<OnChat> = {
  id: 'compare branches',
  label: 'Compare branches',
  words: 'diff',
  Icon: GitCompareArrows,
  when: ({ compare }) => compare !== undefined,
  run: ({ compare }) => compare?.(),
}

export const toggleGraph: Action<OnChat> = {
  id: 'graph',
  label: 'Show or hide the graph',
  named: ({ graphShown }) => (graphShown ? 'Hide graph' : 'Show graph'),
  words: 'log tree map',
  keys: ['g'],
  Icon: PanelRight,
  run: (chat) => chat.toggleGraph(),
}

export const fillWindow: Action<OnPlace> = {
  id: 'graph full',
  label: 'Full window',
  named: ({ graphFull }) => (graphFull ? 'Leave full window' : 'Full window'),
  words: 'graph maximize fills screen',
  keys: ['g g'],
  iconOn: ({ graphFull }) => (graphFull ? Minimize2 : Maximize2),
  run: (on) => on.fillGraph(),
}

export const changeLayout: Action<OnPlace> = {
  id: 'graph layout',
  label: 'Outline or map',
  named: ({ layout }) => (layout === 'outline' ? 'Show the map' : 'Show the outline'),
  words: 'graph layout tree list columns lanes',
  keys: ['l'],
  iconOn: ({ layout }) => (layout === 'outline' ? Waypoints : ListTree),
  run: ({ layout, setLayout }) => setLayout(layout === 'outline' ? 'map' : 'outline'),
}

/** What can be done with the chat on the page. */
export const chatActions: readonly Action<OnChat>[] = [
  branchFromHere,
  checkpointHere,
  toggleGraph,
  fillWindow,
  changeLayout,
  openComparison,
  ...listedChatActions,
]

const version = (which: 'previous' | 'next', label: string, key: string): Action<OnChat> => ({
  id: `${which} version`,
  label,
  keys: [key],
  run: (chat) => chat.goToVersion(which),
})

export const previousVersion = version('previous', 'Previous version', '[')
export const nextVersion = version('next', 'Next version', ']')

/** The ways through the messages of the thread. */
export const threadMoves: readonly Action<OnChat>[] = [
  { id: 'next message', label: 'Next message', keys: ['j'], run: (chat) => chat.goToMessage(1) },
  { id: 'previous message', label: 'Previous message', keys: ['k'], run: (chat) => chat.goToMessage(-1) },
  previousVersion,
  nextVersion,
]
