import type { UIMessageChunk } from 'ai'
import { NotFoundError } from '@/lib/context'
import type { ChatId, UserId } from '@/lib/events'
import type { Ports } from '../ports'

/**
 * Uses a chat by its owner's id for it. Mostly that is the chat's key, so it is tried as the key first; where the owner has
 * no chat of that key, the key is looked up. `chatId` in the result of `use`, and in its `delta`, is the owner's id again.
 *
 * @param use is called again only after a `NotFoundError`, which it throws before it writes anything
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

/** A value about a chat, with the owner's id for it. */
function calledBy<T>(value: T, chatId: ChatId, called: ChatId): T {
  if (typeof value !== 'object' || value === null) return value
  if ('chatId' in value && value.chatId === chatId) return { ...value, chatId: called }
  if ('delta' in value) return { ...value, delta: calledBy(value.delta, chatId, called) }
  return value
}

/** The parts of a reply, with the owner's id wherever they name the chat. */
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
