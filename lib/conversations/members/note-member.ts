import { QuotaExceededError, type Step } from '@/lib/context'
import type { ChatId, UserId } from '@/lib/events'
import type { MembersPorts } from './members-port'

/** Tells the log of a chat who is in it. An owner without room lets people in and out all the same. */
export async function noteMember(
  { store, clock }: Pick<MembersPorts, 'store' | 'clock'>,
  { ownerId, chatId }: { ownerId: UserId; chatId: ChatId },
  steps: Step[],
): Promise<void> {
  try {
    await store.commit({ chatId, ownerId, at: clock(), steps })
  } catch (error) {
    if (!(error instanceof QuotaExceededError)) throw error
  }
}
