import type { BranchId, ContextId, MessageId } from '@/lib/events'
import type { PresetContent } from './context'
import type { GraphDelta } from './graph'

/** Fewest and most replies of one fan-out. */
export const fewestReplies = 2
export const mostReplies = 8

/**
 * The context that each model is asked in: a context of the chat, or a preset in place of the one in force; neither:
 * the one in force.
 */
export type FanOutContext =
  | { contextId: ContextId; preset?: undefined }
  | { contextId?: undefined; preset: PresetContent }
  | { contextId?: undefined; preset?: undefined }

/** Answer to a fan-out that has begun. */
export interface FanOutBegun {
  delta: GraphDelta
  /** the branch of the first reply */
  branchId: BranchId
  /** the message that is answered */
  messageId: MessageId
  /** in the order in which they were asked for */
  replies: { branchId: BranchId; model: string; contextId: ContextId }[]
}
