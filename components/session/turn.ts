import type { Chat } from '@ai-sdk/react'
import type { BranchId, MessageId, RunId } from '@/lib/events'
import type { ChatMessage, Waiting } from '@/lib/protocol'

/** A reply on its way, as the thread shows it: everything up to `base`, then `user`, then what streams in. */
export interface Turn {
  /** stays the same from key press to stored reply */
  key: string
  /** the branch it is shown on: the reader's, then the one the server answered on */
  branchId: BranchId
  base: MessageId | null
  /** the user's message while it is not yet in the graph */
  user: ChatMessage | null
  runId: RunId | null
  replyId: MessageId | null
  /** since when it is written, or waits */
  startedAt: number
  /** why its reply does not begin yet */
  waiting: Waiting | null
  stopping: boolean
  /** holds the reply's words, so that they stream on while another branch is read */
  chat: Chat<ChatMessage>
}
