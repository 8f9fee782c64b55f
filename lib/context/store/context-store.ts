import {
  type BranchId,
  type ChatId,
  type LoggedEvent,
  type MessageId,
  newId,
  type UserId,
} from '@/lib/events'
import { planChatUpdate, planSwitch } from '../planners/plan-moves'
import { planPlacement } from '../planners/plan-placement'
import type { Change, Committed } from './change'
import { HeadConflictError, InvalidDataError, NotFoundError } from './errors'
import { jsonEqual } from './json'
import type {
  AgentNode,
  BranchData,
  ChatData,
  ChatInfo,
  ChatUpdates,
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
import type { RunStreams } from './runs/run-streams'

/** The chat and the branch an engine works on. */
export interface OpenedChat {
  chat: ChatData
  branch: BranchData
}

/** A branch, and the bodies of its chain, root first. */
export interface BranchChain {
  branch: BranchData
  chain: Pick<MessageData, 'data'>[]
}

/**
 * Keeps the engine's graph (seeds/000…002, CONTRACT.md "For code"). It trusts its caller: the layer above it
 * scopes by owner. A chat's id here is its key in the store, unique over all users; a chat of another user is
 * not found. `inCalledChat` maps ids that two users share to keys. Everything is written by `commit`; the
 * other writers are its short forms.
 *
 * A read takes any id or name; an unstorable one (with NUL or half a character) is not found. A write refuses
 * it.
 */
export abstract class ContextStore {
  /** Replies while they are written: replay, follow, cancel, reopen. */
  abstract readonly runs: RunStreams

  /**
   * Applies a change, all or nothing. Rejects with `HeadConflictError` when a branch is no longer at the head the
   * change expects, `NotFoundError`, `NameTakenError`, `ReplyInProgressError`, `MessageExistsError`, `RunOverError`
   * or `InvalidDataError`; then nothing is written. Never rewrites a message.
   */
  abstract commit(change: Change): Promise<Committed>

  /** Makes the chat with an empty branch `main`, or returns the stored one untouched. */
  abstract upsertChat(chat: NewChat): Promise<ChatData>
  abstract getChat(chatId: ChatId): Promise<ChatData | undefined>
  /** The chats of a user (or all), the latest updated first, with their counts. */
  abstract listChats(options?: ListChatsOptions): Promise<ChatInfo[]>
  /** Deletes the chat and everything in it; false when there is no such chat (of that user). */
  abstract deleteChat(chatId: ChatId, options?: { userId?: UserId }): Promise<boolean>

  abstract getMessage(chatId: ChatId, messageId: MessageId): Promise<MessageData | undefined>
  /** True when another chat of the same owner has a message of this id. */
  abstract isMessageElsewhere(chatId: ChatId, messageId: MessageId): Promise<boolean>
  /** The chain from the root to the head, root first; `last` keeps only that many at its end. */
  abstract getMessageChain(
    chatId: ChatId,
    headId: MessageId,
    options?: { last?: number },
  ): Promise<MessageData[]>
  /**
   * Every message of the chat, in the order they were written.
   *
   * @throws NotFoundError for an unknown chat: no messages and no chat are two answers
   */
  abstract getMessages(chatId: ChatId): Promise<MessageData[]>
  /** Counts the messages of this message's chain, itself included. */
  abstract countChain(chatId: ChatId, messageId: MessageId): Promise<number>
  abstract hasChildren(chatId: ChatId, messageId: MessageId): Promise<boolean>
  /** The stored messages among some ids, in any order; `headId` is the head of the chain to test, or null. */
  abstract getMessagesById(
    chatId: ChatId,
    messageIds: readonly MessageId[],
    headId: MessageId | null,
  ): Promise<MessageOfChain[]>
  /**
   * Base of a merge: the end of `sourceHead`'s chain that cannot be reached from `targetHead` (null for an
   * empty branch), over parents and merge parents. Messages merged before are reached.
   *
   * @throws NotFoundError for a head that is not in the chat
   */
  abstract getMergeBase(
    chatId: ChatId,
    sourceHead: MessageId,
    targetHead: MessageId | null,
  ): Promise<MergeBase>

  /** All branches, archived ones included, oldest first. */
  abstract listBranches(chatId: ChatId): Promise<BranchData[]>
  /** A branch by name, else by id. */
  abstract getBranch(chatId: ChatId, nameOrId: string): Promise<BranchData | undefined>
  abstract getActiveBranch(chatId: ChatId): Promise<BranchData | undefined>

  /**
   * A branch, by name, else by id, without either the active one; and the bodies of its whole chain, for a prompt. Two reads
   * here; a store may answer in one.
   */
  async getBranchChain(chatId: ChatId, nameOrId?: string): Promise<BranchChain | undefined> {
    const branch = await this.#findBranch(chatId, nameOrId)
    if (!branch) return undefined
    const headId = branch.headMessageId
    return { branch, chain: headId === null ? [] : await this.getMessageChain(chatId, headId) }
  }

  /** All checkpoints, the one saved or moved last first; an unknown chat has none. */
  abstract listCheckpoints(chatId: ChatId): Promise<CheckpointData[]>
  abstract getCheckpoint(chatId: ChatId, name: string): Promise<CheckpointData | undefined>

  /**
   * The moves that Undo takes back or Redo makes again, the next one first: the moves after the event
   * `after`, at most `movesAtOnce`; without `after` only the next.
   *
   * @throws NotFoundError for an unknown chat, and for another person's
   */
  abstract getMoves(chatId: ChatId, options: MovesOptions): Promise<StoredMove[]>

  /** The first of `getMoves`; null when there is none. */
  async getMove(chatId: ChatId, options: Omit<MovesOptions, 'after'>): Promise<StoredMove | null> {
    return (await this.getMoves(chatId, options))[0] ?? null
  }

  /**
   * The first of some hashes by which an agent names a message of the owner's (`keep-nodes`), with where that message stands.
   *
   * @param options.chatId only of this chat
   */
  abstract findAgentNode(
    ownerId: UserId,
    hashes: readonly string[],
    options?: { chatId?: ChatId | undefined },
  ): Promise<AgentNode | undefined>

  /** Full-text search over the text of messages, ranked, with `<mark>` around the matches. */
  abstract searchMessages(
    chatId: ChatId,
    query: string,
    options?: { roles?: string[]; limit?: number },
  ): Promise<SearchResult[]>
  abstract getGraph(chatId: ChatId): Promise<GraphData>
  /** The log of a chat in commit order, from after `after`; of one stream only when it is named. */
  abstract getEvents(chatId: ChatId, options?: { after?: number; streamId?: string }): Promise<LoggedEvent[]>

  /** Changes title and metadata; metadata is merged key by key. */
  async updateChat(chatId: ChatId, updates: ChatUpdates): Promise<ChatData> {
    await this.commit({ chatId, at: Date.now(), steps: planChatUpdate(updates) })
    const chat = await this.getChat(chatId)
    if (!chat) throw new Error(`Chat "${chatId}" was deleted meanwhile`)
    return chat
  }

  /** Makes this branch the one the chat opens on. */
  async setActiveBranch(chatId: ChatId, branchId: BranchId): Promise<void> {
    await this.commit({ chatId, at: Date.now(), steps: planSwitch(branchId).steps })
  }

  /**
   * The first call of an engine (seeds/001, “Resolve Flow”): makes the chat if need be, merges the metadata given
   * into the stored one, and finds the branch. Writes nothing when there is nothing new.
   *
   * Departure: the branch is the one asked for, else the active one; the source always says `main`.
   *
   * @param options.branch name or id; on a chat that is yet to be made only `main` exists
   * @throws NotFoundError for an unknown branch, and for a chat that belongs to another user
   */
  async openChat(options: Omit<NewChat, 'title'> & { branch?: string | undefined }): Promise<OpenedChat> {
    const { id, userId, metadata = {}, branch: name } = options
    // mostly both exist: neither waits for the other
    let [chat, branch] = await Promise.all([this.getChat(id), this.#findBranch(id, name)])
    if (!chat) {
      if (name !== undefined && name !== 'main') throw new NotFoundError('branch', name)
      chat = await this.upsertChat({ id, userId, metadata })
    }
    if (chat.userId !== userId) throw new NotFoundError('chat', id)
    branch ??= await this.#findBranch(id, name)
    if (!branch) throw new NotFoundError('branch', name ?? 'main')
    if (!jsonEqual({ ...chat.metadata, ...metadata }, chat.metadata)) {
      chat = await this.updateChat(id, { metadata })
    }
    return { chat, branch }
  }

  /**
   * Adds one message below its parent, and moves or opens the branch that leads to it, so that nothing is ever
   * unreachable: the branch that stands at the parent advances (the active one first), else a new one opens there. A
   * root goes to an empty branch, or to a new one.
   *
   * Departure: the source writes the node alone and leaves the branches to the caller.
   *
   * @param message its `createdAt` in milliseconds; in the form with a chat id, that one counts
   * @throws InvalidDataError `Message m cannot be its own parent`, or data that cannot be stored
   * @throws NotFoundError for an unknown chat or parent
   * @throws MessageExistsError when the chat has a message of this id: messages are never rewritten
   */
  addMessage(message: MessageData): Promise<void>
  addMessage(chatId: ChatId, message: Omit<MessageData, 'chatId'>): Promise<void>
  async addMessage(first: ChatId | MessageData, second?: Omit<MessageData, 'chatId'>): Promise<void> {
    const message = typeof first === 'string' ? second && { ...second, chatId: first } : first
    if (!message) throw new TypeError('A message is required')
    const { id, chatId, parentId } = message
    if (parentId === id) throw new InvalidDataError(`Message ${id} cannot be its own parent`)
    const branches = await this.listBranches(chatId)
    const at = Date.now()
    try {
      await this.commit({ chatId, at, steps: planPlacement(message, branches, newId) })
    } catch (error) {
      // The branch has moved on: the message still belongs below its parent, on a branch of its own.
      if (!(error instanceof HeadConflictError)) throw error
      const taken = branches.filter(({ headMessageId }) => headMessageId !== parentId)
      await this.commit({ chatId, at, steps: planPlacement(message, taken, newId) })
    }
  }

  #findBranch(chatId: ChatId, nameOrId: string | undefined): Promise<BranchData | undefined> {
    return nameOrId === undefined ? this.getActiveBranch(chatId) : this.getBranch(chatId, nameOrId)
  }
}
