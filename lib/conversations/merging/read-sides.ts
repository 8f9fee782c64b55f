import {
  type BranchState,
  type ContextData,
  type MergeBase,
  type MergeSource,
  type MessageData,
  messagePreview,
  NotFoundError,
  NothingToMergeError,
  ReplyInProgressError,
} from '@/lib/context'
import type { BranchId, ChatId, UserId } from '@/lib/events'
import { titleAlone } from '@/lib/graph'
import type { AvailableModels, Ports } from '../ports'
import { modelOf } from '../turns/choices'
import { contextInForce } from '../turns/context-value'

/** Two branches of one chat. */
export interface TwoBranches {
  ownerId: UserId
  chatId: ChatId
  /** whose messages come */
  sourceId: BranchId
  /** the branch that receives them */
  targetId: BranchId
}

/** Stored facts for deciding a merge. */
export interface Sides {
  source: MergeSource & { headId: string }
  target: BranchState
  base: MergeBase
  /** the source's own messages since the base, in order */
  own: MessageData[]
  /** in force at the base, on the source and on the target */
  contexts: { base: ContextData | null; source: ContextData; target: ContextData }
  models: AvailableModels
}

/**
 * Reads two branches for a merge.
 *
 * @throws NotFoundError for a missing or another person's chat or branch; ReplyInProgressError, which names
 * the branch;
 * NothingToMergeError for a branch and itself, and for an empty branch
 */
export async function readSides(
  ports: Ports,
  { ownerId, chatId, sourceId, targetId }: TwoBranches,
): Promise<Sides> {
  const [models, from, target] = await Promise.all([
    ports.models.of(ownerId),
    readBranch(ports, { ownerId, chatId, branchId: sourceId }),
    readBranch(ports, { ownerId, chatId, branchId: targetId }),
  ])
  const { headId } = from
  if (sourceId === targetId) throw new NothingToMergeError('A branch cannot be merged into itself')
  if (headId === null) throw new NothingToMergeError('The branch is empty')
  await Promise.all([from, target].map((branch) => refuseBusy(ports, { ownerId, chatId, branch })))
  const base = await ports.store.getMergeBase(chatId, headId, target.headId)
  const [own, atBase, stored] = await Promise.all([
    base.own === 0 ? [] : ports.store.getMessageChain(chatId, headId, { last: base.own }),
    base.baseId === null ? undefined : ports.store.getMessage(chatId, base.baseId),
    ports.store.getBranch(chatId, from.branchId),
  ])
  const inForce = atBase?.contextId ? await ports.reads.context(chatId, atBase.contextId) : undefined
  const [first] = own
  const title = stored && titleAlone({ ...stored, first: first && asFirst(first) })
  return {
    source: { branchId: from.branchId, name: title ?? from.branchName, headId },
    target,
    base,
    own,
    contexts: {
      base: atBase ? contextInForce(models, inForce ?? null) : null,
      source: contextInForce(models, from.context),
      target: contextInForce(models, target.context),
    },
    models,
  }
}

const asFirst = ({ name, data }: MessageData) => ({ role: name, preview: messagePreview(data) })

/** @throws NotFoundError for a missing or another person's chat or branch */
export async function readBranch(
  { reads }: Pick<Ports, 'reads'>,
  { ownerId, chatId, branchId }: { ownerId: UserId; chatId: ChatId; branchId: BranchId },
): Promise<BranchState> {
  const { chat, state } = await reads.branchState(chatId, ownerId, branchId)
  if (chat !== 'own') throw new NotFoundError('chat', chatId)
  if (!state) throw new NotFoundError('branch', branchId)
  return state
}

/** @throws ReplyInProgressError that names the branch, while a reply is queued or being written there */
export async function refuseBusy(
  { runs }: Pick<Ports, 'runs'>,
  { ownerId, chatId, branch }: { ownerId: UserId; chatId: ChatId; branch: BranchState },
): Promise<void> {
  if (!(await runs.live(ownerId, chatId, branch.branchId))) return
  const { branchName } = branch
  throw new ReplyInProgressError(`A reply is being written on branch “${branchName}”`, branchName)
}

/** The model of a branch, if it can write a brief; null for the demo model. */
export function writerOf(models: AvailableModels, { model }: Pick<ContextData, 'model'>): string | null {
  const chosen = modelOf(models, { model })
  return chosen.startsWith('demo:') ? null : chosen
}
