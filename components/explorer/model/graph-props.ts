import type { Route } from 'next'
import type { BranchId, MessageId } from '@/lib/events'
import type { Graph, History } from '@/lib/protocol'

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
  onSaveCheckpoint(id: MessageId, name: string): void
  onRemoveCheckpoint(name: string): void
  onRestore(checkpointName: string): void
  onSwitch(branchId: BranchId): void
  onRenameBranch(branchId: BranchId, name: string): void
  onArchive(branchId: BranchId): void
  onUnarchive(branchId: BranchId): void
  /** where two branches are compared; comparing is offered only if given */
  compareUrl?: (left: BranchId, right: BranchId) => Route
  /** looks through all that the chat's messages say, for finding in the graph */
  findText?: FindText
  /** other times of the chat; offered only if given */
  travel?: TimeTravel
  /** a move is on its way */
  pending?: boolean
}

/** What can be done from the drawing, apart from moving about in it. */
export type GraphActions = Omit<
  ConversationGraphProps,
  'graph' | 'branchId' | 'selectedId' | 'travel' | 'pending'
>

/** Which time the graph is looked at, and what the explorer asks its parent for while it is. */
export interface TimeTravel {
  /** the history is laid out below the graph */
  isOpen: boolean
  /** how many movements had been made; null for now */
  position: number | null
  /** null until it has been read */
  history: History | null
  failed: boolean
  onOpen(isOpen: boolean): void
  onGo(position: number | null): void
  onReadAgain(): void
  /** a message of the past was picked: it is shown in the thread, and nothing is changed; `andRead` goes there */
  onLook(id: MessageId, andRead: boolean): void
  /** opens a branch at a message, named after the branch it is seen on; answers whether it could be had */
  onBranchFrom(id: MessageId, branchId: BranchId): Promise<boolean>
}

/** Looks through all of what a chat's messages say. */
export type FindText = (words: string, signal: AbortSignal) => Promise<readonly MessageId[]>
