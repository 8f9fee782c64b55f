import type { Route } from 'next'
import type { ReactNode } from 'react'
import type { GraphLayout } from '@/components/actions/on-chat'
import type { OnMerging } from '@/components/actions/on-merging'
import type { Turn } from '@/components/session/turn'
import type { BranchId, MessageId } from '@/lib/events'
import type { Graph, History } from '@/lib/protocol'
import type { Size } from './geometry'

export interface ConversationGraphProps {
  graph: Graph
  /** the branch being read */
  branchId: BranchId
  selectedId: MessageId | null
  /** a click on a message */
  onSelect(id: MessageId): void
  onDeselect(): void
  /** goes to a message in the thread */
  onOpen(id: MessageId): void
  /** `cameFrom` is the branch that was read before the first click of a double click */
  onBranchFrom(id: MessageId, cameFrom?: BranchId): void
  saveCheckpoint(id: MessageId, name: string): void
  removeCheckpoint(name: string): void
  restore(checkpointName: string): void
  switchTo(branchId: BranchId): void
  renameBranch(branchId: BranchId, name: string): void
  /** asks which messages are asked again */
  replay(branchId: BranchId | null, messageId: MessageId | null): void
  /** asks what a link opens */
  share(branchId: BranchId | null, messageId: MessageId | null): void
  /** asks whether an agent goes on from a message */
  steer?(id: MessageId): void
  /** asks where messages go, and how */
  merging: OnMerging['merging']
  archive(branchId: BranchId): void
  unarchive(branchId: BranchId): void
  /** address that compares two branches; comparing is offered only if given */
  compareUrl?: (left: BranchId, right: BranchId) => Route
  /** brings the graph into view, for a command of the palette */
  onReveal?(): void
  /** searches the full text of the chat's messages */
  findText?: FindText
  /** other times of the chat; offered only if given */
  travel?: TimeTravel
  /** its reader can look around, and change nothing */
  readOnly?: boolean
  /** a server action is under way */
  pending?: boolean
  layout: GraphLayout
  onLayout(layout: GraphLayout): void
  /** it fills the window */
  full: boolean
  onFull(full: boolean): void
  /** the size its drawing will probably have: it is drawn with the first render then, not after one */
  opening?: () => Size | null
  /** the replies on their way whose words this page receives */
  writing?: readonly WritingReply[]
}

export type WritingReply = Pick<Turn, 'replyId' | 'chat'>

/** The functions that the explorer needs from its parent. */
export type GraphActions = Omit<
  ConversationGraphProps,
  'graph' | 'branchId' | 'selectedId' | 'travel' | 'pending' | Place
>

type Place = 'layout' | 'onLayout' | 'full' | 'onFull' | 'writing'

/** The time at which the graph is shown, and what the explorer asks of its parent then. */
export interface TimeTravel {
  /** the history is laid out below the graph */
  isOpen: boolean
  /** the number of movements made by then; null for now */
  position: number | null
  /** null until it is loaded */
  history: History | null
  failed: boolean
  onOpen(isOpen: boolean): void
  onGo(position: number | null): void
  onReadAgain(): void
  /** the history, with the line of time in it */
  frame(line: ReactNode): ReactNode
  /** shows a message of the past in the thread, and changes nothing; `andRead` goes there */
  onLook(id: MessageId, andRead: boolean): void
  /** opens a branch at a message, named after the branch it is seen on; answers whether that worked */
  onBranchFrom(id: MessageId, branchId: BranchId): Promise<boolean>
}

/** Searches the full text of a chat's messages. */
export type FindText = (words: string, signal: AbortSignal) => Promise<readonly MessageId[]>
