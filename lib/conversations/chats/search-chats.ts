import { NotFoundError } from '@/lib/context'
import type { ChatId, UserId } from '@/lib/events'
import type { SearchPage } from '@/lib/graph'
import type { Ports } from '../ports'

/** Hits of one answer, unless asked for fewer or more. */
const HITS = 30

/**
 * What a person's chats say, on every branch, best first.
 *
 * @param input.chatId only this chat; one that is missing or someone else's rejects with NotFoundError
 * @param input.roles only messages by these
 */
export async function searchChats(
  ports: Ports,
  input: {
    ownerId: UserId
    query: string
    chatId?: ChatId
    roles?: readonly string[]
    limit?: number
    offset?: number
  },
): Promise<SearchPage> {
  const { ownerId, query, chatId, roles, limit = HITS, offset = 0 } = input
  const page = await ports.reads.search(ownerId, query, {
    ...(chatId === undefined ? {} : { chatId }),
    ...(roles === undefined ? {} : { roles }),
    limit,
    offset,
  })
  if (!page) throw new NotFoundError('chat', chatId ?? '')
  return page
}
