import type { BisectState, ChatId, RunId, UserId } from '@/lib/events'
import type { ReplayStanding } from '../planners/plan-replay'
import type { ContextData, MessageData } from './records'

/** Work of several replies that continues by itself: it waits for its next step. */
export interface DrivenWork<Id> {
  chatId: ChatId
  id: Id
}

/** A replay with all facts for its next step. */
export interface OpenReplay extends ReplayStanding {
  chatId: ChatId
  ownerId: UserId
  /** the context in force on the branch */
  context: ContextData | null
  /** said in place of the first message's text */
  content: string | null
  /** the message that is asked next, as it was said before */
  next: Pick<MessageData, 'id' | 'name' | 'data'> | null
  /** the reply that is being written on the branch */
  runId: RunId | null
}

/** A bisect, and how its run stands. */
export interface BisectStanding {
  chatId: ChatId
  ownerId: UserId
  bisect: BisectState & { version: number }
  /** the context of its question */
  context: ContextData | null
  /** the model of its reply */
  model: string | null
  /** the head of the branch of its run */
  head: (Pick<MessageData, 'id' | 'name' | 'data'> & { status: 'stopped' | 'failed' | null }) | null
  /** the reply that is queued or being written there */
  runId: RunId | null
  failure: string | null
  createdAt: number
  endedAt: number | null
}
