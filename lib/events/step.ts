import type { EventType, Fact, MoveKind } from './event'
import type { BisectId, BranchId, CheckpointId, ContextId, MessageId, ReplayId, RunId } from './ids'

/**
 * One thing that a change does to a chat. `decide` makes its facts; SQL reads these shapes as JSON. `dated`: the time
 * of its events, in milliseconds, where that is not the time of the change.
 */
export type Step = Deed & { dated?: number }

type Deed =
  | AppendMessages
  | OpenBranch
  | { kind: 'switch-branch'; branchId: BranchId }
  | { kind: 'rename-branch'; branchId: BranchId; name: string }
  /** names a branch's subject in a few words; the first title stays */
  | { kind: 'title-branch'; branchId: BranchId; title: string }
  | SetContext
  | { kind: 'archive-branch'; branchId: BranchId }
  | { kind: 'unarchive-branch'; branchId: BranchId }
  | { kind: 'save-checkpoint'; checkpointId: CheckpointId; name: string; messageId: MessageId }
  | { kind: 'remove-checkpoint'; name: string }
  /** `instead`: the title is given only where the chat still has this one */
  | { kind: 'update-chat'; title?: string; instead?: string; metadata?: Record<string, unknown> }
  /** notes that messages of this change came from another server; null for a push, which names none */
  | { kind: 'note-received'; remote: string | null; messages: number }
  | NoteFact
  | QueueRun
  | FinishRun
  | MoveHead
  | RecordFact
  | MarkMove
  | MarkUndone
  | BeginReplay
  | { kind: 'keep-bisect'; bisect: BisectState }
  | KeepNodes
  | SteerAgent
  | FollowSteering
  | MoveReplay

/** Appends a line of messages below `expectedHead` and moves the branch to the last of them. */
export interface AppendMessages {
  kind: 'append'
  branchId: BranchId
  /** the head that the branch must have, or nothing is written and the caller gets `HeadConflictError` */
  expectedHead: MessageId | null
  /** a finishing reply lands on a new branch of this id instead, when its own has moved on */
  orBranchId?: BranchId
  /** the branch's context from now on */
  contextId?: ContextId
  /** refused while a reply is being written on the branch: messages below its question would make it a sibling */
  whenIdle?: boolean
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
  /** the time of its event, in milliseconds, where that is not the time of its step */
  dated?: number
  /** the ids of the stored files that its parts name: its chat holds them from now on */
  files?: string[]
  /** for a reply: model and usage, for its event */
  reply?: {
    model: string | null
    usage: {
      inputTokens?: number
      cachedTokens?: number
      cacheWriteTokens?: number
      outputTokens?: number
    } | null
    /** written in another program: its tokens do not count as used here */
    imported?: true
  }
}

/** Opens a branch at a message (or empty) and records which thread it forked from, and where. */
export interface OpenBranch {
  kind: 'open-branch'
  branchId: BranchId
  /** an exact name; without it a free `{after}-v{n}`, as `freeBranchName`, archived names included */
  name?: string
  after: string
  at: MessageId | null
  fork?: ForkPoint
  /** without it: the context in force at `at`, else the context of the thread forked from */
  contextId?: ContextId
  /** in no context, whatever is in force there: the branch of a late reply whose own branch had none, restored */
  noContext?: true
  activate: boolean
}

/**
 * The point at which a thread leaves another one: the record of a message, in any thread (`before` leaves the message
 * out: an edit), or an event of a thread's history, inherited ones included; then `at` is the head of that thread
 * after the event.
 */
export type ForkPoint =
  | { messageId: MessageId; before?: boolean }
  | { threadId: BranchId /** from 1 to the thread's last */; eventNumber: number }

/** Puts a context in force on a branch, from its next message on. Messages that are there keep theirs. */
interface SetContext {
  kind: 'set-context'
  branchId: BranchId
  /** the context the writer replaces, or nothing is written and the caller gets `ContextMovedError`; null for none */
  expectedContextId: ContextId | null
  /** null only where Undo puts a branch back that had none */
  contextId: ContextId | null
}

/** Moves a branch that stands at `expectedHead` to another message; refused while a reply is being written on it. */
export interface MoveHead {
  kind: 'move-head'
  branchId: BranchId
  expectedHead: MessageId | null
  headId: MessageId | null
}

/** Tells the log what the messages before it are: a merge, a summary, the beginning of a replay; in a restored chat, how a reply ended. */
interface RecordFact {
  kind: 'record'
  branchId: BranchId
  fact: RecordedFact
}

type RecordedType = Extract<
  EventType,
  'ThreadsMerged' | 'ThreadCompacted' | 'ReplayStarted' | 'ReplyFailed' | 'ReplyStopped'
>
type RecordedFact<T extends RecordedType = RecordedType> = T extends RecordedType
  ? Omit<Fact<T>, 'streamId'>
  : never

/** Notes what became of a proposal that was made to the chat, and who was let into it. */
interface NoteFact {
  kind: 'note'
  fact: NotedFact
}

export type NotedFact<T extends NotedType = NotedType> = T extends NotedType
  ? Omit<Fact<T>, 'streamId'>
  : never
type NotedType = Extract<EventType, `Proposal${string}` | `Member${string}`>

