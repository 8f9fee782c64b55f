import type { BranchId, ContextId, MessageId } from '@/lib/events'
import type { PresetContent } from './context'
import type { GraphDelta } from './graph'

/** How many replies one fan-out asks for. */
export const fewestReplies = 2
export const mostReplies = 8

/** What each model is asked in: a context of the chat, or a preset in place of what is in force; neither: what is in force. */
export type FanOutContext =
  | { contextId: ContextId; preset?: undefined }
  | { contextId?: undefined; preset: PresetContent }
  | { contextId?: undefined; preset?: undefined }

/** What a fan-out has begun. */
export interface FanOutBegun {
  delta: GraphDelta
  /** the branch of the first reply */
  branchId: BranchId
  /** the message that is answered */
  messageId: MessageId
  /** in the order in which they were asked for */
  replies: { branchId: BranchId; model: string; contextId: ContextId }[]
}
