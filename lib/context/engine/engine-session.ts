import { type MergeMode, type MessageId, type NewMessage, newId, type Step } from '@/lib/events'
import { addUsage } from '../estimate'
import { type MessageFragment, messagePreview } from '../fragments'
import { digestOf } from '../merging/digest'
import { planCompact } from '../planners/plan-compact'
import { type MergeWay, planMerge } from '../planners/plan-merge'
import { type Plan, planBtw, planCheckpoint, planRewind, planSwitch } from '../planners/plan-moves'
import { planPick } from '../planners/plan-pick'
import { planNextQuestion, planReplayBranch } from '../planners/plan-replay'
import { type PendingMessage, planSave, splitPending } from '../planners/plan-save'
import type { BranchHead } from '../planners/plan-turn'
import { planRedo, planUndo } from '../planners/plan-undo'
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
  type MessageOfChain,
  NotFoundError,
  NothingToMergeError,
  NothingToUndoError,
  type OpenedChat,
} from '../store'
import { toDraft, withoutRepeats, withStored } from './pending'
import type { ContextEngineOptions } from './types'

/** An engine's chat and branch as it last saw them. Every change is a plan, committed at once. */
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

  /** Like `open`, but sees later writes of others to the branch; with the branch's chain, root first. */
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
   * @throws the refusals of `ContextStore.commit`; then nothing is written
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

  /** Takes the chat's last move back, or makes it again, and stands on the branch that the chat opens on then. */
  async moveBack(which: 'undo' | 'redo'): Promise<BranchInfo> {
    await this.open()
    const { store, chatId, userId } = this.#options
    const stored = await store.getMove(chatId, { which, ownerId: userId })
    if (!stored) throw new NothingToUndoError(which)
    const { steps, branchId } = which === 'undo' ? planUndo(stored, newId) : planRedo(stored, newId)
    await this.#commit(steps, { expectedSeq: stored.seq })
    const branch = await store.getBranch(chatId, branchId)
    if (!branch) throw new NotFoundError('branch', branchId)
    this.#opened = { chat: (await this.open()).chat, branch }
    const { id, name, headMessageId, isActive, createdAt } = branch
    const messageCount = headMessageId === null ? 0 : await store.countChain(chatId, headMessageId)
    return { id, name, headMessageId, isActive, messageCount, createdAt }
  }

  /** The user's messages of the branch from `from` on, for a replay to ask again. */
  async questions(from: string | undefined): Promise<MessageData[]> {
    const { branch } = await this.open()
    const { store, chatId } = this.#options
    const chain = await storedChain(store, chatId, branch.headMessageId)
    const at = from === undefined ? 0 : chain.findIndex(({ id }) => id === from)
    if (at < 0) throw new NotFoundError('message', from ?? '')
    return chain.slice(at).filter(({ name }) => name === 'user')
  }

  /** Opens a branch before a message, asks its copy there, and stands there. */
  async beginReplay(before: MessageData, model: string): Promise<void> {
    const { branch } = await this.open()
    const { steps, branchId } = planReplayBranch({
      before,
      first: copied(before),
      newId,
      source: { branchId: branch.id, branchName: branch.name },
      replay: { id: newId(), model },
    })
    await this.#commit(steps, { standOn: branchId })
  }

  /** Asks the copy of a message below the head. */
  async askAgain(message: MessageData): Promise<void> {
    const { branch } = await this.open()
    const standing = { branchId: branch.id, headId: branch.headMessageId }
    await this.#commit(planNextQuestion(standing, copied(message)), { standOn: branch.id })
  }

  /** Merges a branch into the one the session stands on. */
  async merge(
    nameOrId: string,
    { mode = 'brief', brief }: { mode?: Exclude<MergeMode, 'context'>; brief?: string },
  ): Promise<BranchInfo> {
    const { branch } = await this.read()
    const { store, chatId } = this.#options
    const from = await store.getBranch(chatId, nameOrId)
    if (!from) throw new NotFoundError('branch', nameOrId)
    const { id: branchId, name, headMessageId: headId } = from
    const base =
      headId === null
        ? { baseId: null, own: 0 }
        : await store.getMergeBase(chatId, headId, branch.headMessageId)
    const messages =
      headId === null || base.own === 0 ? [] : await store.getMessageChain(chatId, headId, { last: base.own })
    const digest = digestOf(messages)
    const way: MergeWay =
      mode === 'turns'
        ? { mode, messages }
        : { mode, brief: brief ?? digest.text, quotes: digest.quotes, conflicts: [] }
    const source = { branchId, name, headId }
    return this.#move(planMerge({ source, target: toHead(branch), base, way, at: Date.now(), newId }))
  }

  /** Copies messages to the end of the branch the session stands on. */
  async pick(messageIds: readonly string[]): Promise<BranchInfo> {
    const { branch } = await this.read()
    const { store, chatId } = this.#options
    const found = await store.getMessagesById(chatId, messageIds, branch.headMessageId)
    const byId = new Map(found.map((message) => [message.id, message]))
    const messages: MessageOfChain[] = []
    for (const id of messageIds) {
      const message = byId.get(id)
      if (!message) throw await this.#explain(new NotFoundError('message', id), id)
      if (messages.includes(message)) throw new MessageExistsError(id)
      messages.push(message)
    }
    if (messages.length === 0) throw new TypeError('A message to pick is required')
    return this.#move(planPick({ branch: toHead(branch), messages, at: Date.now(), newId }))
  }

  /** Opens a branch that begins with a summary, and stands there. */
  async compact(summary?: string): Promise<BranchInfo> {
    const { branch } = await this.read()
    const { store, chatId } = this.#options
    const chain = await storedChain(store, chatId, branch.headMessageId)
    const last = chain.at(-1)
    if (!last) throw new NothingToMergeError(`Branch "${branch.name}" is empty`)
    return this.#move(
      planCompact({
        branch: toHead(branch),
        name: branch.name,
        untilId: last.id,
        count: chain.length,
        summary: summary ?? digestOf(chain).text,
        at: Date.now(),
        newId,
      }),
    )
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

  /** @param options.standOn id of the session's branch afterwards; without it the session keeps its branch */
  async #commit(
    steps: Step[],
    { at = Date.now(), standOn, expectedSeq }: { at?: number; standOn?: string; expectedSeq?: number } = {},
  ): Promise<Committed> {
    const { chat, branch } = await this.open()
    const { store, chatId, userId } = this.#options
    const committed = await store.commit({ chatId, ownerId: userId, at, steps, expectedSeq })
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
 * Content of the branch after `save`: the stored messages, root first, and the decoded ones to be added.
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

/** The same message under an id of its own. */
function copied({ id: copiedFromId, name, type, data }: MessageData): NewMessage {
  const id = newId()
  const own = typeof data === 'object' && data !== null && 'id' in data ? { ...data, id } : data
  const said = { name, data: own, preview: messagePreview(own), createdAt: Date.now() }
  return { id, ...said, copiedFromId, ...(type !== undefined && { type }) }
}

/** A chain, root first; nothing for the head of an empty branch. */
export const storedChain = async (
  store: ContextEngineOptions['store'],
  chatId: string,
  headId: string | null,
): Promise<MessageData[]> => (headId === null ? [] : store.getMessageChain(chatId, headId))

/** A branch as the planners take it. The engine never says that its branch is archived, and leaves it so. */
const toHead = ({
  id: branchId,
  name: branchName,
  headMessageId: headId,
  contextId,
}: BranchData): BranchHead => ({
  branchId,
  branchName,
  headId,
  context: contextId === null ? null : { id: contextId },
})

function branchOf({ branches }: Committed, id: string): Committed['branches'][number] {
  const branch = branches.find((reported) => reported.id === id)
  if (!branch) throw new Error(`The store did not report branch "${id}"`)
  return branch
}

/** The message count of a branch is the depth of its head plus one: no query counts. */
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