/** Makes everything that the change has logged so far one move, which Undo takes back; nothing logged is no move. */
interface MarkMove {
  kind: 'mark-move'
  move: MoveKind
  /**
   * The position of a move that this one makes whole: Undo takes both back at once. It counts while that move is the chat's
   * last event; something written in between leaves them two moves.
   */
  joins?: number
  /** the last event before the move; without it, before the change */
  since?: number
}

/** Says that the steps before it took a move back, or made it again. */
export interface MarkUndone {
  kind: 'mark-undone' | 'mark-redone'
  /** the position of its `MoveMade` */
  moveSeq: number
  /** the position of the event that Undo (Redo) finds next, which marks a move; null for nothing */
  next: number | null
}

/** A person's answer to a tool that waits: permission to run, or a refusal with its reason. */
export interface ToolAnswer {
  /** the waiting part's `approval.id` */
  approvalId: string
  approved: boolean
  reason?: string
}

/**
 * Queues the reply to a user message, or with `answers` what a reply goes on with once its waiting tools are answered; with
 * `continues` it goes on with a cut reply; with `leaseMs` the caller claims it in the same write.
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
  /** answers to the tools that wait in the message `replyTo` */
  answers?: ToolAnswer[] | null
  /** the cut reply to `replyTo` that it goes on with */
  continues?: MessageId | null
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

/** Progress of a replay. */
export interface ReplayState {
  id: ReplayId
  /** number of its questions that were asked */
  asked: number
  /** the last of them, as it stands on the branch; null before the first */
  lastId: MessageId | null
  /** it goes on without files and tools that are gone */
  anyway: boolean
  status: 'running' | 'paused' | 'done' | 'stopped'
  /** why it is paused or stopped, in words; null where a person did that */
  reason: string | null
}

/** Begins a replay on a branch that is opened for it. Like a run it is no event: its questions and replies are. */
export interface BeginReplay {
  kind: 'begin-replay'
  branchId: BranchId
  replay: ReplayState & {
    /** the branch whose messages are asked again */
    sourceBranchId: BranchId
    /** those messages, in order */
    questions: MessageId[]
    /** said in place of the first one's text */
    content: string | null
    /** the model that was chosen for it; null for the model of the context */
    model: string | null
    contextId: ContextId
  }
}

/**
 * Moves a replay on from the state of `version`; refused with `ReplayMovedError` when the replay has moved meanwhile.
 */
export interface MoveReplay {
  kind: 'move-replay'
  /** the branch on which it goes on */
  branchId: BranchId
  replay: ReplayState & { version: number }
}

/**
 * Keeps the hashes by which agents name messages (`lib/gateway/chain`). Like a run it is no event. A hash that
 * already names another message of the owner is refused with `HeadConflictError`: another call has said the same
 * meanwhile.
 */
export interface KeepNodes {
  kind: 'keep-nodes'
  nodes: NamedNode[]
  /**
   * the agent that says them, and its branch; absent for a person's messages, which are named so that an agent finds
   * them
   */
  agent?: { branchId: BranchId; client?: string; keyId?: string }
}

/** Has the agent that writes on a branch go on with another one from its next call on; null takes that back. */
interface SteerAgent {
  kind: 'steer-agent'
  branchId: BranchId
  targetId: BranchId | null
}

/** A steered agent has called. Refused with `HeadConflictError` where it is steered elsewhere by now, or not any more. */
interface FollowSteering {
  kind: 'follow-steering'
  /** the branch that it wrote on */
  branchId: BranchId
  /** the branch that it was steered to */
  targetId: BranchId
  /** the branch on which it goes on: that one, or a new one when messages could not go on there */
  onBranchId: BranchId
}

/** A message, and a hash by which agents name it. */
export interface NamedNode {
  /** in hex, 64 digits */
  hash: string
  messageId: MessageId
  /**
   * hash that the hashes below go on from, unless it is this one; when two messages have the same, the newer one wins
   */
  chain?: string
  /** the message's chain is not what the agent sends; when two messages have the same hash, the newer one wins */
  moved?: boolean
}

/** Who says whether a reply still says it. */
export type BisectJudge =
  | { kind: 'person' }
  /** the reply contains the text, whatever the case of its letters */
  | { kind: 'text'; text: string }
  | { kind: 'pattern'; pattern: string }
  /** a model is asked whether the reply does what `what` says */
  | { kind: 'model'; what: string }

/** Progress of the search for the turn that made a reply say something. Like a run it is no event. */
export interface BisectState {
  id: BisectId
  /** version of the state that this one replaces; without it the bisect begins */
  version?: number
  replyId: MessageId
  questionId: MessageId
  /** the first and the last message of every turn above the question */
  turns: { first: MessageId; last: MessageId }[]
  judge: BisectJudge
  /** it is not said below so many turns (-1: below none), and it is below so many */
  low: number
  high: number
  /** the present question: below so many turns, or below all but the one that was found (`isWithout`) */
  probe: number | null
  isWithout: boolean
  branchId: BranchId | null
  askedId: MessageId | null
  runs: number
  status: 'running' | 'waiting' | 'paused' | 'done' | 'stopped'
  reason: string | null
  /** the first message of the turn that made the difference */
  foundId: MessageId | null
  confirmed: boolean | null
}
