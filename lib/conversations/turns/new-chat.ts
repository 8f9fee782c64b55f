import { type Change, type Committed, NotFoundError } from '@/lib/context'
import type { BranchId, ChatId } from '@/lib/events'
import { InvalidRequestError } from '../errors'
import type { Ports } from '../ports'

/** True when a branch that a request names may be the id of the first branch of a new chat: clients choose ids. */
export const isNewBranchId = (branch: string | undefined): branch is BranchId =>
  branch !== undefined && /^[0-9a-f-]{36}$/i.test(branch)

/** @throws InvalidRequestError for an id that a new chat cannot have */
export function checkChatId(chatId: string): void {
  if (/^[\w-]{1,128}$/.test(chatId)) return
  throw new InvalidRequestError('The id of a chat may hold letters, digits, "-" and "_" only.')
}

type NewChat = Omit<Change, 'chatId' | 'create'> & Required<Pick<Change, 'create'>>

/**
 * Stores a new chat under its owner's id for it. When another person's chat has the same key, this one gets
 * another key.
 *
 * @param isTaken true when the key is known to be taken
 */
export async function storeNewChat(
  ports: Pick<Ports, 'store' | 'newId'>,
  called: ChatId,
  change: NewChat,
  isTaken: boolean,
): Promise<Committed> {
  if (isTaken) return ports.store.commitCalled({ ...change, chatId: ports.newId() }, called)
  try {
    return await ports.store.commit({ ...change, chatId: called })
  } catch (error) {
    // another person has begun a chat of this id meanwhile
    const isTakenNow = error instanceof NotFoundError && error.what === 'chat'
    if (!isTakenNow) throw error
    return storeNewChat(ports, called, change, true)
  }
}
