import type { LanguageModel, ModelMessage, UIMessage, UIMessageChunk } from 'ai'
import type {
  AfterEvent,
  Answered,
  BranchState,
  Change,
  ClaimedRun,
  Committed,
  ContextData,
  ContextStore,
  CreatedThread,
  CreateThread,
  EventPage,
  ForkedThread,
  ForkThread,
  FoundMessage,
  ModelSettings,
  PlacedMessage,
  RunRecord,
  SendMessage,
  SentMessage,
  ThreadEvent,
  ThreadHead,
  ThreadMessage,
  ThreadPage,
  ThreadSummary,
} from '@/lib/context'
import type { ChatId, MessageId, UserId } from '@/lib/events'
import type { SearchHit, SearchPage, TitledBranch } from '@/lib/graph'
import type {
  BranchLine,
  ChatSummary,
  Comparison,
  Explanation,
  Graph,
  GraphDelta,
  History,
  ModelFacts,
} from '@/lib/protocol'
import type { LiveRuns } from './replies/live-runs'
import type { Prompt } from './replies/prompt'
import type { ReplySlots } from './replies/reply-slots'
import type { ReplyTools, ToolsPort } from './replies/reply-tools'
import type { RunLogPort, RunLogWriter } from './replies/run-log-writer'
import type { RunQueue } from './replies/run-queue'
import type { TitleFacts, Titles } from './titles/titles'
import type { ChangeHub } from './watch/change-hub'

/** The read side. Everything is scoped by the owner; someone else's chat reads as missing. */
export interface ChatReadsPort {
  /** the same reads, ended when the signal is aborted */
  until(signal: AbortSignal): ChatReadsPort
  graph(chatId: string, ownerId: string): Promise<Graph | undefined>
  /** the graph; of one with more than so many events everything but its messages */
  graphUpTo(chatId: string, ownerId: string, events: number): Promise<Graph | undefined>
  delta(chatId: string, ownerId: string, since: number): Promise<GraphDelta | undefined>
  /** what moved in a chat after event `since`; 0 for everything */
  history(chatId: string, ownerId: string, since: number): Promise<History | undefined>
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
  /** the owner's chat of this id, with its key */
  calledState(
    id: string,
    ownerId: string,
    branch?: string,
  ): Promise<{ chat: 'unknown' | 'foreign' } | { chat: 'own'; chatId: string; state?: BranchState }>
  /** the key of the owner's chat of this id */
  chatCalled(id: string, ownerId: string): Promise<string | undefined>
  message(chatId: string, ownerId: string, messageId: string): Promise<FoundMessage | undefined>
  emptyBranchAt(chatId: string, ownerId: string, messageId: string): Promise<string | undefined>
  context(chatId: string, contextId: string): Promise<ContextData | undefined>
  /** what the titles of a branch and of its chat are made from; undefined while nothing was said on the branch */
  titleFacts(chatId: string, branchId: string): Promise<TitleFacts | undefined>
  chats(ownerId: string, limit: number): Promise<ChatSummary[]>
  comparison(
    chatId: string,
    ownerId: string,
    options: { left?: string; right?: string; limit: number },
  ): Promise<
    | (Pick<Comparison, 'title' | 'common'> & {
        branches: (TitledBranch & Omit<BranchLine, 'title'>)[]
        left: StoredSide
        right: StoredSide | null
      })
    | undefined
  >
  search(
    ownerId: string,
    query: string,
    options: { chatId?: string; roles?: readonly string[]; limit: number; offset: number },
  ): Promise<StoredPage | undefined>
}

/** What was found, with what the titles of its branches are made from. */
export interface StoredPage extends Omit<SearchPage, 'hits'> {
  hits: (Omit<SearchHit, 'branch'> & { branch: (FoundOn & TitledBranch) | null })[]
}

type FoundOn = Omit<NonNullable<SearchHit['branch']>, 'title'>

