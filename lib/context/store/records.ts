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
export interface MessageData extends Omit<NewMessage, 'preview' | 'reply' | 'dated'> {
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
  /** the model of its context; null where none was chosen */
  model: string | null
  /** the messages that its context leaves out of the prompt; absent or null for none */
  leftOut?: MessageId[] | null
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

/** What one chain has that cannot be reached from another head, over parents and merge parents: the end of the chain. */
export interface MergeBase {
  /** the deepest message of the chain that can be reached; null when none can */
  baseId: MessageId | null
  /** how many messages the chain has after it */
  own: number
}

/** A message, and whether it is on the chain that was asked about. */
export type MessageOfChain = MessageData & { isOnChain: boolean }

/** As many moves are undone at once. */
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
  /** what it logged, in order, without its messages */
  facts: LoggedEvent[]
  /** the messages that it added, by branch: where the branch stood before, and the last of them */
  lines: { branchId: BranchId; before: MessageId | null; last: MessageId }[]
  /** those it names, by id or name, and those that stand where its messages end; `busy`: a reply is being written there */
  branches: (BranchData & {
    busy: boolean
    /** where the next call of the agent that writes there goes on */
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

/** How a context is written for the model and what the model may do, besides its fragments. What is absent is the default. */
export interface ContextSetup {
  /** the format of the system prompt; XML unless given */
  renderer?: 'markdown' | 'toml' | 'toon'
  settings?: ModelSettings
  /** what the model was told to remember, oldest first */
  memories?: Memory[]
  /** the tools that the model is offered, by name, and whether a call of each waits for a person */
  tools?: Record<string, ToolApproval>
  /** the context of a chat from elsewhere that this one stands for: there, tools ran without asking */
  lowered?: ContextId
  /** ids of the fragments that are switched off: kept, and left out of the prompt */
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
  /** the context that a reply was asked with, where the model or a person has changed it meanwhile */
  askedIn: ContextData | null
  /** for a reply that went on here: a person's answers to the tools that waited above it */
  answers: ToolAnswer[] | null
}

/** A message that an agent names by a hash, and where it stands. */
export interface AgentNode {
  /** the hash that found it */
  hash: string
  chatId: ChatId
  /** the owner's id for the chat */
  called: ChatId
  messageId: MessageId
  /** what the hashes of messages below it go on from */
  chain: string
  /** its chain is not what the agent sends */
  moved: boolean
  parentId: MessageId | null
  /** the branch that recorded it */
  recordedOn: BranchId
  /** in force at it */
  contextId: ContextId | null
  /** those that stand at it, oldest first; messages can go on one that is open: not archived, and no reply is being written */
  branches: AgentBranch[]
  /** a person has the agent whose last message this is go on elsewhere: from the branch that it wrote on */
  steered: { branchId: BranchId; to: SteeredTo } | null
  /** the branch that the chat opens on, where an agent has said the last word there and no person has moved the chat */
  opensOn: BranchId | null
}

/** Names of messages that follow one another in a chat, the last message first; a message may have several. */
export interface RecentNames {
  chatId: ChatId
  names: { hash: string; chain: string }[]
}

/** A branch as the calls of agents go on it. */
export interface AgentBranch {
  id: BranchId
  name: string
  contextId: ContextId | null
  isOpen: boolean
}

/** The branch where an agent is to go on, and its end. */
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
