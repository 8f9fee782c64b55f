import type { BranchId, ContextId, MessageId } from '@/lib/events'
import type { GraphDelta } from './graph'

/** How many replies one fan-out asks for. */
export const fewestReplies = 2
export const mostReplies = 8

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
