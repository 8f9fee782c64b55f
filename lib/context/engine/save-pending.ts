import { newId } from '@/lib/events'
import type { MessageFragment } from '../fragments'
import type { BranchChain, ContextStore, MessageData } from '../store'
import type { EngineSession } from './engine-session'
import { readStored, withoutRepeats } from './pending-messages'
import { planSave, splitPending } from './plan-save'

/** The store and the chat in it. */
interface Place {
  store: ContextStore
  chatId: string
}

/**
 * Writes pending messages in one commit, or none when all of them are stored already.
 *
 * @param pending without lazy fragments
 * @throws whatever `ContextStore.commit` refuses; then nothing is written
 */
export async function savePending(
  { store, chatId }: Place,
  session: EngineSession,
  pending: readonly MessageFragment[],
): Promise<void> {
  const { branch } = await session.open()
  const split = splitPending(await readStored(store, chatId, withoutRepeats(pending)))
  const headId = split.stay.length > 0 ? branch.headMessageId : null
  const head = headId === null ? undefined : await store.getMessage(chatId, headId)
  const at = Date.now()
  const plan = planSave({ branch, split, at, newId, ...(head && { headCreatedAt: head.createdAt }) })
  if (plan.steps.length > 0) await session.commit(plan.steps, at, plan.branchId)
}

/**
 * What the branch would hold after `savePending`: the stored messages, root first, and the decoded ones to be added.
 *
 * @param current the branch's chain as it is stored
 */
export async function previewPending(
  { store, chatId }: Place,
  pending: readonly MessageFragment[],
  current: BranchChain['chain'],
): Promise<Pick<BranchChain, 'chain'> & { added: unknown[] }> {
  const { stay, edit } = splitPending(await readStored(store, chatId, withoutRepeats(pending)))
  const chain = edit ? await readChain(store, chatId, edit.parentId) : current
  return { chain, added: (edit?.line ?? stay).map(({ fragment }) => fragment.codec.decode()) }
}

/** A chain, root first; nothing for the head of an empty branch. */
export async function readChain(
  store: ContextStore,
  chatId: string,
  headId: string | null,
): Promise<MessageData[]> {
  return headId === null ? [] : store.getMessageChain(chatId, headId)
}
