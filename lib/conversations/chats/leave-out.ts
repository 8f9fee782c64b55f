import { type Change, type ContextData, leaveOut, NotFoundError, planLeaveOut } from '@/lib/context'
import type { BranchId, ChatId, MessageId, UserId } from '@/lib/events'
import type { GraphDelta } from '@/lib/protocol'
import { deltaOf } from '../delta-of'
import { InvalidRequestError } from '../errors'
import type { Ports } from '../ports'
import { anew } from '../threads/planned-command'
import { contextInForce, contextOf } from '../turns/context-value'

/** Messages that a branch can leave out at most. */
const MOST = 5000

export interface LeaveOut {
  ownerId: UserId
  chatId: ChatId
  branchId: BranchId
  messageIds: readonly MessageId[]
  /** false puts the messages back */
  leftOut: boolean
}

/**
 * Leaves messages of a branch out of the prompt from its next reply on, or puts them back. The chain keeps them.
 *
 * @throws NotFoundError for a missing or another person's chat, branch or message, and InvalidRequestError
 *   for more than 5,000 messages; then nothing is written
 */
export const leaveMessagesOut = (ports: Ports, input: LeaveOut): Promise<GraphDelta> =>
  anew(async () => {
    const { contexts, steps } = await plannedLeaveOut(ports, input)
    const { ownerId, chatId } = input
    const change: Change = { chatId, ownerId, at: ports.clock(), contexts, steps }
    return deltaOf(change, await ports.store.commit(change))
  })

/** Plans `leaveMessagesOut`: no step when the context is the same. Rejects as it does. */
export async function plannedLeaveOut(
  ports: Ports,
  { ownerId, chatId, branchId, messageIds, leftOut }: LeaveOut,
): Promise<Pick<Change, 'steps'> & { contexts: ContextData[]; contextId: string }> {
  const [models, { chat, state }] = await Promise.all([
    ports.models.of(ownerId),
    ports.reads.branchState(chatId, ownerId, branchId),
  ])
  if (chat !== 'own') throw new NotFoundError('chat', chatId)
  if (!state) throw new NotFoundError('branch', branchId)
  const found = await ports.store.getMessagesById(chatId, messageIds, state.headId)
  const onChain = new Set(found.flatMap(({ id, isOnChain }) => (isOnChain ? [id] : [])))
  const lost = messageIds.find((id) => !onChain.has(id))
  if (lost !== undefined) throw new NotFoundError('message', lost)
  const current = contextInForce(models, state.context)
  const setup = leaveOut(current.setup, messageIds, leftOut)
  if ((setup.leftOut?.length ?? 0) > MOST)
    throw new InvalidRequestError(`A branch can leave out ${MOST} messages at most. Put some back first.`)
  const changed = contextOf({ ...current, setup })
  const expected = state.context?.id ?? null
  if (changed.id === current.id) return { contexts: [], steps: [], contextId: changed.id }
  const steps = planLeaveOut({ branchId: state.branchId, expected, contextId: changed.id }, leftOut)
  return { contexts: [changed], steps, contextId: changed.id }
}
