import { type MessageId, newId, type Step } from '@/lib/events'
import { addUsage } from '../estimate'
import type { MessageFragment } from '../fragments'
import { type Plan, planBtw, planCheckpoint, planRewind, planSwitch } from '../planners/plan-moves'
import { type PendingMessage, planSave, splitPending } from '../planners/plan-save'
import {
  type BranchChain,
  type BranchData,
  type BranchInfo,
  type ChatData,
  type ChatUpdates,
  type CheckpointData,
  type Committed,
  ForeignMessageError,
  HeadConflictError,
  type MessageData,
  MessageExistsError,
  NotFoundError,
  type OpenedChat,
} from '../store'
import { toDraft, withoutRepeats, withStored } from './pending'
import type { ContextEngineOptions } from './types'

/** Where an engine stands: its chat and branch as it last saw them. Every change is a plan, committed at once. */
export class EngineSession {
  readonly #options: ContextEngineOptions
  #opened: OpenedChat | undefined
  /** when the branch's head was made, once this session knows */
  #headCreatedAt: { id: MessageId; at: number } | undefined

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
    this.#opened ??= await store.openChat({ id: chatId, userId, metadata, branch })
    return this.#opened
  }

  /** Like `open`, but sees what others wrote to the branch meanwhile; with the branch's chain, root first. */
  async read(): Promise<OpenedChat & Pick<BranchChain, 'chain'>> {
    const { store, chatId, branch: asked } = this.#options
    if (!this.#opened) {
      // mostly the chat exists: its chain is read along with it, not after it
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
   * Writes pending messages in one commit, or none when all of them are stored already. All of them count as new
   * at first: only after a refusal does the session look up which ids are stored, and plan an edit.
   *
   * @param pending without lazy fragments
   * @throws whatever `ContextStore.commit` refuses; then nothing is written
   */
  async save(pending: readonly MessageFragment[]): Promise<void> {
    const { store, chatId } = this.#options
    const drafts = withoutRepeats(pending).map(toDraft)
    try {
      await this.#savePlanned(drafts)
    } catch (error) {
      if (!(error instanceof MessageExistsError || error instanceof HeadConflictError)) throw error
      const known = await withStored(store, chatId, drafts)
      if (known.every(({ stored }) => stored === undefined)) throw error
      await this.#savePlanned(known)
    }
  }

  async #savePlanned(pending: readonly PendingMessage[]): Promise<void> {
    const { branch } = await this.open()
    const { id: branchId, name: branchName, headMessageId: headId } = branch
    const at = Date.now()
    const { stay } = splitPending(pending)
    const headCreatedAt = stay.length > 0 && headId !== null ? await this.#createdAt(headId) : 0
    const standing = { branchId, branchName, headId }
    const plan = planSave({ branch: standing, pending, at, headCreatedAt, newId })
    if (plan.steps.length > 0) await this.#commit(plan.steps, { at, standOn: plan.branchId })
  }

  async #createdAt(id: MessageId): Promise<number> {
    const { store, chatId } = this.#options
    if (this.#headCreatedAt?.id !== id) {
      this.#headCreatedAt = { id, at: (await store.getMessage(chatId, id))?.createdAt ?? 0 }
    }
    return this.#headCreatedAt.at
  }

  /** Opens a branch at a message and stands there. */
  async rewind(messageId: string): Promise<BranchInfo> {
    const { branch } = await this.open()
    const plan = planRewind({ after: branch.name, messageId, newId })
    try {
      return await this.#move(plan)
    } catch (error) {
      throw await this.#explain(error, messageId)
    }
  }

  async restore(name: string): Promise<BranchInfo> {
    await this.open()
    const { store, chatId } = this.#options
    const checkpoint = await store.getCheckpoint(chatId, name)
    if (!checkpoint) throw new NotFoundError('checkpoint', name)
    return this.rewind(checkpoint.messageId)
  }

  /** Stands on another branch, which the chat opens on from now on. */
  async switchTo(nameOrId: string): Promise<BranchInfo> {
    await this.open()
    const { store, chatId } = this.#options
    const branch = await store.getBranch(chatId, nameOrId)
    if (!branch) throw new NotFoundError('branch', nameOrId)
    return this.#move(planSwitch(branch.id))
  }

  /** Opens a branch at the head and stays on the current one. */
  async btw(): Promise<BranchInfo> {
    const { branch } = await this.open()
    const { steps, branchId } = planBtw({ branch, newId })
    return toBranchInfo(await this.#commit(steps), branchId)
  }

  async checkpoint(name: string): Promise<CheckpointData> {
    const { branch } = await this.open()
    const { checkpoints } = await this.#commit(
      planCheckpoint({ name, messageId: branch.headMessageId, newId }),
    )
    const saved = checkpoints.find((checkpoint) => checkpoint.name === name)
    if (!saved) throw new Error(`The store did not report checkpoint "${name}"`)
    return saved
  }

  async updateChat(updates: ChatUpdates): Promise<void> {
    const { branch } = await this.open()
    const { store, chatId } = this.#options
    this.#opened = { chat: await store.updateChat(chatId, updates), branch }
  }

  /** Adds to the totals under `usage` in the chat's metadata, read anew. */
  async trackUsage(usage: object): Promise<void> {
    await this.open()
    const { store, chatId } = this.#options
    const stored = await store.getChat(chatId)
    await this.updateChat({ metadata: { usage: addUsage(stored?.metadata.usage, usage) } })
  }

  async #move({ steps, branchId }: Plan): Promise<BranchInfo> {
    return toBranchInfo(await this.#commit(steps, { standOn: branchId }), branchId)
  }

  /** @param options.standOn id of the branch to stand on afterwards; without it the session stays where it is */
  async #commit(
    steps: Step[],
    { at = Date.now(), standOn }: { at?: number; standOn?: string } = {},
  ): Promise<Committed> {
    const { chat, branch } = await this.open()
    const { store, chatId, userId } = this.#options
    const committed = await store.commit({ chatId, ownerId: userId, at, steps })
    const now = { chat: { ...chat, updatedAt: Math.max(chat.updatedAt, at) }, branch }
    if (standOn !== undefined) {
      const { headLane: _lane, headDepth: _depth, ...data } = branchOf(committed, standOn)
      now.branch = { ...data, isActive: data.id === committed.activeBranchId }
    }
    this.#opened = now
    const last = steps.findLast((step) => step.kind === 'append')?.messages.at(-1)
    if (last) this.#headCreatedAt = { id: last.id, at: last.createdAt }
    return committed
  }

  /** A message that is not here may be in another chat of the same user: that has its own error. */
  async #explain(error: unknown, messageId: string): Promise<unknown> {
    if (!(error instanceof NotFoundError) || error.what !== 'message') return error
    const { store, chatId } = this.#options
    const isElsewhere = await store.isMessageElsewhere(chatId, messageId)
    return isElsewhere ? new ForeignMessageError(messageId) : error
  }
}

