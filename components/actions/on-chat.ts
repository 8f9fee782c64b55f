import { GitCompareArrows, Maximize2, PanelRight } from 'lucide-react'
import type { Action } from './action'
import { listedChatActions, type OnListedChat } from './on-app'
import { branchFromHere, checkpointHere, type OnReply, retryWithModel } from './on-message'

/** The chat on the page. `messageId` is the focused message, or the last when none is focused. */
export interface OnChat extends OnReply, OnListedChat {
  graphShown: boolean
  toggleGraph(): void
  fillGraph(): void
  /** undefined when the chat has one branch only */
  compare: (() => void) | undefined
  goToMessage(by: 1 | -1): void
  goToVersion(which: 'previous' | 'next'): void
  /** opens the list of a message's versions */
  showVersions(): void
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

/** What can be done with the chat on the page. */
export const chatActions: readonly Action<OnChat>[] = [
  branchFromHere,
  checkpointHere,
  retryWithModel,
  toggleGraph,
  {
    id: 'graph full',
    label: 'Graph fills the window',
    keys: ['g g'],
    Icon: Maximize2,
    run: (chat) => chat.fillGraph(),
  },
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

export const allVersions: Action<OnChat> & { short: string } = {
  id: 'all versions',
  label: 'Show all versions',
  short: 'Versions',
  keys: ['v'],
  run: (chat) => chat.showVersions(),
}

/** The ways through the messages of the thread. */
export const threadMoves: readonly Action<OnChat>[] = [
  { id: 'next message', label: 'Next message', keys: ['j'], run: (chat) => chat.goToMessage(1) },
  { id: 'previous message', label: 'Previous message', keys: ['k'], run: (chat) => chat.goToMessage(-1) },
  previousVersion,
  nextVersion,
  allVersions,
]
