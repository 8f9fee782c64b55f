import type { UIMessage } from 'ai'
import type { BranchId, ChatId, MessageId, RunId } from '@/lib/events'
import type { Explanation, Graph, GraphDelta } from './graph'

/** What a stored message says of itself besides its parts. */
export interface MessageMetadata {
  /** a partial reply says how it ended */
  status?: 'stopped' | 'failed'
  error?: Explanation
  model?: string
  usage?: { inputTokens?: number; outputTokens?: number }
  createdAt?: number
}

/** The data parts of a turn's stream. None of them is kept in the message. */
export type TurnData = {
  /** the turn's one delta, last in the stream */
  graph: GraphDelta
  /**
   * First in the stream: the turn is stored; `delta` holds the user message and, for an edit or retry, the new branch. A
   * queued run is named again when its reply begins.
   */
  run: {
    runId: RunId
    status: 'queued' | 'running' | 'completed' | 'stopped' | 'failed'
    /** of a queued run, why it waits */
    waiting?: Waiting
    branchId: BranchId
    branch: string
    userMessageId: MessageId
    replyId: MessageId
    delta: GraphDelta
  }
  title: string
}

/** Why a reply waits: so many of the person's are being written as may be at once, or the server writes as many as it can. */
export interface Waiting {
  for: 'person' | 'server'
  /** the person's replies that are being written */
  writing: number
}

export type ChatMessage = UIMessage<MessageMetadata, TurnData>

/** A window of one chain: its messages root to head, and the depth of the first of them (0 = nothing above). */
export interface ThreadWindow {
  messages: ChatMessage[]
  start: number
}

/** What the chat page is rendered from, thread and graph in one load. */
export interface ChatView {
  /** with `partial`, of its messages only those of the window: a long chat's thread does not wait for its graph */
  graph: Graph
  partial?: boolean
  /** the branch being read: the one in the URL, else the active one */
  branchId: BranchId
  window: ThreadWindow
}

export interface ChatSummary {
  id: ChatId
  title: string | null
  updatedAt: number
  messageCount: number
  branchCount: number
}

export interface ModelInfo {
  id: string
  label: string
  provider: string
}

/** RFC 9457 problem document, as every route and action answers one. */
export interface Problem {
  type: string
  title: string
  status: number
  /** a sentence for the person: what happened, why, what to do */
  detail: string
  code: string
  /** of a limit: its name, the most there may be, how much there is, and the seconds until it makes sense to ask again */
  limit?: string
  allowed?: number
  used?: number
  retry_after?: number
}

export type ActionResult<T> = { ok: true; value: T } | { ok: false; problem: Problem }

/** A move answers with its delta; `branchId` is where the reader stands afterwards. */
export interface Moved {
  delta: GraphDelta
  branchId: BranchId
}

/** The server actions of a chat, handed to the client by the page. */
export interface ChatActions {
  /** opens a branch at a message and switches to it; an empty branch standing there already is reused */
  rewind(input: { chatId: ChatId; branchId: BranchId; messageId: MessageId }): Promise<ActionResult<Moved>>
  switchBranch(input: { chatId: ChatId; branchId: BranchId }): Promise<ActionResult<Moved>>
  saveCheckpoint(input: {
    chatId: ChatId
    messageId: MessageId
    name: string
  }): Promise<ActionResult<{ delta: GraphDelta }>>
  removeCheckpoint(input: { chatId: ChatId; name: string }): Promise<ActionResult<{ delta: GraphDelta }>>
  /** opens a branch at the checkpoint's message and switches to it */
  restoreCheckpoint(input: { chatId: ChatId; branchId: BranchId; name: string }): Promise<ActionResult<Moved>>
  renameBranch(input: {
    chatId: ChatId
    branchId: BranchId
    name: string
  }): Promise<ActionResult<{ delta: GraphDelta }>>
  /** hides a branch (Undo of a rewind); `switchTo` is made active in the same write */
  archiveBranch(input: {
    chatId: ChatId
    branchId: BranchId
    switchTo?: BranchId
  }): Promise<ActionResult<{ delta: GraphDelta }>>
  unarchiveBranch(input: { chatId: ChatId; branchId: BranchId }): Promise<ActionResult<{ delta: GraphDelta }>>
  renameChat(input: { chatId: ChatId; title: string }): Promise<ActionResult<{ delta: GraphDelta }>>
  deleteChat(input: { chatId: ChatId }): Promise<ActionResult<Record<string, never>>>
}
