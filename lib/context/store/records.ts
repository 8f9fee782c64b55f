import type {
  BranchId,
  ChatId,
  CheckpointId,
  ContextId,
  LoggedEvent,
  MessageId,
  MoveKind,
  NewMessage,
  QueueRun,
  RunState,
  ToolAnswer,
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

/** Selects the chats to list; empty options list all. */
export interface ListChatsOptions {
  userId?: UserId
  /** only chats whose metadata has this very value under this key, at the top level */
  metadata?: { key: string; value: string | number | boolean }
  /** maximum number */
  limit?: number
  /** number of chats to skip */
  offset?: number
}

/** The part of a chat that changes. */
export type ChatUpdates = Partial<Pick<ChatData, 'title' | 'metadata'>>

/** A chat before it is stored. */
export type NewChat = Pick<ChatData, 'id' | 'userId'> & ChatUpdates

/** An immutable node of the graph (seeds/000). `data` is its codec's JSON. */
export interface MessageData extends Omit<NewMessage, 'preview' | 'reply' | 'dated'> {
  chatId: ChatId
  parentId: MessageId | null
}

/** A named, moving pointer to a head message (seeds/000). */
export interface BranchData {
  id: BranchId
  chatId: ChatId
  name: string
  /** its subject in a few words, once a model has named it */
  title: string | null
  headMessageId: MessageId | null
  isActive: boolean
  createdAt: number
  /** the thread it was forked from, and the last event it inherits from there */
  parentBranchId: BranchId | null
  fromEventNumber: number
  contextId: ContextId | null
  /** the model of its context; null where none was chosen */
  model: string | null
  /** the messages that its context leaves out of the prompt; absent or null for none */
  leftOut?: MessageId[] | null
  archivedAt: number | null
}

/** Result of `rewind`, `restore`, `switchBranch` and `btw` (seeds/003). */
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

/** The end of a chain that cannot be reached from another head, over parents and merge parents. */
export interface MergeBase {
  /** the deepest message of the chain that can be reached; null when none can */
  baseId: MessageId | null
  /** number of the chain's messages after it */
  own: number
}

export type MessageOfChain = MessageData & { isOnChain: boolean }

/** Maximum number of moves to undo at once. */
export const movesAtOnce = 1000

export interface MovesOptions {
  which: 'undo' | 'redo'
  /** with it, a chat of another owner is not found */
  ownerId?: UserId | undefined
  after?: number | undefined
}

/** A move that Undo takes back next, or that Redo makes again, with the refs that it names as they stand now. */
export interface StoredMove {
  /** the chat's last event when this was read */
  seq: number
  /** the position of its `MoveMade` */
  moveSeq: number
  move: MoveKind
  /** the mark that the same verb finds after this one */
  next: number | null
  /** its logged events in order, without messages */
  facts: LoggedEvent[]
  /** the messages it added, by branch: the branch's head before, and the last of them */
  lines: { branchId: BranchId; before: MessageId | null; last: MessageId }[]
  /**
   * branches that it names, by id or name, and branches whose head is the last of its messages; `busy`: a
   * reply is being written there
   */
  branches: (BranchData & {
    busy: boolean
    /** branch on which the next call of the agent there continues */
    steeredTo: BranchId | null
  })[]
  checkpoints: CheckpointData[]
  activeBranchId: BranchId
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

/** A context's renderer, settings, memories and tools. An absent key means the default. */
export interface ContextSetup {
  /** the format of the system prompt; XML unless given */
  renderer?: 'markdown' | 'toml' | 'toon'
  settings?: ModelSettings
  /** memories of the model, oldest first */
  memories?: Memory[]
  /** the tools offered to the model, by name, and whether each call waits for a person */
  tools?: Record<string, ToolApproval>
  /** the imported context that this one replaces: there, tools ran without asking */
  lowered?: ContextId
  /** ids of switched-off fragments: kept, and left out of the prompt */
  off?: string[]
  /** ids of the messages that stay on the chain and are left out of the prompt, sorted */
  leftOut?: MessageId[]
}

/** `never`: the tool is not offered. */
export type ToolApproval = 'always' | 'ask' | 'never'

/** The parameters of a request besides the prompt; an absent one is the model's own choice. */
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
  /** the reply that remembered it; null for a memory that a person wrote */
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

/** State of the branch that a turn continues. */
export interface BranchState {
  branchId: BranchId
  branchName: string
  /** archived branches are restored by the next message on them */
  isArchived: boolean
  headId: MessageId | null
  context: ContextData | null
}

/** A message with its place and further facts. */
export interface FoundMessage {
  message: PlacedMessage
  answered: boolean
  /** the branch that recorded it */
  recordedOn: string
  /** in force at it */
  context: ContextData | null
  /** the context that a reply was asked with, when the model or a person has changed it since */
  askedIn: ContextData | null
  /** for a reply that was continued here: a person's answers to the tools that waited above it */
  answers: ToolAnswer[] | null
}

/** A message that an agent names by a hash, and its place. */
export interface AgentNode {
  /** the hash that found it */
  hash: string
  chatId: ChatId
  /** the owner's id for the chat */
  called: ChatId
  messageId: MessageId
  /** the hash from which the hashes below it continue */
  chain: string
  /** the agent sends another chain than the stored one */
  moved: boolean
  parentId: MessageId | null
  /** the branch that recorded it */
  recordedOn: BranchId
  /** in force at it */
  contextId: ContextId | null
  /**
   * branches whose head it is, oldest first; an open one accepts messages: it is not archived and no reply is
   * being written
   */
  branches: AgentBranch[]
  /** a person's redirection for the agent whose last message this is: from the branch that it wrote on */
  steered: { branchId: BranchId; to: SteeredTo } | null
  /** the branch the chat opens on, when an agent wrote its last message and no person has moved the chat */
  opensOn: BranchId | null
}

/** Names of messages that follow one another in a chat, the last message first; a message may have several. */
export interface RecentNames {
  chatId: ChatId
  names: { hash: string; chain: string }[]
}

/** A branch for the calls of agents. */
export interface AgentBranch {
  id: BranchId
  name: string
  contextId: ContextId | null
  isOpen: boolean
}

/** The branch on which an agent is to continue, and its end. */
export interface SteeredTo extends AgentBranch {
  headId: MessageId | null
}

/** A branch that an agent of a person writes on, and its last call there. */
export interface OwnAgent {
  chatId: ChatId
  /** the owner's id for the chat */
  called: ChatId
  title: string | null
  branchId: BranchId
  branchName: string
  /** the last that it said or was answered there */
  messageId: MessageId
  client: string | null
  keyId: string | null
  calledAt: number
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
