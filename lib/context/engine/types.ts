import type { ChatId, MessageId, UserId } from '@/lib/events'
import type { ModelInfo, PromptEstimate } from '../estimate'
import type { ContextFragment } from '../fragments'
import type { ContextRenderer } from '../renderers'
import type { CheckpointData, ContextStore, GraphData } from '../store'
import type { AddedReminder } from './apply-reminders'

/** Options of a context engine (Context Engine, “Creating an Engine”). */
export interface ContextEngineOptions {
  store: ContextStore
  chatId: ChatId
  userId: UserId
  /** merged into the chat's metadata when the engine first reads or writes */
  metadata?: Record<string, unknown>
  /** name or id of the branch to continue; without it, the one the chat opens on */
  branch?: string
}

/** Prints fragments: any of our renderers, or one of your own. */
export type FragmentRenderer = Pick<ContextRenderer, 'render'>

export interface ResolveOptions {
  renderer: FragmentRenderer
}

/** Input of a model (Core Concepts, “ResolveResult Interface”). */
export interface ResolveResult {
  /** the rendered fragments that are not messages */
  systemPrompt: string
  /** decoded messages, root first: UI messages of the AI SDK, unless the store holds other data */
  messages: unknown[]
}

export interface SaveResult {
  /** the head of the branch afterwards; undefined while nothing was ever saved */
  headMessageId: MessageId | undefined
}

/** Result of `checkpoint()`; `createdAt` in milliseconds. */
export type CheckpointInfo = Omit<CheckpointData, 'chatId'>

export interface InspectOptions extends ResolveOptions {
  /** `provider:model`, for tokens and cost */
  modelId: string
  /** figures of unlisted models */
  models?: Readonly<Record<string, ModelInfo>> | undefined
}

/** A snapshot for debugging; it survives `JSON.stringify` (Context Engine, “inspect”). */
export interface InspectResult {
  estimate: PromptEstimate
  /** the system prompt */
  rendered: string
  fragments: {
    /** with values for functions and promises */
    context: ContextFragment[]
    pending: ContextFragment[]
    /** the messages of the branch's chain, root first */
    persisted: ContextFragment[]
  }
  /** the reminders the prompt has, which are not stored */
  reminders: AddedReminder[]
  graph: GraphData
  /** `timestamp` in milliseconds */
  meta: { chatId: ChatId; branch: string; timestamp: number }
}
