import { type BranchState, NotFoundError } from '@/lib/context'
import type { ChatId, UserId } from '@/lib/events'
import type { Ports } from '../ports'

/**
 * The branch of a chat, by name or id, or the one that the chat opens on.
 *
 * @param called the owner's id for the chat
 * @throws NotFoundError for a missing or another person's chat or branch; both look the same
 */
export async function calledBranch(
  { reads }: { reads: Pick<Ports['reads'], 'calledState'> },
  { ownerId, called, branch }: { ownerId: UserId; called: ChatId; branch?: string | undefined },
): Promise<{ chatId: ChatId; state: BranchState }> {
  const found = await reads.calledState(called, ownerId, branch)
  if (found.chat !== 'own') throw new NotFoundError('chat', called)
  if (!found.state) throw new NotFoundError('branch', branch ?? '')
  return { chatId: found.chatId, state: found.state }
}