/** A branch that is compared, with the first of the messages it has for itself. */
export interface StoredSide {
  branchId: string
  name: string
  headId: string | null
  lane: number | null
  length: number
  context: ContextData | null
  usage: { inputTokens: number; outputTokens: number } | null
  messages: PlacedMessage[]
}

/** Commands that name a thread and not its chat; each is one transaction. */
interface ThreadCommandsPort {
  createThread(command: CreateThread): Promise<Answered<CreatedThread>>
  sendMessage(command: SendMessage): Promise<Answered<SentMessage>>
  forkThread(command: ForkThread): Promise<Answered<ForkedThread>>
  /** forgets the answers to commands older than this; returns how many those were */
  forgetAnswers(olderMs: number): Promise<number>
}

/** The reads of threads. A thread of someone else's reads as missing: undefined. */
export interface ThreadReadsPort {
  /** the same reads, ended when the signal is aborted */
  until(signal: AbortSignal): ThreadReadsPort
  list(ownerId: string, page: ThreadPage): Promise<ThreadSummary[] | undefined>
  children(threadId: string, ownerId: string, page: ThreadPage): Promise<ThreadSummary[] | undefined>
  head(threadId: string, ownerId: string): Promise<ThreadHead | undefined>
  messages(threadId: string, ownerId: string, page: AfterEvent): Promise<EventPage<ThreadMessage> | undefined>
  events(threadId: string, ownerId: string, page: AfterEvent): Promise<EventPage<ThreadEvent> | undefined>
}

interface RunsPort {
  find(ownerId: string, chatId: string, runId: string): Promise<RunRecord | undefined>
  findByMessage(chatId: string, replyTo: string): Promise<RunRecord | undefined>
  findByReply(chatId: string, replyId: string): Promise<RunRecord | undefined>
  live(ownerId: string, chatId: string, branch?: string): Promise<RunRecord | undefined>
  renew(run: RunRecord, leaseMs: number): Promise<boolean>
  /** in turns by person, with no more than so many running of each */
  claim(
    leaseMs: number,
    wish: {
      total: number
      general?: number
      few?: number
      perPerson?: number
      storing?: Readonly<Record<string, number>>
      except?: readonly string[]
    },
  ): Promise<{ runs: (ClaimedRun & { ownerId: string })[]; waiting: number }>
  /** one that is queued, unless another process takes it */
  claimOne(chatId: string, runId: string, leaseMs: number): Promise<ClaimedRun | undefined>
  countWriting(ownerId: string): Promise<number>
  seize(chatId: string, runId: string, leaseMs: number): Promise<ClaimedRun | undefined>
  requestStop(chatId: string, runId: string): Promise<void>
}

/** Tells when something has happened, here or in another process. Each returns what ends the subscription. */
export type ChangesPort = Pick<ChangeHub, 'subscribeChat' | 'subscribeRun' | 'progressed' | 'closed'>

/** A stored file without its bytes. */
export interface FileFacts {
  id: string
  /** in hex */
  sha256: string
  mediaType: string
  name: string
  size: number
}

/** People's files. */
interface FilesPort {
  /** stores a file, or finds it: undefined when the owner does not exist (any more) */
  store(
    ownerId: string,
    file: { bytes: Uint8Array; mediaType: string; name: string },
  ): Promise<FileFacts | undefined>
  /** those of some files that a person has */
  of(ownerId: string, ids: readonly string[]): Promise<FileFacts[]>
}

/** The models that a person can choose from. */
export interface AvailableModels {
  defaultId: string
  ids: readonly string[]
  has(id: string): boolean
  /** what is known of a model; of one that is not offered, nothing */
  facts(id: string): Pick<ModelFacts, 'window' | 'price' | 'input' | 'tools'>
  /** throws when it is not offered, or its key cannot be read */
  get(id: string): LanguageModel
}

