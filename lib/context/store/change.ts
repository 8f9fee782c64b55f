import type { BranchId, ChatId, CheckpointId, ContextId, MessageId, RunId, UserId } from '@/lib/events'
import type { BranchData, CheckpointData, ContextData } from './records'

/**
 * Everything one write does. The store applies the steps in order, in one transaction, and writes one event
 * for every fact in it; either all of it is found again, or none.
 */
export interface Change {
  chatId: ChatId
  /** with it, a chat that belongs to someone else is not found; library callers leave it out */
  ownerId?: UserId
  /** the time of everything written, in milliseconds */
  at: number
  /** makes the chat and its first branch, unless the chat exists */
  create?: {
    userId: UserId
    title?: string
    metadata?: Record<string, unknown>
    branchId: BranchId
    branchName?: string
    /** the first branch's context */
    contextId?: ContextId
  }
  /** contexts the steps refer to; one that is stored already is left alone */
  contexts?: ContextData[]
  steps: Step[]
  /** for the end of a reply: what it has cost besides, for who counts (quotas); nothing of it is stored in the chat */
  spent?: {
    tokens: number
    /** calls of the model beyond the one that was counted when the run was queued */
    calls: number
  }
}

export type Step =
  | AppendMessages
  | OpenBranch
  | { kind: 'switch-branch'; branchId: BranchId }
  | { kind: 'rename-branch'; branchId: BranchId; name: string }
  | { kind: 'archive-branch'; branchId: BranchId }
  | { kind: 'unarchive-branch'; branchId: BranchId }
  | { kind: 'save-checkpoint'; checkpointId: CheckpointId; name: string; messageId: MessageId }
  | { kind: 'remove-checkpoint'; name: string }
  | { kind: 'update-chat'; title?: string; metadata?: Record<string, unknown> }
  | QueueRun
  | FinishRun

/** Appends a line of messages below `expectedHead` and moves the branch to the last of them. */
export interface AppendMessages {
  kind: 'append'
  branchId: BranchId
  /** where the branch must stand, or nothing is written and the caller gets `HeadConflictError` */
  expectedHead: MessageId | null
  /** a finishing reply lands on a new branch of this id instead, when its own has moved on */
  orBranchId?: BranchId
  /** the branch's context from now on */
  contextId?: ContextId
  messages: NewMessage[]
}

export interface NewMessage {
  id: MessageId
  name: string
  type?: string
  data: unknown
  /** at most 160 characters of its text */
  preview: string
  status?: 'stopped' | 'failed'
  mergeParentId?: MessageId
  copiedFromId?: MessageId
  contextId?: ContextId
  runId?: RunId
  createdAt: number
  /** for a reply: what the event says of how it was made */
  reply?: { model: string | null; usage: { inputTokens?: number; outputTokens?: number } | null }
}

/** Opens a branch at a message (or empty) and records which thread it forked from, and where. */
export interface OpenBranch {
  kind: 'open-branch'
  branchId: BranchId
  /** an exact name; without it the lowest free `{after}-v{n}`, n ≥ 2, archived names included */
  name?: string
  after: string
  at: MessageId | null
  fork?: ForkPoint
  /** without it: the context in force at `at`, else that of the thread forked from */
  contextId?: ContextId
  activate: boolean
}

/**
 * Where a thread leaves another one: at the record of a message, in whichever thread that is (`before` leaves the message
 * out: an edit), or after an event of a thread's history, inherited ones included; then `at` is where that one stood.
 */
export type ForkPoint =
  | { messageId: MessageId; before?: boolean }
  | { threadId: BranchId /** from 1 to the thread's last */; eventNumber: number }

/** Queues the reply to a user message; with `leaseMs` the caller claims it in the same write. */
export interface QueueRun {
  kind: 'queue-run'
  runId: RunId
  branchId: BranchId
  replyTo: MessageId
  replyId: MessageId
  model: string
  /** what the reply is made in, when that is not the branch's context */
  contextId?: ContextId
  leaseMs?: number
}

/** Ends a run that this caller still holds (`fence`); a terminal state never changes again. */
export interface FinishRun {
  kind: 'finish-run'
  runId: RunId
  fence: number
  status: 'completed' | 'stopped' | 'failed'
  error?: { kind: string; message: string; advice: string }
}

/** A branch as a committed change reports it, with the place of its head. */
export type CommittedBranch = Omit<BranchData, 'isActive'> & {
  headLane: number | null
  headDepth: number | null
}

/** Where the messages of one append stand: `count` of them, down one lane from `depth`. */
export interface PlacedMessages {
  branchId: BranchId
  lane: number
  depth: number
  count: number
  /** true when the lane was opened for them */
  opened: boolean
  /** the lane of the message above the first of them; null for a root */
  parentLane: number | null
}

/** What a committed change did: the refs it moved and the places its messages took. */
export interface Committed {
  /** the chat's last event number in commit order, after this change */
  seq: number
  /** true when the change made the chat */
  created: boolean
  title: string | null
  activeBranchId: BranchId
  /** one entry for every append, in order */
  placed: PlacedMessages[]
  branches: CommittedBranch[]
  checkpoints: CheckpointData[]
  removedCheckpoints: string[]
}
