import {
  type BranchId,
  type ChatId,
  type LoggedEvent,
  type MessageId,
  newId,
  type UserId,
} from '@/lib/events'
import type { Change, Committed } from './change'
import { checkChange } from './check-change'
import { ContextStore } from './context-store'
import { NotFoundError } from './errors'
import { readAgentNode } from './memory/agent-nodes'
import { applyChange } from './memory/apply-change'
import type { MemoryChat } from './memory/memory-chat'
import { MemoryRuns } from './memory/memory-runs'
import { readMergeBase, readMessages } from './memory/merge-base'
import {
  graphDataOf,
  hasReply,
  readBranches,
  readChain,
  readCheckpoints,
  readData,
  readInfo,
  readMoves,
} from './memory/read-chat'
import { searchChat } from './memory/search'
import type {
  AgentNode,
  BranchData,
  ChatData,
  ChatInfo,
  CheckpointData,
  GraphData,
  ListChatsOptions,
  MergeBase,
  MessageData,
  MessageOfChain,
  MovesOptions,
  NewChat,
  SearchResult,
  StoredMove,
} from './records'

/**
 * The context store for tests and short-lived programs: gone with the process, otherwise the same as the one on
 * Postgres, event for event (one contract suite runs on both). Values are copied on their way in and out, so an
 * object that a caller still holds cannot change stored history.
 *
 * @example const context = new ContextEngine({ store: new InMemoryContextStore(), chatId: 'c1', userId: 'u1' })
 */
