import type { UIMessageChunk } from 'ai'
import type {
  BranchId,
  ChatId,
  ContextId,
  LoggedEvent,
  MessageId,
  NamedNode,
  RunId,
  UserId,
} from '@/lib/events'
import { copySlice, noSlice, ReadMap, type Slice } from '../../commit'
import type { ContextData, MessageData, RunRecord } from '../records'
import type { RunPosition } from '../runs/run-streams'

/** A line of replies: it hangs below (`parentLane`, `baseDepth - 1`), or is a root's when `parentLane` is null. */
interface MemoryLane {
  parentLane: number | null
  baseDepth: number
  /** the lane's messages; the first one stands at `baseDepth` */
  ids: MessageId[]
}

export interface MemoryMessage {
  record: MessageData
  preview: string
  lane: number
  depth: number
}

/** A chat: its log, its whole state for `decide`, and facts that the log leaves out. */
export interface MemoryChat {
  userId: UserId
  /** the latest write; a queued run logs no event and counts all the same */
  updatedAt: number
  /** in commit order: `seq` is the index plus one */
  events: LoggedEvent[]
  state: Slice
  lanes: MemoryLane[]
  messages: Map<MessageId, MemoryMessage>
  contexts: Map<ContextId, Pick<ContextData, 'model' | 'setup'>>
  runs: Map<RunId, MemoryRun>
  /** the hashes by which agents name its messages */
  nodes: Map<string, NamedNode>
  /** the last message of an agent, by the branch that it writes on */
  agents: Map<BranchId, MessageId>
}

/** A run, with its parts while it lives and for a while after. */
export interface MemoryRun extends RunRecord {
  stopping: boolean
  endedAt: number | null
  /** the parts of all attempts, in the order they came */
  parts: readonly (RunPosition & { parts: UIMessageChunk[] })[]
}

/** All chats of a store. */
export type MemoryChats = Map<ChatId, MemoryChat>

export const emptyChat = (chatId: ChatId, userId: UserId): MemoryChat => ({
  userId,
  updatedAt: 0,
  events: [],
  state: noSlice(chatId),
  lanes: [],
  messages: new Map(),
  contexts: new Map(),
  runs: new Map(),
  nodes: new Map(),
  agents: new Map(),
})

/** A chat to write to: the given one stays as it is, however the write ends. */
export const copyOf = (chat: MemoryChat): MemoryChat => ({
  ...chat,
  events: [...chat.events],
  state: { ...copySlice(chat.state), runs: wholeOf(chat.runs) },
  lanes: [...chat.lanes],
  messages: new Map(chat.messages),
  contexts: new Map(chat.contexts),
  runs: new Map(chat.runs),
  nodes: new Map(chat.nodes),
  agents: new Map(chat.agents),
})

/** Runs change while no change is decided: they are taken in as they are. */
function wholeOf(runs: ReadonlyMap<RunId, MemoryRun>): Slice['runs'] {
  const whole: Slice['runs'] = new ReadMap('runs')
  for (const [id, run] of runs) whole.set(id, run)
  whole.isWhole = true
  return whole
}
