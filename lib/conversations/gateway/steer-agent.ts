import { NotFoundError, planSteering } from '@/lib/context'
import type { BranchId, ChatId, UserId } from '@/lib/events'
import { InvalidRequestError } from '../errors'
import type { AgentPorts } from './store-line'

/**
 * Has the agent that writes on a branch go on from the end of another one with its next call: what the provider is sent is the
 * chain there, and a note that says so. Calls that are under way end where they began.
 *
 * @param input.branch the one that the agent writes on, by name or id
 * @param input.to the one that it is to go on with; null takes that back
 * @returns the ids of both
 * @throws NotFoundError for a chat or branch that is missing or someone else's; InvalidRequestError for one branch twice
 */
export async function steerAgent(
  ports: Pick<AgentPorts, 'reads' | 'store' | 'clock'>,
  { ownerId, chatId, branch, to }: { ownerId: UserId; chatId: ChatId; branch: string; to: string | null },
): Promise<{ branchId: BranchId; targetId: BranchId | null }> {
  const found = await ports.reads.calledState(chatId, ownerId, branch)
  if (found.chat !== 'own') throw new NotFoundError('chat', chatId)
  if (!found.state) throw new NotFoundError('branch', branch)
  const target = to === null ? null : await ports.reads.branchState(found.chatId, ownerId, to)
  if (target && !target.state) throw new NotFoundError('branch', to ?? '')
  const { branchId } = found.state
  const targetId = target?.state?.branchId ?? null
  if (targetId === branchId) {
    throw new InvalidRequestError('The agent writes on this branch already.')
  }
  const steps = planSteering(branchId, targetId)
  await ports.store.commit({ chatId: found.chatId, ownerId, at: ports.clock(), steps })
  return { branchId, targetId }
}
