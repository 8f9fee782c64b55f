// Longer than other files: types alone, so that all that a use case can reach is read in one place.

import type { LanguageModel, ModelMessage, UIMessage, UIMessageChunk } from 'ai'
import type {
  AfterEvent,
  Answered,
  BisectStanding,
  BranchState,
  Change,
  ClaimedRun,
  Committed,
  ContextData,
  ContextStore,
  CreatedThread,
  CreateThread,
  DrivenWork,
  EventPage,
  ForkedThread,
  ForkThread,
  FoundMessage,
  MessageData,
  ModelSettings,
  OpenReplay,
  OwnAgent,
  PlacedMessage,
  PlannedChange,
  RecentNames,
  RunRecord,
  SendMessage,
  SentMessage,
  ThreadCommand,
  ThreadEvent,
  ThreadHead,
  ThreadMessage,
  ThreadPage,
  ThreadSummary,
} from '@/lib/context'
import type { BisectId, BranchId, ChatId, ContextId, MessageId, ReplayId, UserId } from '@/lib/events'
import type { MarkedEvent, SearchHit, SearchPage, TitledBranch } from '@/lib/graph'
import type {
  BranchLine,
  ChatDefaults,
  ChatFilter,
  ChatSort,
  ChatSummary,
  Comparison,
  Explanation,
  Graph,
  GraphAgent,
  GraphDelta,
  GraphReplay,
  History,
  Membership,
  ModelFacts,
  PickedChats,
  TagCount,
} from '@/lib/protocol'
import type { FilePart } from '@/lib/transfer'
import type { ExchangePort } from './exchange/exchange-port'
import type { ImportsPort } from './imports/imports-port'
import type { OpenImport } from './imports/open-import'
import type { LiveRuns } from './replies/live-runs'
import type { PrefixLeads } from './replies/prefix-leads'
import type { Prompt } from './replies/prompt'
import type { ReplySlots } from './replies/reply-slots'
import type { ReplyTools, ToolsPort } from './replies/reply-tools'
import type { RunLogPort, RunLogWriter } from './replies/run-log-writer'
import type { RunQueue } from './replies/run-queue'
import type { TitleFacts, Titles } from './titles/titles'
import type { ChangeHub } from './watch/change-hub'

/** The read side. Everything is scoped by the owner; another person's chat reads as missing. */
export interface ChatReadsPort {
  /** the same reads, ended when the signal is aborted */
  until(signal: AbortSignal): ChatReadsPort
  graph(chatId: string, ownerId: string): Promise<Graph | undefined>
  /** the graph; a graph with more than so many events comes without its messages */
  graphUpTo(chatId: string, ownerId: string, events: number): Promise<Graph | undefined>
  delta(chatId: string, ownerId: string, since: number): Promise<GraphDelta | undefined>
  /** moves and turns in a stretch of the log: `limit` positions before one, or a few more */
  marked(
    chatId: string,
    ownerId: string,
    stretch: { before?: number | undefined; limit: number },
  ): Promise<{ seq: number; floor: number; events: MarkedEvent[] } | undefined>
  /** moves of a chat after event `since`; 0 for everything */
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
  ): Promise<{ chat: 'unknown' | 'foreign' | 'lent' } | { chat: 'own'; chatId: string; state?: BranchState }>
  /** the key of the owner's chat of this id */
  chatCalled(id: string, ownerId: string): Promise<string | undefined>
  /** a person's membership in a chat of someone else, by its id or the chat's key */
  membership(id: string, personId: string): Promise<Membership | undefined>
  /** true when the owner's chat of this id, or with a branch of this id, has more than so many events */
  isLong(id: string, ownerId: string, events: number): Promise<boolean>
  message(chatId: string, ownerId: string, messageId: string): Promise<FoundMessage | undefined>
  emptyBranchAt(chatId: string, ownerId: string, messageId: string): Promise<string | undefined>
  /** the branches that agents write on */
  agents(chatId: string, ownerId: string): Promise<GraphAgent[]>
  /** true when an agent of the owner's was ever moved to another place */
  hasMovedAgents(ownerId: string): Promise<boolean>
  /** agents of all chats, the last called first, without agents that were steered away */
  ownAgents(
    ownerId: string,
    options: { keyId?: string | undefined; chatId?: string | undefined; limit: number },
  ): Promise<OwnAgent[]>
  /** names of the last messages of agents with a key, the last conversation first */
  recentAgentNames(ownerId: string, keyId: string): Promise<RecentNames[]>
  context(chatId: string, contextId: string): Promise<ContextData | undefined>
  branchPoint(chatId: string, questionId: MessageId): Promise<MessageId | undefined>
  askedSince(
    chatId: string,
    asked: { model: string; since: number },
  ): Promise<{ id: MessageId; parentId: MessageId | null }[]>
  /**
   * the contexts in force on the branches of an owner's chat, archived ones left out: the newest branches
   * first
   */
  branchContexts(chatId: string, ownerId: string): Promise<(ContextData & { branchIds: string[] })[]>
  /** the sources of a branch's and its chat's title; undefined while the branch has no message of its own */
  titleFacts(chatId: string, branchId: string): Promise<TitleFacts | undefined>
  /** a page of an owner's chats; the filter names a tag by its key */
  chats(
    ownerId: string,
    options: ChatFilter & { sort: ChatSort; limit: number; after?: ListPlace | undefined },
  ): Promise<{ chats: ListedChat[]; next: ListPlace | undefined }>
  countChats(ownerId: string, filter: ChatFilter): Promise<number>
  /** the owner's chat of this id */
  chatSummary(ownerId: string, called: string): Promise<ListedChat | undefined>
  chatTags(ownerId: string): Promise<TagCount[]>
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

