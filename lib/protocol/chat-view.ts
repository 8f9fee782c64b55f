import type { UIMessage } from 'ai'
import { z } from 'zod'
import type {
  BranchId,
  ChatId,
  CompactNote,
  MemberRole,
  MergeConflict,
  MergeMode,
  MergeNote,
  MergeResolution,
  MessageId,
  Quote,
  ReplayId,
  RunId,
  Seam,
} from '@/lib/events'
import type { ChatContext } from './context'
import type { FanOutBegun, FanOutContext } from './fan-out'
import { named } from './fields'
import type { Explanation, Graph, GraphDelta, PackedGraph } from './graph'
import type { ModelFacts } from './models'
import type { MovedBack } from './moves'
import type { ActionResult } from './problem'

/** The data of a stored message besides its parts. */
export interface MessageMetadata {
  /** a partial reply says how it ended */
  status?: 'stopped' | 'failed'
  error?: Explanation
  model?: string
  usage?: { inputTokens?: number; cachedTokens?: number; cacheWriteTokens?: number; outputTokens?: number }
  /** the model was not done: it had met the limit of a reply's length */
  finishReason?: 'length'
  /** the places at which it goes on with cut replies, in order */
  seams?: Seam[]
  /** the last message that a summary stood for in the prompt */
  compacted?: MessageId
  createdAt?: number
  /** the name of who speaks, in an imported message of a group */
  speaker?: string
  /** the side of an imported message that its own program did not show; models are not sent it */
  hidden?: 'user' | 'assistant' | 'system'
  /** an imported message as its file held it */
  imported?: string
  /** for a copy: the message that was copied */
  copiedFrom?: MessageId
  /** for a copy of a shared chat: the message there */
  sharedFrom?: MessageId
  /** for a message of a proposal: the message in the copy, and the name of its author */
  proposed?: { id: MessageId; by: string }
  /** the second parent of a message that has two */
  mergeParent?: MessageId
  /** the merge that made the message */
  merge?: MergeNote
  /** for a summary that a branch begins with */
  compact?: CompactNote
  /**
   * duration of parts of a reply, in ms: of a tool under the id of its call, of reasoning under `reasoning-0`,
   * `reasoning-1` …
   */
  durations?: Record<string, number>
  /** notes for a person on how it was asked: tools that could not be offered */
  notices?: string[]
}

/** The data parts of messages. Parts of a turn's stream are not stored. */
export type TurnData = {
  /**
   * stored: an item of an agent that is not understood, sent or answered, as it came, and the protocol that it came
   * in
   */
  item: { protocol: string; item: unknown }
  /** the turn's one delta, last in the stream */
  graph: GraphDelta
  /**
   * First in the stream: the turn is stored; `delta` holds the user message and, for an edit or retry, the new branch. A
   * second such part follows when the reply to a queued run begins.
   */
  run: {
    runId: RunId
    status: 'queued' | 'running' | 'completed' | 'stopped' | 'failed'
    /** why a queued run waits */
    waiting?: Waiting
    branchId: BranchId
    branch: string
    userMessageId: MessageId
    replyId: MessageId
    delta: GraphDelta
    /** age of the run, for a reader who comes later: no clock but the server's has to be right */
    elapsedMs?: number
  }
  title: string
}

/** Why a reply waits: as many of the person's replies are being written as are allowed at once, or the server is at its limit. */
export interface Waiting {
  for: 'person' | 'server'
  /** the person's replies that are being written */
  writing: number
}

export type ChatMessage = UIMessage<MessageMetadata, TurnData>

const chatMessage = named(
  'ChatMessage',
  z
    .object({
      id: z.string(),
      role: z.enum(['user', 'assistant', 'system']),
      parts: z.array(z.looseObject({ type: z.string() })),
      metadata: z.looseObject({}).optional(),
    })
    .meta({ description: 'A UI message of the AI SDK' }),
)

export const threadWindow = named(
  'ChatWindow',
  z.object({
    messages: z.array(chatMessage as unknown as z.ZodType<ChatMessage, ChatMessage>),
    /** 0 = nothing above */
    start: z.int().meta({ description: 'Depth of the first message' }),
  }),
)

/** A window of one chain: its messages, root to head. */
export type ThreadWindow = z.infer<typeof threadWindow>

/** The data of the chat page: thread and graph in one load. */
export interface ChatView {
  /** with `partial`, only with the messages of the window: a long chat's thread does not wait for its graph */
  graph: Graph
  partial?: boolean
  /** the branch in the URL, or the active one */
  branchId: BranchId
  window: ThreadWindow
  /** for a chat that is not stored yet: the context of its first message */
  begins?: ChatContext
  /** in a chat of someone else: what the reader may do there, and the name of its owner */
  lent?: { role: MemberRole; owner: string }
}

