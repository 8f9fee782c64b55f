import type { ContextData, MessageData } from '@/lib/context'
import type { BranchId, ChatId, MessageId, UserId } from '@/lib/events'
import type { Place, Stretch } from './coverage'
import type { PackedSummary } from './pack-lines'

/** A ref of a remote, as it was seen last. */
export interface SeenRef {
  kind: 'branch' | 'checkpoint'
  name: string
  messageId: MessageId | null
}

export type OwnBranch = Partial<Place> & {
  id: BranchId
  name: string
  messageId: MessageId | null
  isArchived: boolean
  /** a reply is being written on it */
  isBusy: boolean
}

/** A chat as it is exchanged: its refs, and how its messages hang together. */
export interface ExchangedChat {
  /** its key */
  chatId: ChatId
  /** the owner's id for it */
  called: ChatId
  origin: string
  title: string | null
  seq: number
  lanes: [lane: number, parentLane: number | null, baseDepth: number][]
  ties: [lane: number, depth: number, toLane: number, toDepth: number, isCopy: 0 | 1][]
  branches: OwnBranch[]
  checkpoints: (Place & { name: string; messageId: MessageId })[]
  seen: (Partial<Place> & SeenRef)[]
}

export interface StoredReply {
  model: string | null
  usage: Record<string, number> | null
}

/** Reads chats for an exchange, and keeps the refs of remotes. */
export interface ExchangePort {
  /** the owner's chat of this id, with the refs of a remote */
  standing(called: ChatId, ownerId: UserId, remoteId?: string): Promise<ExchangedChat | undefined>
  /** in the order in which they were recorded */
  idsIn(chatId: ChatId, stretches: readonly Stretch[]): Promise<MessageId[]>
  places(chatId: ChatId, ids: readonly MessageId[]): Promise<Map<MessageId, Place>>
  messages(
    chatId: ChatId,
    ids: readonly MessageId[],
  ): Promise<(MessageData & { reply: StoredReply | null })[]>
  contexts(chatId: ChatId, ids: readonly string[]): Promise<ContextData[]>
  summaries(chatId: ChatId, ids: readonly MessageId[]): Promise<Omit<PackedSummary, 't'>[]>
  /** with `some`, others than the given ones stay */
  keepRefs(
    chatId: ChatId,
    remoteId: string,
    refs: readonly SeenRef[],
    options?: { some?: boolean },
  ): Promise<void>
  keepSummaries(chatId: ChatId, summaries: readonly Omit<PackedSummary, 't'>[]): Promise<void>
}
