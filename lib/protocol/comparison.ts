import type { BranchId, ChatId, MessageId } from '@/lib/events'
import type { BranchLine } from './branch-line'
import type { ChatMessage } from './chat-view'

/** A fragment, or another part of a context, that only one side has, or that differs between the sides. */
export interface FragmentPair {
  name: string
  left: string | null
  right: string | null
}

/** Differences of two branches' contexts, part by part. */
export interface ContextDifferences {
  /** number of fragments that both have */
  same: number
  /** fragments */
  differing: FragmentPair[]
  memories: FragmentPair[]
  /** null where both have the same */
  model: { left: string | null; right: string | null } | null
  tools: FragmentPair[]
  settings: FragmentPair[]
}

/** One of two compared branches: its head, and the first of its own messages. */
export interface ComparedSide {
  branch: { id: BranchId; name: string; title: string; headId: MessageId | null }
  /** the lane its head is in, for its colour */
  lane: number
  /** `provider:model` */
  model: string | null
  /** number of its messages after the common ones */
  length: number
  /** tokens of its own replies that the providers have reported */
  usage: { inputTokens: number; outputTokens: number } | null
  messages: ChatMessage[]
}

/** Two branches of a chat, from the message where they part. */
export interface Comparison {
  chatId: ChatId
  title: string | null
  branches: BranchLine[]
  /** number of messages that both have, from the root on */
  common: number
  left: ComparedSide
  /** null in a chat with a single branch */
  right: ComparedSide | null
  context: ContextDifferences
}
