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

/** One immutable set of fragments, a model choice and a setup, named by its content. */
export interface ContextData {
  id: ContextId
  /** serialised fragments, as `serializeFragment` writes them */
  fragments: unknown
  model: string | null
  /** everything else that was chosen; absent or null where that is nothing */
  setup?: ContextSetup | null
}

/** How a context is written for the model and what the model may do, besides its fragments. What is absent is the default. */
export interface ContextSetup {
  /** the format of the system prompt; XML unless given */
  renderer?: 'markdown' | 'toml' | 'toon'
  settings?: ModelSettings
  /** what the model was told to remember, oldest first */
  memories?: Memory[]
  /** the tools that the model is offered, by name, and whether a call of each waits for a person */
  tools?: Record<string, ToolApproval>
  /** ids of the fragments that are switched off: kept, and left out of the prompt */
  off?: string[]
}

/** `never`: the tool is not offered. */
export type ToolApproval = 'always' | 'ask' | 'never'

/** What a provider is asked besides the prompt; what is absent is the model's own choice. */
export interface ModelSettings {
  /** from 0 to 2 */
  temperature?: number
  /** from 0 to 1 */
  top_p?: number
  /** from -2 to 2 */
  presence_penalty?: number
  /** from -2 to 2 */
  frequency_penalty?: number
  /** tokens of the reply */
  max_output_tokens?: number
  seed?: number
}

/** One thing to remember on a branch, by its key. */
export interface Memory {
  key: string
  text: string
  /** the reply that remembered it; null for one that a person wrote */
  message_id: string | null
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

/** A message with its place, and what is known of it. */
export interface FoundMessage {
  message: PlacedMessage
  answered: boolean
  /** the branch that recorded it */
  recordedOn: string
  /** in force at it */
  context: ContextData | null
  /** of a reply: the context it was asked with, where the model or a person has changed it meanwhile */
  askedIn: ContextData | null
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