export class InMemoryContextStore extends ContextStore {
  readonly #chats = new Map<ChatId, MemoryChat>()
  override readonly runs = new MemoryRuns(this, this.#chats)

  override async commit(change: Change): Promise<Committed> {
    checkChange(change)
    // As JSON, like the database: no undefined, no class instances.
    const copy: Change = JSON.parse(JSON.stringify(change))
    const committed = structuredClone(applyChange(this.#chats, copy))
    this.runs.ring(copy.steps.flatMap((step) => (step.kind === 'finish-run' ? [step.runId] : [])))
    return committed
  }

  override async upsertChat({ id, ...create }: NewChat): Promise<ChatData> {
    if (!this.#chats.has(id)) {
      await this.commit({ chatId: id, at: Date.now(), create: { ...create, branchId: newId() }, steps: [] })
    }
    const stored = await this.getChat(id)
    if (!stored) throw new Error(`Chat "${id}" was deleted meanwhile`)
    return stored
  }

  override async getChat(chatId: ChatId): Promise<ChatData | undefined> {
    return this.#read(chatId, readData)
  }

  override async listChats(options: ListChatsOptions = {}): Promise<ChatInfo[]> {
    const { userId, metadata, limit, offset = 0 } = options
    return [...this.#chats.values()]
      .map(readInfo)
      .filter((chat) => userId === undefined || chat.userId === userId)
      .filter((chat) => metadata === undefined || chat.metadata[metadata.key] === metadata.value)
      .sort((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : -1))
      .slice(offset, limit === undefined ? undefined : offset + limit)
  }

  override async deleteChat(chatId: ChatId, options: { userId?: UserId } = {}): Promise<boolean> {
    const owner = this.#chats.get(chatId)?.userId
    if (options.userId !== undefined && options.userId !== owner) return false
    const runs = this.#chats.get(chatId)?.runs.keys() ?? []
    const isDeleted = this.#chats.delete(chatId)
    this.runs.ring(runs)
    return isDeleted
  }

  override async getMessage(chatId: ChatId, messageId: MessageId): Promise<MessageData | undefined> {
    return structuredClone(this.#chats.get(chatId)?.messages.get(messageId)?.record)
  }

  override async isMessageElsewhere(chatId: ChatId, messageId: MessageId): Promise<boolean> {
    const owner = this.#chats.get(chatId)?.userId
    return [...this.#chats].some(
      ([id, { userId, messages }]) => userId === owner && id !== chatId && messages.has(messageId),
    )
  }

  override async getMessageChain(
    chatId: ChatId,
    headId: MessageId,
    options: { last?: number } = {},
  ): Promise<MessageData[]> {
    return this.#read(chatId, (chat) => readChain(chat, headId, options.last)) ?? []
  }

  override async getMessages(chatId: ChatId): Promise<MessageData[]> {
    const chat = this.#chats.get(chatId)
    if (!chat) throw new NotFoundError('chat', chatId)
    return Array.from(chat.messages.values(), ({ record }) => structuredClone(record))
  }

  override async countChain(chatId: ChatId, messageId: MessageId): Promise<number> {
    return (this.#chats.get(chatId)?.messages.get(messageId)?.depth ?? -1) + 1
  }

  override async hasChildren(chatId: ChatId, messageId: MessageId): Promise<boolean> {
    return this.#read(chatId, (chat) => hasReply(chat, messageId)) ?? false
  }

  override async getMessagesById(
    chatId: ChatId,
    messageIds: readonly MessageId[],
    headId: MessageId | null,
  ): Promise<MessageOfChain[]> {
    return this.#read(chatId, (chat) => readMessages(chat, messageIds, headId)) ?? []
  }

  override async getMergeBase(
    chatId: ChatId,
    sourceHead: MessageId,
    targetHead: MessageId | null,
  ): Promise<MergeBase> {
    const base = this.#read(chatId, (chat) => readMergeBase(chat, sourceHead, targetHead))
    if (!base) throw new NotFoundError('message', sourceHead)
    return base
  }

  override async listBranches(chatId: ChatId): Promise<BranchData[]> {
    return this.#read(chatId, readBranches) ?? []
  }

  override async getBranch(chatId: ChatId, nameOrId: string | BranchId): Promise<BranchData | undefined> {
    const branches = await this.listBranches(chatId)
    return branches.find(({ name }) => name === nameOrId) ?? branches.find(({ id }) => id === nameOrId)
  }

  override async getActiveBranch(chatId: ChatId): Promise<BranchData | undefined> {
    return (await this.listBranches(chatId)).find(({ isActive }) => isActive)
  }

  override async listCheckpoints(chatId: ChatId): Promise<CheckpointData[]> {
    return this.#read(chatId, readCheckpoints)?.reverse() ?? []
  }

  override async getCheckpoint(chatId: ChatId, name: string): Promise<CheckpointData | undefined> {
    return (await this.listCheckpoints(chatId)).find((checkpoint) => checkpoint.name === name)
  }

  override async getMoves(chatId: ChatId, { which, ownerId, after }: MovesOptions): Promise<StoredMove[]> {
    const chat = this.#chats.get(chatId)
    if (!chat || (ownerId !== undefined && chat.userId !== ownerId)) throw new NotFoundError('chat', chatId)
    return structuredClone(readMoves(chat, which, after))
  }

  override async findAgentNode(
    ownerId: UserId,
    hashes: readonly string[],
    options: { chatId?: ChatId | undefined } = {},
  ): Promise<AgentNode | undefined> {
    return readAgentNode(this.#chats, ownerId, hashes, options.chatId)
  }

  override async searchMessages(
    chatId: ChatId,
    query: string,
    options: { roles?: string[]; limit?: number } = {},
  ): Promise<SearchResult[]> {
    return this.#read(chatId, (chat) => searchChat(chat, query, options)) ?? []
  }

  override async getGraph(chatId: ChatId): Promise<GraphData> {
    return this.#read(chatId, graphDataOf) ?? { chatId, nodes: [], branches: [], checkpoints: [] }
  }

  override async getEvents(
    chatId: ChatId,
    options: { after?: number; streamId?: string } = {},
  ): Promise<LoggedEvent[]> {
    const { after = 0, streamId } = options
    const events = this.#chats.get(chatId)?.events ?? []
    return events
      .filter((event) => event.seq > after && (streamId === undefined || event.streamId === streamId))
      .map((event) => structuredClone(event))
  }

  #read<T>(chatId: ChatId, read: (chat: MemoryChat) => T): T | undefined {
    const chat = this.#chats.get(chatId)
    return chat && read(chat)
  }
}
