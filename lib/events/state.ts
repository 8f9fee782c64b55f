import type { BranchId, ChatId, CheckpointId, ContextId, MessageId } from './ids'

/** A thread (a branch, as the log sees it) as its events tell it. */
export interface Thread {
  id: BranchId
  name: string
  /** the thread it was forked from, and the last event it inherits from there */
  parentThreadId: BranchId | null
  fromEventNumber: number
  /** its last event, counted along its whole inherited history */
  number: number
  headMessageId: MessageId | null
  contextId: ContextId | null
  /** ms since 1970, like every time here */
  createdAt: number
  archivedAt: number | null
}

/** A checkpoint as the log tells it. */
export interface SavedCheckpoint {
  /** null for a checkpoint that was saved before events carried it */
  id: CheckpointId | null
  name: string
  messageId: MessageId
  savedAt: number
}

/** The refs of one chat, folded from its log. */
export interface ChatRefs {
  chatId: ChatId
  /** the last event of the chat, in commit order; 0 before the first */
  seq: number
  /** the last event of the chat's own stream */
  number: number
  title: string | null
  metadata: Readonly<Record<string, unknown>>
  /** null before the first event */
  activeThreadId: BranchId | null
  /** in the order they were made */
  threads: ReadonlyMap<BranchId, Thread>
  /** by name */
  checkpoints: ReadonlyMap<string, SavedCheckpoint>
  createdAt: number
  /** when the latest of its events was logged */
  updatedAt: number
}

/** Where a message was recorded. */
export interface RecordedMessage {
  threadId: BranchId
  eventNumber: number
  parentId: MessageId | null
  /** the context in force at it by the log: that of a reply, else that of its thread at the time */
  contextId: ContextId | null
}

/** From which event of a thread on a context is in force. */
export interface ContextMark {
  eventNumber: number
  contextId: ContextId | null
}

/** The state that `decide` reads: refs, every message, and the contexts of each thread in their order. */
export interface ChatState extends ChatRefs {
  messages: ReadonlyMap<MessageId, RecordedMessage>
  contexts: ReadonlyMap<BranchId, readonly ContextMark[]>
}

export const noRefs = (chatId: ChatId): ChatRefs => ({
  chatId,
  seq: 0,
  number: 0,
  title: null,
  metadata: {},
  activeThreadId: null,
  threads: new Map(),
  checkpoints: new Map(),
  createdAt: 0,
  updatedAt: 0,
})

/** A chat without events. */
export const noChat = (chatId: ChatId): ChatState => ({
  ...noRefs(chatId),
  messages: new Map(),
  contexts: new Map(),
})

/**
 * Where a thread stood after one of the events of its history, inherited ones included, and the context in force there:
 * what `thread_at` answers in SQL. Goes back message by message from the thread's head.
 *
 * @param number from 0, before the first event, to the thread's last
 * @returns no head before the first message; neither for a thread that is not there
 */
export function threadAt(
  state: ChatState,
  threadId: BranchId,
  number: number,
): { head: MessageId | null; contextId: ContextId | null } {
  let thread = state.threads.get(threadId)
  while (thread && number <= thread.fromEventNumber) {
    thread = thread.parentThreadId === null ? undefined : state.threads.get(thread.parentThreadId)
  }
  if (!thread) return { head: null, contextId: null }
  const mark = state.contexts.get(thread.id)?.findLast(({ eventNumber }) => eventNumber <= number)
  const contextId = mark?.contextId ?? null
  let head = thread.headMessageId
  for (;;) {
    const message = head === null ? undefined : state.messages.get(head)
    if (!message || message.threadId !== thread.id || message.eventNumber <= number)
      return { head, contextId }
    head = message.parentId
  }
}
