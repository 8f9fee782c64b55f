import type { BranchId, CheckpointId, ContextId, MessageId, RunId } from './ids'

/** One thing that a change does to a chat. `decide` says what it makes true; SQL reads these shapes as JSON. */
export type Step =
  | AppendMessages
  | OpenBranch
  | { kind: 'switch-branch'; branchId: BranchId }
  | { kind: 'rename-branch'; branchId: BranchId; name: string }
  /** what a branch is about in a few words; the first title stays */
  | { kind: 'title-branch'; branchId: BranchId; title: string }
  | SetContext
  | { kind: 'archive-branch'; branchId: BranchId }
  | { kind: 'unarchive-branch'; branchId: BranchId }
  | { kind: 'save-checkpoint'; checkpointId: CheckpointId; name: string; messageId: MessageId }
  | { kind: 'remove-checkpoint'; name: string }
  /** `instead`: the title is given only where the chat still has this one */
  | { kind: 'update-chat'; title?: string; instead?: string; metadata?: Record<string, unknown> }
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
  /** `user`, `assistant`, or the name the fragment had */
  name: string
  type?: string
  data: unknown
  /** at most 160 characters of its text */
  preview: string
  /** a partial reply says how it ended; a whole message has none */
  status?: 'stopped' | 'failed'
  mergeParentId?: MessageId
  copiedFromId?: MessageId
  contextId?: ContextId
  runId?: RunId
  createdAt: number
  /** the ids of the stored files that its parts name: its chat holds them from now on */
  files?: string[]
  /** for a reply: model and usage, for its event */
  reply?: {
    model: string | null
    usage: { inputTokens?: number; cachedTokens?: number; outputTokens?: number } | null
  }
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

/** Puts a context in force on a branch, from its next message on. Messages that are there keep theirs. */
export interface SetContext {
  kind: 'set-context'
  branchId: BranchId
  /** the context the writer replaces, or nothing is written and the caller gets `ContextMovedError`; null for none */
  expectedContextId: ContextId | null
  contextId: ContextId
}

/** What a person says to a tool that waits: whether it may run, and why not. */
export interface ToolAnswer {
  /** of the waiting part (`approval.id`) */
  approvalId: string
  approved: boolean
  reason?: string
}

/**
 * Queues the reply to a user message, or with `answers` what a reply goes on with once its waiting tools are answered; with
 * `leaseMs` the caller claims it in the same write.
 */
export interface QueueRun {
  kind: 'queue-run'
  runId: RunId
  branchId: BranchId
  replyTo: MessageId
  replyId: MessageId
  model: string
  /** the context of the reply, when it is not the branch's */
  contextId?: ContextId
  /** of the tools that wait in the message `replyTo` */
  answers?: ToolAnswer[] | null
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
