import {
  CornerDownLeft,
  Download,
  GitCompareArrows,
  History,
  ListTree,
  Maximize2,
  Minimize2,
  PanelRight,
  Printer,
  Redo2,
  SlidersHorizontal,
  Undo2,
  Waypoints,
} from 'lucide-react'
import type { Action } from './action'
import { listedChatActions, type OnListedChat } from './on-app'
import {
  branchFromHere,
  checkpointHere,
  moreWays,
  type OnRow,
  retryWithModel,
  rowActions,
} from './on-message'
import { type OnPeople, showPeople } from './on-people'
import { type OnProposals, showProposals } from './on-proposals'
import { type OnRemotes, remoteActions } from './on-remotes'
import { replayFromHere } from './on-replay'
import { shareUpToHere } from './on-sharing'
import { stopSteering } from './on-steering'

/** Drawings of the graph: a message to a row, or branches side by side. */
export type GraphLayout = 'outline' | 'map'

/** Place of the graph on the page. */
export interface OnPlace {
  /** it fills the window */
  graphFull: boolean
  layout: GraphLayout
  fillGraph(): void
  setLayout(layout: GraphLayout): void
}

/** The chat on the page, and the message that an action means: the focused one, or the last when none is focused. */
export interface OnChat extends OnRow, OnListedChat, OnPlace, OnPeople, OnProposals, OnRemotes {
  graphShown: boolean
  toggleGraph(): void
  contextShown: boolean
  /** shows or hides what the next reply is asked with, besides the messages */
  toggleContext(from: Element | null): void
  /** shows or hides what was done in the chat, and the graph as it was */
  toggleHistory(): void
  /** asks in which form the chat, or its branch, is saved */
  exportChat(): void
  /** prints every message of the branch that is read */
  printBranch(): void
  /** takes back where an agent is to go on; undefined where none is steered */
  stopSteering?: (() => void) | undefined
  /** undefined when the chat has one branch only */
  compare: (() => void) | undefined
  goToMessage(by: 1 | -1): void
  goToVersion(which: 'previous' | 'next'): void
  /** opens the list of a message's versions */
  showVersions(): void
  goTo(place: Place): void
  undo(): void
  redo(): void
  canUndo(): boolean
  canRedo(): boolean
  /** to the note about the last move */
  toNote(): void
}

/** A part of the page that takes the focus. */
export type Place = 'messages' | 'box' | 'graph'

