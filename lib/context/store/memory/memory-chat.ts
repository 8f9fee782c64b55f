import type { BranchId, ChatId, ContextId, LoggedEvent, MessageId, RunId } from '@/lib/events'
import type { Committed } from '../change'
import type { BranchData, ChatData, CheckpointData, ContextData, MessageData } from '../records'
import type { Journal } from './journal'

/** A line of replies: it hangs below (`parentLane`, `baseDepth - 1`), or is a root's when `parentLane` is null. */
export interface MemoryLane {
  parentLane: number | null
  baseDepth: number
  /** the lane's messages; the first one stands at `baseDepth` */
  ids: MessageId[]
}

export interface MemoryMessage {
  record: MessageData
  preview: string
  lane: number
  depth: number
}

export type MemoryBranch = Omit<BranchData, 'isActive'>

export interface MemoryRun {
  id: RunId
  branchId: BranchId
  replyTo: MessageId
  replyId: MessageId
  model: string
  contextId: ContextId | null
  status: 'queued' | 'running' | 'completed' | 'stopped' | 'failed'
  fence: number
}

/** Everything the store keeps about one chat; the tables of DESIGN.md §6 as maps. */
export interface MemoryChat {
  chat: ChatData
  activeBranchId: BranchId
  lanes: MemoryLane[]
  messages: Map<MessageId, MemoryMessage>
  branches: Map<BranchId, MemoryBranch>
  /** by name */
  checkpoints: Map<string, CheckpointData>
  contexts: Map<ContextId, ContextData>
  runs: Map<RunId, MemoryRun>
  /** in commit order: `seq` is the index plus one */
  events: LoggedEvent[]
  /** the last event number of every stream */
  lastNumbers: Map<string, number>
  /** which stream recorded a message, and at which number */
  recorded: Map<MessageId, { streamId: string; eventNumber: number }>
}

/** All chats of a store. */
export type MemoryChats = Map<ChatId, MemoryChat>

/** A change while it is being applied: the chat, the way back, and what the answer will say. */
export interface Work {
  readonly chats: MemoryChats
  readonly chat: MemoryChat
  readonly at: number
  readonly journal: Journal
  readonly touched: Set<BranchId>
  readonly marks: Set<string>
  readonly unmarked: string[]
  readonly placed: Committed['placed']
  /** the branch the last messages of this change landed on */
  landed?: BranchId
}
