import {
  ContextMovedError,
  HeadConflictError,
  NotFoundError,
  type PlannedChange,
  type ThreadCommand,
} from '@/lib/context'
import type { BranchId, ChatId, UserId } from '@/lib/events'
import type { Ports } from '../ports'

/** As often is a command planned anew when the chat has moved on between its plan and its write. */
const ATTEMPTS = 4

/**
 * Carries out a command that reads first and then plans its change. A repeated key gets the first answer, and
 * nothing is planned.
 *
 * @param plan reads and decides; called again when the chat has moved on meanwhile
 * @throws the errors of `plan` and `ThreadCommands.change`
 */
export async function carryOut<T extends object>(
  { commands }: Pick<Ports, 'commands'>,
  { ownerId, once }: ThreadCommand,
  plan: () => Promise<Omit<PlannedChange<T>, 'ownerId' | 'once'>>,
): Promise<T & { event_number?: number }> {
  const kept = await commands.answered<T & { event_number?: number }>({ ownerId, once })
  if (kept) return kept
  return anew(async () => (await commands.change({ ownerId, once, ...(await plan()) })).answer)
}

/**
 * Runs a function that reads, plans and writes; again when the state it read has changed in between.
 *
 * @param options.movedBy the errors that report this; by default those of a chat and of a branch's context
 */
export async function anew<T>(
  attempt: () => Promise<T>,
  { movedBy = [HeadConflictError, ContextMovedError], attempts = ATTEMPTS }: AnewOptions = {},
): Promise<T> {
  for (let left = attempts; ; left -= 1) {
    try {
      return await attempt()
    } catch (error) {
      if (left === 1 || !movedBy.some((kind) => error instanceof kind)) throw error
    }
  }
}

interface AnewOptions {
  movedBy?: readonly (abstract new (...args: never) => Error)[]
  attempts?: number
}

/**
 * The one chat of some threads: its key, and its owner's id for it, which answers contain.
 *
 * @throws NotFoundError for a thread that is missing, another person's, or of another chat
 */
export async function chatOfThreads(
  { threads }: Pick<Ports, 'threads'>,
  ownerId: UserId,
  threadIds: readonly BranchId[],
): Promise<{ chatId: ChatId; called: ChatId }> {
  const places = await Promise.all(threadIds.map((id) => threads.chatOf(id, ownerId)))
  const [first] = places
  if (!first || places.some((place) => place?.chatId !== first.chatId)) {
    throw new NotFoundError('thread', threadIds.join(' '))
  }
  return first
}