/**
 * What the branch would hold after `save`: the stored messages, root first, and the decoded ones to be added.
 *
 * @param current the branch's chain as it is stored
 */
export async function previewPending(
  { store, chatId }: Pick<ContextEngineOptions, 'store' | 'chatId'>,
  pending: readonly MessageFragment[],
  current: BranchChain['chain'],
): Promise<Pick<BranchChain, 'chain'> & { added: unknown[] }> {
  const drafts = withoutRepeats(pending).map(toDraft)
  const { stay, edit } = splitPending(await withStored(store, chatId, drafts))
  const chain = edit ? await storedChain(store, chatId, edit.stored.parentId) : current
  return { chain, added: (edit?.line ?? stay).map(({ fragment }) => fragment.codec.decode()) }
}

/** A chain, root first; nothing for the head of an empty branch. */
export const storedChain = async (
  store: ContextEngineOptions['store'],
  chatId: string,
  headId: string | null,
): Promise<MessageData[]> => (headId === null ? [] : store.getMessageChain(chatId, headId))

function branchOf({ branches }: Committed, id: string): Committed['branches'][number] {
  const branch = branches.find((reported) => reported.id === id)
  if (!branch) throw new Error(`The store did not report branch "${id}"`)
  return branch
}

/** How many messages a branch has is the depth of its head plus one: nothing is counted. */
function toBranchInfo(committed: Committed, branchId: string): BranchInfo {
  const { id, name, headMessageId, headDepth, createdAt } = branchOf(committed, branchId)
  const isActive = id === committed.activeBranchId
  return {
    id,
    name,
    headMessageId,
    isActive,
    messageCount: headDepth === null ? 0 : headDepth + 1,
    createdAt,
  }
}