/** A chat of the list, with the usage of its replies on all branches, by model. */
export interface ListedChat extends Omit<ChatSummary, 'costUsd'> {
  spent: Spent[]
}

/** A chat's place in the order of a list: its key is microseconds since 1970, or a title. */
export interface ListPlace {
  pinned: boolean
  key: string
  id: string
}

/** Pins, archives and tags of listed chats. A bulk change is one statement; other people's chats are skipped. */
interface ListedPort {
  /** resolves with the owner's ids of the changed chats; tags are spellings by key */
  change(
    ownerId: string,
    picked: PickedChats,
    change: {
      pinned?: boolean | undefined
      archived?: boolean | undefined
      tags?:
        | { all: Readonly<Record<string, string>> }
        | { add: Readonly<Record<string, string>>; remove: readonly string[] }
        | undefined
    },
  ): Promise<ChatId[]>
  /** deletes them with everything in them */
  remove(ownerId: string, picked: PickedChats): Promise<{ key: ChatId; id: ChatId }[]>
}

/** Search results, with the sources of their branches' titles. */
export interface StoredPage extends Omit<SearchPage, 'hits'> {
  hits: (Omit<SearchHit, 'branch'> & { branch: (FoundOn & TitledBranch) | null })[]
}

type FoundOn = Omit<NonNullable<SearchHit['branch']>, 'title'>

/** A compared branch, with the first of its own messages. */
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
  /** carries out a change that was planned on an earlier read */
  change<T extends object>(command: PlannedChange<T>): Promise<Answered<T & { event_number?: number }>>
  /** the answer of a command that was carried out before */
  answered<T>(command: ThreadCommand): Promise<T | undefined>
  /** forgets the answers to commands older than this; returns their number */
  forgetAnswers(olderMs: number): Promise<number>
}

/** The reads of threads. Another person's thread reads as missing: undefined. */
export interface ThreadReadsPort {
  /** the same reads, ended when the signal is aborted */
  until(signal: AbortSignal): ThreadReadsPort
  list(ownerId: string, page: ThreadPage): Promise<ThreadSummary[] | undefined>
  children(threadId: string, ownerId: string, page: ThreadPage): Promise<ThreadSummary[] | undefined>
  head(threadId: string, ownerId: string): Promise<ThreadHead | undefined>
  /** the chat of a thread: its key, and the owner's id for it */
  chatOf(threadId: string, ownerId: string): Promise<{ chatId: ChatId; called: ChatId } | undefined>
  messages(threadId: string, ownerId: string, page: AfterEvent): Promise<EventPage<ThreadMessage> | undefined>
  events(threadId: string, ownerId: string, page: AfterEvent): Promise<EventPage<ThreadEvent> | undefined>
}

/** Reads bisects: searches for the turn that made a reply say something. */
interface BisectsPort {
  due(limit: number): Promise<DrivenWork<BisectId>[]>
  on(chatId: ChatId, branchId: BranchId): Promise<BisectId | undefined>
  standing(chatId: ChatId, bisectId: BisectId, ownerId?: UserId): Promise<BisectStanding | undefined>
  list(chatId: ChatId, ownerId: UserId): Promise<BisectStanding[]>
}

/** A replay as it is listed. */
interface ListedReplay extends GraphReplay {
  firstBranchId: BranchId
  contextId: ContextId
  createdAt: number
  endedAt: number | null
  spent: Spent[]
}

