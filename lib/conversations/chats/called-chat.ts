import type { UIMessageChunk } from 'ai'
import { NotFoundError } from '@/lib/context'
import type { ChatId, UserId } from '@/lib/events'
import type { Ports } from '../ports'

/**
 * Does something with the chat an owner calls by an id. Mostly that is the chat's key, so it is tried as one first, and
 * costs nothing; where that finds nothing of the owner's, the key is looked up. What `use` returns says `chatId`, and the
 * `chatId` of its `delta`, as they were asked for.
 *
 * @param use is tried again only after it has rejected with `NotFoundError`, which it does before it writes anything
 */
export async function inCalledChat<T>(
  { reads }: Pick<Ports, 'reads'>,
  { ownerId, chatId: called }: { ownerId: UserId; chatId: ChatId },
  use: (chat: { ownerId: UserId; chatId: ChatId }) => Promise<T>,
): Promise<T> {
  try {
    return await use({ ownerId, chatId: called })
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error
    const chatId = await reads.chatCalled(called, ownerId)
    if (chatId === undefined || chatId === called) throw error
    return calledBy(await use({ ownerId, chatId }), chatId, called)
  }
}

/** A value about a chat, under what its owner calls it. */
function calledBy<T>(value: T, chatId: ChatId, called: ChatId): T {
  if (typeof value !== 'object' || value === null) return value
  if ('chatId' in value && value.chatId === chatId) return { ...value, chatId: called }
  if ('delta' in value) return { ...value, delta: calledBy(value.delta, chatId, called) }
  return value
}

/** The parts of a reply; those that tell of the chat do so under what its owner calls it. */
export async function* partsOfCalled(
  parts: AsyncGenerator<UIMessageChunk>,
  chatId: ChatId,
  called: ChatId,
): AsyncGenerator<UIMessageChunk> {
  for await (const part of parts) {
    yield part.type === 'data-run' || part.type === 'data-graph'
      ? { ...part, data: calledBy(part.data, chatId, called) }
      : part
  }
}
