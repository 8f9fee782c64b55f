import type { UIMessage, UIMessageChunk } from 'ai'
import type { BranchState, ContextData, ContextStore, PlacedMessage, RunRecord } from '@/lib/context'
import type { ChatSummary, Explanation, Graph, GraphDelta } from '@/lib/graph'
import type { LiveRuns } from './live-runs'

/** The read side. Everything is scoped by the owner; someone else's chat reads as missing. */
export interface ChatReadsPort {
  graph(chatId: string, ownerId: string): Promise<Graph | undefined>
  delta(chatId: string, ownerId: string, since: number): Promise<GraphDelta | undefined>
  window(
    chatId: string,
    ownerId: string,
    options: { branch?: string; before?: number; limit: number },
  ): Promise<{ branchId: string; messages: PlacedMessage[] } | undefined>
  branchState(
    chatId: string,
    ownerId: string,
    branch?: string,
  ): Promise<{ chat: 'unknown' | 'foreign' | 'own'; state?: BranchState }>
  message(
    chatId: string,
    ownerId: string,
    messageId: string,
  ): Promise<
    { message: PlacedMessage; answered: boolean; recordedOn: string; context: ContextData | null } | undefined
  >
  emptyBranchAt(chatId: string, ownerId: string, messageId: string): Promise<string | undefined>
  context(chatId: string, contextId: string): Promise<ContextData | undefined>
  chats(ownerId: string, limit: number): Promise<ChatSummary[]>
}

export interface RunsPort {
  find(ownerId: string, chatId: string, runId: string): Promise<RunRecord | undefined>
  findByMessage(chatId: string, replyTo: string): Promise<RunRecord | undefined>
  live(ownerId: string, chatId: string, branch?: string): Promise<RunRecord | undefined>
  renew(run: RunRecord, leaseMs: number): Promise<boolean>
  takeExpired(leaseMs: number): Promise<RunRecord[]>
}

export interface ReplyRequest {
  /** `provider:model` */
  model: string
  instructions: string
  /** the chain, root first; the user message to answer is last */
  messages: UIMessage[]
  replyId: string
  abortSignal: AbortSignal
  metadata: unknown
}

/** A model's reply under way. `done` never rejects. */
export interface Reply {
  chunks: ReadableStream<UIMessageChunk>
  done: Promise<{
    status: 'completed' | 'stopped' | 'failed'
    message: UIMessage
    usage?: { inputTokens?: number | undefined; outputTokens?: number | undefined } | undefined
    error?: Explanation | undefined
    cause?: unknown
  }>
}

/** What the use cases are given. Values in, values out: clock, ids and everything outside arrive here. */
export interface Ports {
  store: ContextStore
  reads: ChatReadsPort
  runs: RunsPort
  live: LiveRuns
  models: { defaultId: string; has(id: string): boolean }
  answer(request: ReplyRequest): Reply
  clock(): number
  newId(): string
  /** how long a run is held without a sign of life, in milliseconds */
  leaseMs: number
  logError(what: string, error: unknown): void
}
