// The state of a chat, folded from its events: `decide` reads it.

import type { BranchId, ChatId, CheckpointId, ContextId, MessageId } from './ids'

/** One branch, folded from its events. The log calls it a thread. */
export interface Thread {
  id: BranchId
  name: string
  /** its subject in a few words, once a model has named it */
  title: string | null
  /** the thread it was forked from */
  parentThreadId: BranchId | null
  /** the last event it inherits from that thread */
  fromEventNumber: number
  /** the number of its last event; inherited events count too */
  number: number
  headMessageId: MessageId | null
  contextId: ContextId | null
  /** ms since 1970, like every time here */
  createdAt: number
  archivedAt: number | null
}

/** A checkpoint, folded from the log. */
export interface SavedCheckpoint {
  /** null for old checkpoints: their events have no id */
  id: CheckpointId | null
  name: string
  messageId: MessageId
  savedAt: number
}

/** An agent's steering by a person, kept by the branch that the agent writes on. */
export interface Steering {
  /** null where that was taken back */
  to: BranchId | null
  at: number
  /** time at which its next call went on there; null until then */
  followedAt: number | null
}

/** The refs of one chat, folded from its log. */
export interface ChatRefs {
  chatId: ChatId
  /** the position of the chat's last event, of any thread, in commit order; 0 before the first */
  seq: number
  /** the number of the last event of the chat itself: renames, switches, checkpoints */
  number: number
  title: string | null
  metadata: Readonly<Record<string, unknown>>
  /** null before the first event */
  activeThreadId: BranchId | null
  /** in the order they were made */
  threads: ReadonlyMap<BranchId, Thread>
  /** by name */
  checkpoints: ReadonlyMap<string, SavedCheckpoint>
  /** by the branch that the agent wrote on */
  steerings: ReadonlyMap<BranchId, Steering>
  /** the event whose move Undo takes back next: a `MoveMade` or a `MoveRedone`; null when there is none */
  undoSeq: number | null
  /** the `MoveUndone` whose move Redo makes again next */
  redoSeq: number | null
  /** the `MoveMade` that was logged last, with its first event and what Undo finds after it */
  lastMove: { seq: number; firstSeq: number; previous: number | null } | null
  createdAt: number
  /** when the latest of its events was logged */
  updatedAt: number
}

/** The place of a message in the log. */
export interface RecordedMessage {
  threadId: BranchId
  eventNumber: number
  parentId: MessageId | null
  /** the context that applied to it: a reply's own, otherwise its thread's at that time */
  contextId: ContextId | null
}

/** The event of a thread from which a context applies. */
export interface ContextMark {
  eventNumber: number
  contextId: ContextId | null
}

/** The event of a thread that moved its head without a message, and where the head stood before. */
export interface HeadMark {
  eventNumber: number
  from: MessageId | null
}

/** The refs of a chat, all of its messages, and the contexts of each thread, oldest first. */
export interface ChatState extends ChatRefs {
  messages: ReadonlyMap<MessageId, RecordedMessage>
  contexts: ReadonlyMap<BranchId, readonly ContextMark[]>
  /** moves of heads without a message, oldest first; a thread without any is missing */
  headMoves: ReadonlyMap<BranchId, readonly HeadMark[]>
  /** answers questions about the unread events of a chat that was read in part */
  inPart?: InPart
}

/** Answers of a chat that was read in part; a chat that was read whole is searched instead. */
export interface InPart {
  isNameTaken(name: string): boolean
  /** as `freeBranchName` */
  freeName(base: string): string
  /** as `threadAt` */
  threadAt(threadId: BranchId, number: number): ThreadStand
}

/** The stand of a thread after an event: `head` is null before the first message; both are null for an unknown thread. */
export interface ThreadStand {
  head: MessageId | null
  contextId: ContextId | null
}

/** The refs of a chat before its first event. */
export const noRefs = (chatId: ChatId): ChatRefs => ({
  chatId,
  seq: 0,
  number: 0,
  title: null,
  metadata: {},
  activeThreadId: null,
  threads: new Map(),
  checkpoints: new Map(),
  steerings: new Map(),
  undoSeq: null,
  redoSeq: null,
  lastMove: null,
  createdAt: 0,
  updatedAt: 0,
})

/** A chat without events. */
export const noChat = (chatId: ChatId): ChatState => ({
  ...noRefs(chatId),
  messages: new Map(),
  contexts: new Map(),
  headMoves: new Map(),
})

/**
 * The head and the context of a thread right after one of its events, which may be inherited. `thread_at` answers the same
 * in SQL, for a chat that was read in part. Every fork begins with a mark of the context it inherits. Walks back message by message from where the head stood
 * before it was next moved, else from where it stands.
 *
 * @param number 0 (before the first event) up to the thread's last event
 */
export function threadAt(state: ChatState, threadId: BranchId, number: number): ThreadStand {
  if (state.inPart) return state.inPart.threadAt(threadId, number)
  let thread = state.threads.get(threadId)
  while (thread && number <= thread.fromEventNumber) {
    thread = thread.parentThreadId === null ? undefined : state.threads.get(thread.parentThreadId)
  }
  if (!thread) return { head: null, contextId: null }
  const mark = state.contexts.get(thread.id)?.findLast(({ eventNumber }) => eventNumber <= number)
  const contextId = mark?.contextId ?? null
  const moved = state.headMoves.get(thread.id)?.find(({ eventNumber }) => eventNumber > number)
  let head = moved ? moved.from : thread.headMessageId
  for (;;) {
    const message = head === null ? undefined : state.messages.get(head)
    if (!message || message.threadId !== thread.id || message.eventNumber <= number)
      return { head, contextId }
    head = message.parentId
  }
}
