import { newId } from '@/lib/events'
import {
  type BranchChain,
  type BranchData,
  type BranchInfo,
  type ChatData,
  type Committed,
  ForeignMessageError,
  NotFoundError,
  type OpenBranch,
  type OpenedChat,
  type Step,
} from '../store'
import { toBranchData, toBranchInfo } from './branch-info'
import type { ContextEngineOptions } from './types'

/**
 * Where an engine stands: its chat and branch as it last saw them, and the moves that change them. What is pending is
 * none of its business.
 */
export class EngineSession {
  readonly #options: ContextEngineOptions
  #opened: OpenedChat | undefined

  constructor(options: ContextEngineOptions) {
    this.#options = options
  }

  get chat(): ChatData | undefined {
    return this.#opened?.chat
  }

  get branch(): BranchData | undefined {
    return this.#opened?.branch
  }

  /** The chat and the branch, from memory after the first call. */
  async open(): Promise<OpenedChat> {
    const { store, chatId, userId, metadata, branch } = this.#options
    this.#opened ??= await store.openChat({
      id: chatId,
      userId,
      ...(metadata && { metadata }),
      ...(branch !== undefined && { branch }),
    })
    return this.#opened
  }

  /** Like `open`, but sees what others wrote to the branch meanwhile; with the branch's chain, root first. */
  async read(): Promise<OpenedChat & Pick<BranchChain, 'chain'>> {
    const { store, chatId, branch: asked } = this.#options
    if (!this.#opened) {
      // mostly the chat is there: its chain is asked for along with it, not after it
      const [opened, ahead] = await Promise.all([this.open(), store.getBranchChain(chatId, asked)])
      if (ahead?.branch.id === opened.branch.id) {
        this.#opened = { chat: opened.chat, branch: ahead.branch }
        return { ...this.#opened, chain: ahead.chain }
      }
    }
    const { chat, branch } = await this.open()
    const current = await store.getBranchChain(chatId, branch.id)
    if (!current) throw new NotFoundError('branch', branch.name)
    this.#opened = { chat, branch: current.branch }
    return { chat, ...current }
  }

  /**
   * Writes steps in one transaction.
   *
   * @param standOn id of the branch to stand on afterwards; without it the session stays where it is
   */
  async commit(steps: Step[], at: number, standOn?: string): Promise<Committed> {
    const { chat, branch } = await this.open()
    const { store, chatId, userId } = this.#options
    const committed = await store.commit({ chatId, ownerId: userId, at, steps })
    const now = standOn === undefined ? branch : toBranchData(touched(committed, standOn), committed)
    this.#opened = { chat: { ...chat, updatedAt: Math.max(chat.updatedAt, at) }, branch: now }
    return committed
  }

  /** Opens a branch named after the current one at a message; `stay` leaves the session and the chat where they are. */
  async fork(messageId: string, options: { stay?: boolean; contextId?: string } = {}): Promise<BranchInfo> {
    const { branch } = await this.open()
    const { stay = false, contextId } = options
    const step: OpenBranch = {
      kind: 'open-branch',
      branchId: newId(),
      after: branch.name,
      at: messageId,
      fork: { messageId },
      ...(contextId !== undefined && { contextId }),
      activate: !stay,
    }
    try {
      const committed = await this.commit([step], Date.now(), stay ? undefined : step.branchId)
      return toBranchInfo(touched(committed, step.branchId), committed)
    } catch (error) {
      throw await this.#explain(error, messageId)
    }
  }

  /** Stands on another branch, which the chat opens on from now on. */
  async switchTo(nameOrId: string): Promise<BranchInfo> {
    await this.open()
    const { store, chatId } = this.#options
    const branch = await store.getBranch(chatId, nameOrId)
    if (!branch) throw new NotFoundError('branch', nameOrId)
    const steps: Step[] = [{ kind: 'switch-branch', branchId: branch.id }]
    const committed = await this.commit(steps, Date.now(), branch.id)
    return toBranchInfo(touched(committed, branch.id), committed)
  }

  async updateChat(updates: { title?: string; metadata?: Record<string, unknown> }): Promise<void> {
    const { branch } = await this.open()
    const { store, chatId } = this.#options
    this.#opened = { chat: await store.updateChat(chatId, updates), branch }
  }

  /** A message that is not here may be in another chat of the same user: that has its own error. */
  async #explain(error: unknown, messageId: string): Promise<unknown> {
    if (!(error instanceof NotFoundError) || error.what !== 'message') return error
    const { store, chatId } = this.#options
    const isElsewhere = await store.isMessageElsewhere(chatId, messageId)
    return isElsewhere ? new ForeignMessageError(messageId) : error
  }
}

function touched(committed: Committed, branchId: string) {
  const branch = committed.branches.find(({ id }) => id === branchId)
  if (!branch) throw new Error(`The store did not report branch "${branchId}"`)
  return branch
}
