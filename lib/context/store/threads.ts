import type { LoggedEvent, RunState } from '@/lib/events'
import type { Change, NewMessage } from './change'

// Input and output of the HTTP commands and reads of threads (DESIGN.md §9). Times are milliseconds.

/** A thread in a list. */
export interface ThreadSummary {
  threadId: string
  chatId: string
  title: string | null
  /** the thread it was forked from, and the last event it inherits; null for a first one */
  parentThreadId: string | null
  fromEventNumber: number | null
  headMessageId: string | null
  createdAt: number
  /** when its own last event was recorded */
  updatedAt: number
}

export interface ThreadMessage {
  /** number of the event that recorded it */
  eventNumber: number
  messageId: string
  role: string
  /** its text */
  content: string
  parentId: string | null
  createdAt: number
}

/** An event in today's shape, with the text of the message it recorded. */
export type ThreadEvent = LoggedEvent & { content?: string }

export interface ThreadHead {
  chatId: string
  headMessageId: string | null
  /** role of the head message, and how it ended when it is a partial reply */
  role: string | null
  partial: 'stopped' | 'failed' | null
  /** the thread's last one */
  eventNumber: number
  /** a reply to the head is queued or being written */
  running: boolean
  /** status of the last attempt to answer the head on this thread */
  lastRun: RunState['status'] | null
}

/** A page after an event number. It ends early, but never empty, once its messages are as long as that many bytes. */
export interface AfterEvent {
  after: number
  limit: number
  bytes: number
}

/** The items of a page, in order, and the event the next page begins after; null after the last page. */
export interface EventPage<T> {
  found: T[]
  next: number | null
}

/** A page of a list, beginning after the thread `before`, the last one of the page before. */
export interface ThreadPage {
  before?: string | undefined
  limit: number
}

/** Lets a command be sent again: under the same key, the same command gets its first answer and does nothing. */
export interface CommandKey {
  key: string
  /** name of the command */
  route: string
  /** SHA-256 of the command's body */
  bodyHash: string
}

export interface ThreadCommand {
  ownerId: string
  /** with it, the command can be sent again and is carried out once */
  once?: CommandKey | undefined
}

/** Makes a chat whose first branch is the thread; the change creates both. */
export interface CreateThread extends ThreadCommand {
  threadId: string
  change: Change
}

export interface SendMessage extends ThreadCommand {
  threadId: string
  at: number
  message: NewMessage
  /** its reply; `model` counts where the thread's own choice is not one of `models` */
  run: { runId: string; replyId: string; model: string }
  models: readonly string[]
  /** the thread's last event number, or nothing is written */
  expectedVersion?: number | undefined
}

export interface ForkThread extends ThreadCommand {
  sourceThreadId: string
  newThreadId: string
  /** the last event the fork inherits */
  eventNumber: number
  at: number
}

/** A change planned on an earlier read, under the thread's expected version and the caller's key. */
export interface PlannedChange<T extends object> extends ThreadCommand {
  change: Change
  /** answer to the caller; an answer with a `thread_id` also gets that thread's last event number */
  answer: T
  threadId?: string | undefined
  expectedVersion?: number | undefined
}

/** Answer to a command, in the words of CONTRACT.md: it is stored as it is here. */
export interface CreatedThread {
  chat_id: string
  thread_id: string
  event_number: number
}

export interface SentMessage {
  thread_id: string
  message_id: string
  event_number: number
}

export interface ForkedThread {
  thread_id: string
  parent_thread_id: string
  from_event_number: number
  event_number: number
}

/** `repeated`: the command was carried out before, and `answer` is its answer then. */
export interface Answered<T> {
  answer: T
  repeated: boolean
}