/** A chat as a page sends it. */
export type PackedChatView = Omit<ChatView, 'graph'> & { graph: PackedGraph }

export interface ModelInfo {
  id: string
  label: string
  provider: string
}

/** A model as a person chooses it. */
export interface OfferedModel extends ModelInfo, ModelFacts {
  /** `openai` as it is written: `OpenAI` */
  providerName: string
}

/** The result of a move: its delta, and the branch in view afterwards. */
export interface Moved {
  delta: GraphDelta
  branchId: BranchId
}

/** A server action on a chat; it answers with the delta of its write unless given. */
type ChatAction<Input, Value = { delta: GraphDelta }> = (
  input: { chatId: ChatId } & Input,
) => Promise<ActionResult<Value>>

/** The server actions of a chat, handed to the client by the page. */
interface ReviewedMerge {
  targetId: BranchId
  brief?: string
  quotes?: Quote[]
  conflicts?: MergeConflict[]
  resolutions?: Record<string, MergeResolution>
}

export interface ChatActions {
  /** opens a branch at a message and switches to it; an empty branch at that message is reused */
  rewind: ChatAction<
    {
      branchId: BranchId
      messageId: MessageId
      /** the move just before, which is undone together with this one: the switch of a double click's first click */
      joins?: number
    },
    Moved
  >
  switchBranch: ChatAction<{ branchId: BranchId }, Moved>
  /** has another model answer on a branch from now on */
  chooseModel: ChatAction<{ branchId: BranchId; model: string }>
  saveCheckpoint: ChatAction<{ messageId: MessageId; name: string }>
  removeCheckpoint: ChatAction<{ name: string }>
  /** opens a branch at the checkpoint's message and switches to it */
  restoreCheckpoint: ChatAction<{ branchId: BranchId; name: string }, Moved>
  renameBranch: ChatAction<{ branchId: BranchId; name: string }>
  /** hides a branch (Undo of a rewind); the same write makes `switchTo` active */
  archiveBranch: ChatAction<{ branchId: BranchId; switchTo?: BranchId }>
  unarchiveBranch: ChatAction<{ branchId: BranchId }>
  /** asks several models at once to answer a new message, or a stored one, each on a branch of its own */
  fanOut: ChatAction<
    { branch?: BranchId; models: string[]; contexts?: FanOutContext[] } & (
      | { message: ChatMessage; expectedHead: MessageId | null }
      | { messageId: MessageId }
    ),
    FanOutBegun
  >
  /** makes a branch the one the chat opens on, and archives the other replies to its message */
  keepBranch: ChatAction<{ branchId: BranchId; otherIds: BranchId[] }, Moved>
  /**
   * takes back the chat's last move, of any tab or command; `moveSeq`: only if that is the last one; `to`: all that were made after
   * that position of the log, or none
   */
  undoMove: ChatAction<{ moveSeq?: number; to?: number }, Moved & MovedBack>
  redoMove: ChatAction<unknown, Moved & MovedBack>
  /** asks messages of a branch again on another, which is in view afterwards */
  replay: ChatAction<
    {
      branchId: BranchId
      /** chosen by the page: asked twice, it is one replay */
      replayId: ReplayId
      fromId?: MessageId
      model?: string
      context?: string
      content?: string | undefined
      /** although something is missing */
      anyway?: boolean
    },
    Moved
  >
  steerReplay: ChatAction<{ replayId: ReplayId; action: 'pause' | 'resume' | 'stop' }, Moved>
  /** has the agent that writes on `agentId` go on from a message with its next call, after the person's `text` */
  steerTo: ChatAction<
    { agentId: BranchId; branchId: BranchId; messageId: MessageId; text?: string | undefined },
    Moved
  >
  /** takes back where the agent that writes on a branch is to go on */
  stopSteering: ChatAction<{ branchId: BranchId }>
  /** leaves messages out of the prompts of a branch's next replies, or puts them back */
  leaveOut: ChatAction<{ branchId: BranchId; messageIds: MessageId[]; leftOut: boolean }>
  /** merges a branch into another one, as a person has reviewed it */
  mergeBranches: ChatAction<ReviewedMerge & { sourceId: BranchId; mode: MergeMode }, Moved>
  /** takes all or some of a proposal that is pinned at `headId` */
  takeProposal: ChatAction<
    ReviewedMerge & {
      proposalId: string
      headId: MessageId
      mode: MergeMode | 'messages'
      messageIds?: MessageId[]
    },
    Moved
  >
  /** copies messages to the end of a branch */
  pickMessages: ChatAction<{ branchId: BranchId; messageIds: MessageId[] }, Moved>
  /** opens a branch that begins with a summary, and switches to it */
  compactBranch: ChatAction<{ branchId: BranchId; messageId?: MessageId; summary: string }, Moved>
  renameChat: ChatAction<{ title: string }>
  deleteChat: ChatAction<unknown, Record<string, never>>
}
