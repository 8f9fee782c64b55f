import { NotFoundError } from '@/lib/context'
import type { BranchId, ChatId, MessageId, ShareId, UserId } from '@/lib/events'
import type { ListedShare } from '@/lib/protocol'
import { inCalledChat } from '../chats/called-chat'
import { InvalidRequestError } from '../errors'
import type { SharingPorts } from './shares-port'

/** Content and lifetime of a new link. */
interface NewShare {
  ownerId: UserId
  chatId: ChatId
  /** by id or name */
  branch: BranchId
  /** without it, the last message of the branch */
  messageId?: MessageId | undefined
  withGraph: boolean
  follows: boolean
  indexed?: boolean | undefined
  sharedBy?: string | undefined
  /** in milliseconds; null for a link that is in force until it is revoked */
  expiresAt?: number | null | undefined
}

/** As many links of the chat are in force already. */
interface TooMany {
  used: number
}

/**
 * Makes a link to a branch. Its token is returned only here. Rejects with `NotFoundError` for a missing chat,
 * branch or message, and with `InvalidRequestError`.
 */
export async function makeShare(
  ports: SharingPorts,
  { ownerId, chatId: called, ...asked }: NewShare,
): Promise<{ id: ShareId; token: string } | TooMany> {
  const { branch, messageId, withGraph, follows, indexed = false, sharedBy = null, expiresAt = null } = asked
  if (follows && messageId !== undefined) {
    const detail =
      'A link that follows the branch ends at no message: leave out message_id, or do not let it follow.'
    throw new InvalidRequestError(detail)
  }
  if (expiresAt !== null && expiresAt <= ports.clock()) {
    throw new InvalidRequestError('The time at which the link ends has passed. Choose a later one.')
  }
  return inCalledChat(ports, { ownerId, chatId: called }, async ({ chatId }) => {
    const id = ports.newId()
    const made = await ports.shares.make(ownerId, {
      id,
      chatId,
      branch,
      messageId,
      withGraph,
      follows,
      indexed,
      sharedBy,
      expiresAt,
    })
    if (!made) throw new NotFoundError('chat', called)
    if ('used' in made) return made
    if ('token' in made) return { id, token: made.token }
    if (made.lacks === 'first message') {
      throw new InvalidRequestError('Nothing was said on this branch yet: there is nothing to share.')
    }
    throw new NotFoundError(made.lacks, '')
  })
}

/** A person's links, newest first; those of one chat if it is given. Rejects with `NotFoundError` for an unknown chat. */
export async function listShares(
  ports: SharingPorts,
  { ownerId, chatId }: { ownerId: UserId; chatId?: ChatId | undefined },
): Promise<ListedShare[]> {
  if (chatId === undefined) return ports.shares.list(ownerId)
  const key = await ports.reads.chatCalled(chatId, ownerId)
  if (key === undefined) throw new NotFoundError('chat', chatId)
  return ports.shares.list(ownerId, key)
}