export const openComparison: Action<OnChat> = {
  id: 'compare branches',
  label: 'Compare branches',
  short: 'Compare',
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

export const toggleContext: Action<OnChat> = {
  id: 'context',
  label: 'Instructions',
  words: 'context system prompt role fragments memory temperature settings preset format',
  keys: ['x'],
  Icon: SlidersHorizontal,
  when: ({ readOnly }) => !readOnly,
  run: (chat, from) => chat.toggleContext(from),
}

export const toggleHistory: Action<OnChat> = {
  id: 'history',
  label: 'History',
  words: 'reflog log moves undo past time travel what happened',
  keys: ['h', 't'],
  Icon: History,
  when: ({ chat }) => chat !== undefined,
  run: (chat) => chat.toggleHistory(),
}

/** Acts on the whole branch that is read. */
export const shareThisBranch: Action<OnChat> = {
  ...shareUpToHere,
  id: 'share chat',
  label: 'Share',
  keys: ['s'],
  when: ({ chat, messageId }) => chat !== undefined && messageId !== null,
  run: ({ share }) => share(null, null),
}

/** {@link moreWays} for the whole branch that is read, from its beginning to its end. */
export const chatWays: readonly Action<OnChat>[] = moreWays.map((way) =>
  way === replayFromHere ? { ...replayFromHere, run: ({ replay }) => replay(null, null) } : way,
)

export const exportThisChat: Action<OnChat> = {
  id: 'export',
  label: 'Export…',
  words: 'download save file markdown html json jsonl backup archive',
  Icon: Download,
  when: ({ chat }) => chat !== undefined,
  run: (chat) => chat.exportChat(),
}

export const printThisBranch: Action<OnChat> = {
  id: 'print',
  label: 'Print',
  words: 'paper pdf branch',
  keys: ['Ctrl+P'],
  Icon: Printer,
  when: ({ chat, messageId }) => chat !== undefined && messageId !== null,
  run: (chat) => chat.printBranch(),
}

const skip = (
  place: Place,
  label: string,
  short: string,
  rest: Partial<Action<OnChat>> = {},
): Action<OnChat> => ({ id: `to ${place}`, label, short, ...rest, run: (chat) => chat.goTo(place) })

const writeMessage = skip('box', 'Write a message', 'Skip to message box', {
  words: 'composer box type',
  keys: ['i'],
  Icon: CornerDownLeft,
})

/** The links before everything else on the page, for those who come by Tab. */
export const skipLinks: readonly Action<OnChat>[] = [
  skip('messages', 'To the messages', 'Skip to messages', { words: 'thread' }),
  writeMessage,
  skip('graph', 'To the graph', 'Skip to graph', { words: 'tree map' }),
]

export const undoMove: Action<OnChat> = {
  id: 'undo',
  label: 'Undo the last move',
  short: 'Undo',
  words: 'take back',
  keys: ['Ctrl+Z'],
  Icon: Undo2,
  // a sentence, not `false`: the browser's own undo would change the message box, out of sight
  when: ({ canUndo, readOnly }) => !readOnly && (canUndo() || 'There is no move to undo'),
  run: (chat) => chat.undo(),
}

export const redoMove: Action<OnChat> = {
  id: 'redo',
  label: 'Redo',
  words: 'make again',
  keys: ['Ctrl+Shift+Z'],
  Icon: Redo2,
  when: ({ canRedo, readOnly }) => !readOnly && (canRedo() || 'There is no move to make again'),
  run: (chat) => chat.redo(),
}

const toNote: Action<OnChat> = {
  id: 'to note',
  label: 'To the note about the last move',
  keys: ['Alt+T'],
  run: (chat) => chat.toNote(),
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

/** Escape, where nothing in the graph has it: a selection and a look at the past are left first. */
export const leaveFullWindow: Action<OnPlace> = {
  id: 'leave full window',
  label: 'Leave full window',
  keys: ['Escape'],
  when: ({ graphFull }) => graphFull,
  run: (on) => on.fillGraph(),
}

const changeLayout: Action<OnPlace> = {
  id: 'graph layout',
  label: 'Outline or map',
  named: ({ layout }) => (layout === 'outline' ? 'Show the map' : 'Show the outline'),
  words: 'graph layout tree list columns lanes',
  keys: ['l'],
  iconOn: ({ layout }) => (layout === 'outline' ? Waypoints : ListTree),
  run: ({ layout, setLayout }) => setLayout(layout === 'outline' ? 'map' : 'outline'),
}

/** Actions on the chat of the page. */
export const chatActions: readonly Action<OnChat>[] = [
  branchFromHere,
  checkpointHere,
  retryWithModel,
  toggleGraph,
  fillWindow,
  changeLayout,
  openComparison,
  stopSteering,
  toggleContext,
  toggleHistory,
  undoMove,
  redoMove,
  toNote,
  exportThisChat,
  showPeople,
  showProposals,
  ...remoteActions,
  printThisBranch,
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
  ...skipLinks,
]

/** Everything that can be done on the page of a chat, each once. */
export const pageActions: readonly Action<OnChat>[] = [
  ...new Set<Action<OnChat>>([...rowActions, shareThisBranch, ...chatActions, ...threadMoves]),
]

/** The focused message of the thread, or one of its buttons. */
export interface OnArticle {
  /** the focus is on one of the message's buttons */
  isInside: boolean
  /** true when there is a message this way, and its edge is in sight: else the key scrolls */
  canStep(by: 1 | -1): boolean
  step(by: 1 | -1): void
  /** to the next of the message's buttons, around the ends */
  turn(by: 1 | -1): void
  /** to the message itself */
  leave(): void
  write(): void
}

/** The keys of a message. */
export const articleKeys: readonly Action<OnArticle>[] = [
  {
    id: 'message below',
    label: 'To the message below',
    keys: ['ArrowDown'],
    when: (on) => on.canStep(1),
    run: (on) => on.step(1),
  },
  {
    id: 'message above',
    label: 'To the message before',
    keys: ['ArrowUp'],
    when: (on) => on.canStep(-1),
    run: (on) => on.step(-1),
  },
  { id: 'next button', label: 'To its actions', keys: ['ArrowRight'], run: (on) => on.turn(1) },
  {
    id: 'previous button',
    label: 'To its actions, from the last',
    keys: ['ArrowLeft'],
    run: (on) => on.turn(-1),
  },
  {
    id: 'leave buttons',
    label: 'Back to the message',
    keys: ['Escape'],
    when: ({ isInside }) => isInside,
    run: (on) => on.leave(),
  },
  {
    id: 'write from message',
    label: 'To the message box',
    keys: ['Enter'],
    when: ({ isInside }) => !isInside,
    run: (on) => on.write(),
  },
]