interface ReplyRequest {
  /** whose owner's keys the model is asked with */
  chatId: string
  /** `provider:model` */
  model: string
  /** those of the chat's owner, where they are known already */
  models?: AvailableModels | undefined
  instructions: string
  settings: ModelSettings
  /** the chain, root first; the message to answer is last, a reply whose tools are answered too */
  messages: UIMessage[]
  tools: Pick<ReplyTools, 'set' | 'approval'>
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
    usage?:
      | {
          inputTokens?: number | undefined
          outputTokens?: number | undefined
          inputTokenDetails?: { cacheReadTokens?: number | undefined }
        }
      | undefined
    error?: Explanation | undefined
    cause?: unknown
  }>
}

/** Makes chats whose owner calls them by another id than their key. */
interface NamesChats {
  /** rejects with `HeadConflictError` when the owner has a chat of this name */
  commitCalled(change: Change & Required<Pick<Change, 'create'>>, name: string): Promise<Committed>
}

/** What stands for a chain up to a message, in prompts that the chain is too long for. */
export interface Summary {
  messageId: MessageId
  text: string
}

/** What replies of one model took, in tokens as their providers counted them. */
export interface Spent {
  model: string
  replies: number
  inputTokens: number
  cachedTokens: number
  outputTokens: number
}

/** What replies took; see `UsageReads`. */
interface UsagePort {
  since(
    ownerId: UserId,
    day: string,
  ): Promise<{
    days: (Spent & { day: string })[]
    chats: (Spent & { chatId: ChatId; title: string | null })[]
  }>
  ofChat(
    chatId: ChatId,
    ownerId: UserId,
  ): Promise<{ total: SpentByModel; branches: Readonly<Record<string, SpentByModel>> } | undefined>
}

type SpentByModel = Readonly<Record<string, Omit<Spent, 'model' | 'cachedTokens'>>>

interface SummariesPort {
  /** those that are stored at any of these messages */
  of(chatId: string, messageIds: readonly MessageId[]): Promise<Summary[]>
  /** stores the first at a message, which is returned from then on */
  save(chatId: string, summary: Summary & { model: string }): Promise<Summary>
}

/** Everything outside the use cases: storage, models, clock, ids. */
export interface Ports {
  store: ContextStore & NamesChats
  reads: ChatReadsPort
  runs: RunsPort
  live: LiveRuns
  /** how many replies this process writes at once, and whose */
  slots: ReplySlots
  log: RunLogPort
  changes: ChangesPort
  writer: RunLogWriter
  /** names chats and branches after their first reply */
  titles: Titles
  /** where runs that a command has queued are announced */
  queue: RunQueue
  commands: ThreadCommandsPort
  threads: ThreadReadsPort
  files: FilesPort
  models: {
    /** the default for a person without keys */
    defaultId: string
    /** those of the server, and those that the person's own keys add */
    of(ownerId: UserId): Promise<AvailableModels>
    /** what is known of a model, to the owner of a chat */
    factsIn(chatId: string, model: string): Promise<Pick<ModelFacts, 'window' | 'price' | 'tools'>>
  }
  summaries: SummariesPort
  usage: UsagePort
  /** a summary of a conversation by the model that goes on with it; rejects when it fails or is aborted */
  summarise(request: {
    chatId: string
    model: string
    prompt: string
    abortSignal: AbortSignal
  }): Promise<{ text: string; tokens: number }>
  /** the tools of replies */
  tools: ToolsPort
  answer(request: ReplyRequest): Reply
  /** messages with the content of their stored files, as far as a model takes it: `answer` asks with the same */
  withFiles(
    messages: UIMessage[],
    place: { chatId: string; input: ModelFacts['input'] },
  ): Promise<UIMessage[]>
  /** a prompt as providers receive it: `answer` asks with the same */
  written(
    prompt: Pick<Prompt, 'instructions' | 'messages'>,
  ): Promise<{ system: string | undefined; messages: ModelMessage[] }>
  /** the message that parts of a reply make; cut off where they end */
  assemble(parts: readonly UIMessageChunk[], replyId: string): Promise<UIMessage>
  clock(): number
  newId(): string
  /** how long a run is held without a sign of life, in milliseconds */
  leaseMs: number
  logError(what: string, error: unknown): void
}