/** Reads replays: messages of a branch that are asked again on another. */
interface ReplaysPort {
  /** open replays of all chats without a reply being written */
  due(limit: number): Promise<DrivenWork<ReplayId>[]>
  /** the open replay on a branch */
  on(chatId: ChatId, branchId: BranchId): Promise<ReplayId | undefined>
  standing(chatId: ChatId, replayId: ReplayId, ownerId?: UserId): Promise<OpenReplay | undefined>
  shown(chatId: ChatId): Promise<GraphReplay[]>
  list(chatId: ChatId, ownerId: UserId): Promise<ListedReplay[] | undefined>
}

interface RunsPort {
  find(ownerId: string, chatId: string, runId: string): Promise<RunRecord | undefined>
  findByMessage(chatId: string, replyTo: string): Promise<RunRecord | undefined>
  findByReply(chatId: string, replyId: string): Promise<RunRecord | undefined>
  live(ownerId: string, chatId: string, branch?: string): Promise<RunRecord | undefined>
  /** runs that answer a message */
  liveAnswers(ownerId: string, chatId: string, replyTo: string): Promise<RunRecord[]>
  renew(run: RunRecord, leaseMs: number): Promise<boolean>
  /** in turns by person, with at most so many running for each */
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
  /** a queued run, unless another process takes it */
  claimOne(chatId: string, runId: string, leaseMs: number): Promise<ClaimedRun | undefined>
  countWriting(ownerId: string): Promise<number>
  seize(chatId: string, runId: string, leaseMs: number): Promise<ClaimedRun | undefined>
  requestStop(chatId: string, runId: string): Promise<void>
}

/** Tells when something has happened, in any process. Each function returns its unsubscribe. */
type ChangesPort = Pick<ChangeHub, 'subscribeChat' | 'subscribeRun' | 'progressed' | 'closed'>

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
    file: { bytes: Uint8Array; mediaType: string; name: string /** unless it is taken */; id?: string },
  ): Promise<FileFacts | undefined>
  /** a person's files with some contents (SHA-256) */
  ofContent(ownerId: string, contents: readonly string[]): Promise<FileFacts[]>
  /** the bytes of a file */
  pieces(file: FileFacts): AsyncIterable<Uint8Array>
  /** the existing ones among some files of a person */
  of(ownerId: string, ids: readonly string[]): Promise<FileFacts[]>
}

/** Reads whole chats, for files of them. */
interface ExportsPort {
  chat(
    chatId: ChatId,
    ownerId: UserId,
  ): Promise<
    | {
        called: ChatId
        seq: number
        contexts: ContextData[]
        checkpointIds: Readonly<Record<string, string>>
        summaries: (Summary & { model: string })[]
        files: FileFacts[]
        kept: { pinned: boolean; archived: boolean; tags: string[] }
      }
    | undefined
  >
  /** messages recorded after one event and not after another, in the order of the log */
  messages(chatId: ChatId, stretch: { after: number; upTo: number }): Promise<MessageData[]>
  /** the keys of a person's chats, or of the picked ones, in the order in which they were begun */
  chatsOf(
    ownerId: UserId,
    page: {
      after: { id: ChatId; createdAt: string } | null
      limit: number
      picked?: PickedChats | undefined
    },
  ): Promise<{ id: ChatId; createdAt: string }[]>
}

/** The models that a person can choose from. */
export interface AvailableModels {
  defaultId: string
  ids: readonly string[]
  has(id: string): boolean
  /** facts of a model; empty for a model that is not offered */
  facts(id: string): Pick<ModelFacts, 'window' | 'price' | 'input' | 'tools'>
  /** throws when it is not offered, or its key cannot be read */
  get(id: string): LanguageModel
  /** a prompt as a model receives it; `from` has the message of the chain that each one is made from */
  sentTo(
    id: string,
    prompt: Pick<Prompt, 'instructions' | 'messages'> & { continues?: boolean | undefined },
  ): Promise<{ system: string | undefined; messages: ModelMessage[]; from: readonly UIMessage[] }>
}

interface ReplyRequest {
  /** whose owner's keys the model is asked with */
  chatId: string
  /** `provider:model` */
  model: string
  /** models of the chat's owner, when known already */
  models?: AvailableModels | undefined
  instructions: string
  settings: ModelSettings
  /** the chain, root first; the message to answer is last, a reply whose tools are answered too */
  messages: UIMessage[]
  /** the last message is a cut reply, to be gone on with */
  continues?: boolean | undefined
  tools: Pick<ReplyTools, 'set' | 'approval'>
  /** finds the last message of the chain that other branches share */
  branchPoint(): Promise<MessageId | undefined>
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
          inputTokenDetails?: { cacheReadTokens?: number | undefined; cacheWriteTokens?: number | undefined }
        }
      | undefined
    /** the reason with which the model ended a completed reply */
    finishReason?: string | undefined
    error?: Explanation | undefined
    cause?: unknown
  }>
}

