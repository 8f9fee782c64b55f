import type { BranchId, ChatId, MessageId } from '@/lib/events'
import type { ChatMessage } from './chat-view'

/** A fragment that only one side has, or that says something else on the other. */
export interface FragmentPair {
  name: string
  left: string | null
  right: string | null
}

/** One of two branches that are compared: where it stands, and the first of the messages it has for itself. */
export interface ComparedSide {
  branch: { id: BranchId; name: string; headId: MessageId | null }
  /** the lane its head is in, for its colour */
  lane: number
  /** `provider:model` */
  model: string | null
  /** how many messages it has below the ones both share */
  length: number
  /** tokens of the replies among those, as far as their providers told */
  usage: { inputTokens: number; outputTokens: number } | null
  messages: ChatMessage[]
}

/** Two branches of a chat, from where they part. */
export interface Comparison {
  chatId: ChatId
  title: string | null
  branches: { id: BranchId; name: string; archivedAt: number | null }[]
  /** messages that both have, from the root to where they part */
  common: number
  left: ComparedSide
  /** null in a chat with a single branch */
  right: ComparedSide | null
  context: {
    /** fragments both have */
    same: number
    differing: FragmentPair[]
  }
}
