import type {
  BranchId,
  ChatId,
  CheckpointId,
  ContextId,
  MessageId,
  NewMessage,
  QueueRun,
  RunState,
  UserId,
} from '@/lib/events'

/** A chat as the store returns it. Times are milliseconds since 1970. */
export interface ChatData {
  id: ChatId
  userId: UserId
  title?: string
  metadata: Record<string, unknown>
  createdAt: number
  updatedAt: number
}

/** A chat in a list, with its counts. */
export interface ChatInfo extends ChatData {
  messageCount: number
  branchCount: number
}

/** Which chats to list; without any of it, all of them. */
export interface ListChatsOptions {
  userId?: UserId
  /** only chats whose metadata has this very value under this key, at the top */
  metadata?: { key: string; value: string | number | boolean }
  /** how many at most */
  limit?: number
  /** how many to leave out at the beginning */
  offset?: number
}

/** The part of a chat that changes. */
export type ChatUpdates = Partial<Pick<ChatData, 'title' | 'metadata'>>

/** A chat before it is stored. */
export type NewChat = Pick<ChatData, 'id' | 'userId'> & ChatUpdates

/** An immutable node of the graph (seeds/000). `data` is whatever its codec encoded, JSON. */
export interface MessageData extends Omit<NewMessage, 'preview' | 'reply'> {
  chatId: ChatId
  parentId: MessageId | null
}

/** A named, moving pointer to a head message (seeds/000). */
export interface BranchData {
  id: BranchId
  chatId: ChatId
  name: string
  /** what it is about in a few words, once a model has said so */
  title: string | null
  headMessageId: MessageId | null
  isActive: boolean
  createdAt: number
  /** the thread it was forked from, and the last event it inherits from there */
  parentBranchId: BranchId | null
  fromEventNumber: number
  contextId: ContextId | null
  archivedAt: number | null
}

/** What `rewind`, `restore`, `switchBranch` and `btw` answer (seeds/003). */
export type BranchInfo = Pick<BranchData, 'id' | 'name' | 'headMessageId' | 'isActive' | 'createdAt'> & {
  /** messages on the branch's chain, root and head included */
  messageCount: number
}

/** A named, fixed pointer to a message (seeds/000). */
export interface CheckpointData {
  id: CheckpointId
  chatId: ChatId
  name: string
  messageId: MessageId
  createdAt: number
}

/** One immutable set of fragments and a model choice, named by its content. */
export interface ContextData {
  id: ContextId
  /** serialised fragments, as `serializeFragment` writes them */
  fragments: unknown
  model: string | null
}

/** A search hit: the message, its rank (higher is better) and a snippet with `<mark>` around the matches. */
export interface SearchResult {
  message: MessageData
  rank: number
  snippet: string
}

/** The whole graph of a chat with previews instead of bodies. */
export interface GraphData {
  chatId: ChatId
  nodes: { id: MessageId; parentId: MessageId | null; role: string; content: string; createdAt: number }[]
  branches: { name: string; headMessageId: MessageId | null; isActive: boolean }[]
  checkpoints: { name: string; messageId: MessageId }[]
}

/** A message with its place: `depth` counts from its root, 0 first. */
export type PlacedMessage = MessageData & { lane: number; depth: number }

/** What a turn has to know of the branch it continues. */
export interface BranchState {
  branchId: BranchId
  branchName: string
  /** archived branches are restored by the next message on them */
  isArchived: boolean
  headId: MessageId | null
  context: ContextData | null
}

/** One attempt to generate one reply, as its holder and its followers need it. */
export interface RunRecord extends RunState, Omit<QueueRun, 'kind' | 'contextId' | 'leaseMs'> {
  chatId: ChatId
  contextId: ContextId | null
  attempt: number
}

/** A run that was just taken. */
export interface ClaimedRun extends RunRecord {
  /** it was asked to stop */
  stopping: boolean
}