/** Makes chats whose owner calls them by another id than their key. */
interface NamesChats {
  /** rejects with `HeadConflictError` when the owner has a chat of this name */
  commitCalled(change: Change & Required<Pick<Change, 'create'>>, name: string): Promise<Committed>
}

/** Counts the use of models whose answers are not stored. */
interface CountsUse {
  /** a call before it is made, and its tokens after; rejects with `QuotaExceededError` for a call beyond a limit */
  spend(chatId: ChatId, use: { calls: number; tokens: number }): Promise<void>
}

/** A summary that replaces a chain up to a message, in prompts that the chain is too long for. */
export interface Summary {
  messageId: MessageId
  /** the hash of the ids that the prompt leaves out; empty for none */
  leftOut: string
  text: string
}

/** Tokens of one model's replies, as their providers counted them. */
export interface Spent {
  model: string
  replies: number
  inputTokens: number
  cachedTokens: number
  cacheWriteTokens: number
  outputTokens: number
}

/** Usage of replies; see `UsageReads`. */
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

type SpentByModel = Readonly<Record<string, Omit<Spent, 'model'>>>

interface SummariesPort {
  /** summaries that are stored at any of these messages */
  of(chatId: string, messageIds: readonly MessageId[]): Promise<Summary[]>
  /** stores the first at a message, which is returned from then on */
  save(chatId: string, summary: Summary & { model: string }): Promise<Summary>
}

/** Everything outside the use cases: storage, models, clock, ids. */
export interface Ports {
  /** chats as they are exchanged with other servers */
  exchange: ExchangePort
  store: ContextStore & NamesChats & CountsUse
  reads: ChatReadsPort
  runs: RunsPort
  replays: ReplaysPort
  bisects: BisectsPort
  live: LiveRuns
  /** limits the replies that this process writes at once, by person */
  slots: ReplySlots
  /** decides which of several replies to the same prompt asks first */
  prefixLeads: PrefixLeads
  log: RunLogPort
  changes: ChangesPort
  writer: RunLogWriter
  /** names chats and branches after their first reply */
  titles: Titles
  /** announces runs that a command has queued */
  queue: RunQueue
  commands: ThreadCommandsPort
  threads: ThreadReadsPort
  listed: ListedPort
  files: FilesPort
  imports: ImportsPort
  /** reads the files of other programs, and those of Ramify */
  importing: {
    open(path: string, options: { name: string; part?: FilePart; signal?: AbortSignal }): Promise<OpenImport>
    /** bytes of a file of a message that is taken, at most */
    fileBytes: number
  }
  exports: ExportsPort
  /** people's settings for their new chats */
  chatDefaults: {
    of(ownerId: UserId): Promise<ChatDefaults | undefined>
  }
  models: {
    /** the default for a person without keys */
    defaultId: string
    /** models of the server, and those that the person's own keys add */
    of(ownerId: UserId): Promise<AvailableModels>
    /** facts of a model for the owner of a chat */
    factsIn(chatId: string, model: string): Promise<Pick<ModelFacts, 'window' | 'price' | 'tools'>>
  }
  summaries: SummariesPort
  usage: UsagePort
  /**
   * A summary of a conversation by the model that continues it, or with `instructions` another text about it;
   * rejects when it fails or is aborted.
   */
  summarise(request: {
    chatId: string
    model: string
    instructions?: string
    prompt: string
    abortSignal: AbortSignal
  }): Promise<{ text: string; tokens: number }>
  /** a model's verdict on a reply: yes or no; rejects when it fails or is aborted */
  judge(request: {
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
  /** a prompt as messages of the AI SDK, whichever model it goes to */
  written(
    prompt: Pick<Prompt, 'instructions' | 'messages'>,
  ): Promise<{ system: string | undefined; messages: ModelMessage[] }>
  /** the message made of a reply's parts; cut off at their end */
  assemble(parts: readonly UIMessageChunk[], replyId: string): Promise<UIMessage>
  clock(): number
  newId(): string
  /** lease of a run without a sign of life, in milliseconds */
  leaseMs: number
  logError(what: string, error: unknown): void
}
