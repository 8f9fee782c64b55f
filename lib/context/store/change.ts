import type { BranchId, ChatId, ContextId, Step, UserId } from '@/lib/events'
import type { BranchData, CheckpointData, ContextData } from './records'

// the steps are defined where they are decided
export type {
  AppendMessages,
  BeginReplay,
  BisectJudge,
  BisectState,
  FinishRun,
  ForkPoint,
  KeepNodes,
  MoveKind,
  MoveReplay,
  NamedNode,
  NewMessage,
  OpenBranch,
  QueueRun,
  ReplayState,
  Step,
} from '@/lib/events'

/**
 * Everything one write does. The store applies the steps in order, in one transaction, and writes one event
 * for every fact in it; after a crash either all of it is stored or none.
 */
export interface Change {
  chatId: ChatId
  /** with it, another person's chat is not found; library callers leave it out */
  ownerId?: UserId
  /** the time in milliseconds of all writes without a time of their own */
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
    /** when the chat was begun, in milliseconds, where that is not the time of the change */
    at?: number
    /** for a clone: the origin (a UUID) of the chat that was cloned */
    origin?: string
  }
  /** the chat's last event as the writer saw it: nothing is written when there is a later one (`HeadConflictError`) */
  expectedSeq?: number
  /** contexts the steps refer to; stored ones are left alone */
  contexts?: ContextData[]
  steps: Step[]
  /** for the end of a reply: its further cost, for quotas; not stored in the chat */
  spent?: {
    tokens: number
    /** calls of the model after the first, which was counted when the run was queued */
    calls: number
    /** the end of a reply without a run: counted, and never refused */
    ending?: boolean
  }
}

/** A branch as a committed change reports it, with the place of its head. */
export type CommittedBranch = Omit<BranchData, 'isActive'> & {
  headLane: number | null
  headDepth: number | null
}

/** Place of the messages of one append: `count` of them, down one lane from `depth`. */
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

/** Result of a committed change: the refs it moved and the places of its messages. */
export interface Committed {
  /** the chat's last event number in commit order, after this change */
  seq: number
  /** the position of the change's mark (`mark-move`); null for a change without a move */
  moveSeq: number | null
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
