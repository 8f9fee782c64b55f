import type { UIMessageChunk } from 'ai'
import { NotFoundError } from '@/lib/context'
import { type ChatId, type MemberRole, mayAs, type UserId } from '@/lib/events'
import type { Membership } from '@/lib/protocol'
import type { Ports } from '../ports'

/** A chat as use cases name it: by its key and its owner. */
export interface CalledChat {
  ownerId: UserId
  chatId: ChatId
  /** set for a person who is not the owner, but a member */
  membership?: Membership
}

/**
 * Uses a chat by a person's id for it. Mostly that is the chat's key, so it is tried as the key first; where the person has
 * no chat of that key, the key is looked up. `chatId` in the result of `use`, and in its `delta`, is the person's id again: a
 * member's is that of the membership, which is no other chat's, whatever chats the member has.
 *
 * This is the one place that decides who may use a chat: its owner, and with `needs` its members of that role. To everybody
 * else, and for everything without `needs`, it does not exist.
 *
 * @param use is called again only after a `NotFoundError`, which it throws before it writes anything
 * @param needs the role that is enough; without it only the owner is let in
 */
export async function inCalledChat<T>(
  { reads }: Pick<Ports, 'reads'>,
  { ownerId: personId, chatId: called }: { ownerId: UserId; chatId: ChatId },
  use: (chat: CalledChat) => Promise<T>,
  needs?: MemberRole,
): Promise<T> {
  try {
    return await use({ ownerId: personId, chatId: called })
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error
    const chatId = await reads.chatCalled(called, personId)
    if (chatId === called) throw error
    if (chatId !== undefined) return calledBy(await use({ ownerId: personId, chatId }), called)
    const membership = needs && (await reads.membership(called, personId))
    if (!membership || !mayAs(membership.role, needs)) throw error
    const { ownerId, chatId: key, id } = membership
    return calledBy(await use({ ownerId, chatId: key, membership }), id)
  }
}

/** A value about a chat, with the person's id for it. */
function calledBy<T>(value: T, called: ChatId): T {
  if (typeof value !== 'object' || value === null) return value
  if ('chatId' in value) return { ...value, chatId: called }
  if ('delta' in value) return { ...value, delta: calledBy(value.delta, called) }
  return value
}

/** The parts of a reply; those that name the chat have the person's id for it. */
export async function* partsOfCalled(
  parts: AsyncGenerator<UIMessageChunk>,
  called: ChatId,
): AsyncGenerator<UIMessageChunk> {
  for await (const part of parts) {
    yield part.type === 'data-run' || part.type === 'data-graph'
      ? { ...part, data: calledBy(part.data, called) }
      : part
  }
}
