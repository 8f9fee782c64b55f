import type {
  AfterEvent,
  Answered,
  CreatedThread,
  CreateThread,
  EventPage,
  ForkedThread,
  ForkThread,
  SendMessage,
  SentMessage,
  ThreadEvent,
  ThreadHead,
  ThreadMessage,
  ThreadPage,
  ThreadSummary,
} from '@/lib/context'

/** Commands that name a thread and not its chat; each is one transaction. */
export interface ThreadCommandsPort {
  createThread(command: CreateThread): Promise<Answered<CreatedThread>>
  sendMessage(command: SendMessage): Promise<Answered<SentMessage>>
  forkThread(command: ForkThread): Promise<Answered<ForkedThread>>
  /** forgets the answers to commands older than this; returns how many those were */
  forgetAnswers(olderMs: number): Promise<number>
}

/** The reads of threads. A thread of someone else's reads as missing: undefined. */
export interface ThreadReadsPort {
  /** the same reads, ended when this is aborted: what asked for them is gone */
  until(signal: AbortSignal): ThreadReadsPort
  list(ownerId: string, page: ThreadPage): Promise<ThreadSummary[] | undefined>
  children(threadId: string, ownerId: string, page: ThreadPage): Promise<ThreadSummary[] | undefined>
  head(threadId: string, ownerId: string): Promise<ThreadHead | undefined>
  messages(threadId: string, ownerId: string, page: AfterEvent): Promise<EventPage<ThreadMessage> | undefined>
  events(threadId: string, ownerId: string, page: AfterEvent): Promise<EventPage<ThreadEvent> | undefined>
}
