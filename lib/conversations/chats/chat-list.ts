import { InvalidDataError, NotFoundError } from '@/lib/context'
import type { ChatId, UserId } from '@/lib/events'
import {
  type ChangedChats,
  type ChatChange,
  type ChatFilter,
  type ChatPage,
  type ChatSort,
  type ChatSummary,
  keyedTags,
  MAX_TAGS,
  type ManyChange,
  type PickedChats,
  type TagCount,
  tagKey,
} from '@/lib/protocol'
import { isStorable } from '@/lib/protocol/fields'
import { InvalidRequestError } from '../errors'
import type { AvailableModels, ListedChat, ListPlace, Ports } from '../ports'
import { costOf } from '../usage/read-usage'
import { inCalledChat } from './called-chat'
import { checkedName, renameChat } from './moves'

/** Chats of a page of the list, unless asked for fewer or more. */
const CHATS = 50

/** Chats whose ids an answer names at most. */
const NAMED = 10_000

/** A chat would have more tags than one may have; nothing was changed. */
class TooManyTagsError extends InvalidRequestError {}

/** A page of a person's chats, pinned ones first; the first page with the number of all. */
export async function listChats(
  { reads, models }: Pick<Ports, 'reads' | 'models'>,
  input: ChatFilter & {
    ownerId: UserId
    sort?: ChatSort
    limit?: number
    cursor?: string
    counted?: boolean
  },
): Promise<ChatPage> {
  const { ownerId, sort = 'updated', limit = CHATS, cursor, counted = false, ...asked } = input
  const filter = keyed(asked)
  const after = cursor === undefined ? undefined : placeOf(cursor, sort)
  const [{ chats, next }, total, priced] = await Promise.all([
    reads.chats(ownerId, { ...filter, sort, limit, after }),
    counted && !after ? reads.countChats(ownerId, filter) : undefined,
    models.of(ownerId),
  ])
  return {
    chats: chats.map((chat) => withCost(chat, priced)),
    next: next
      ? Buffer.from(JSON.stringify([sort, next.pinned, next.key, next.id])).toString('base64url')
      : null,
    ...(total !== undefined && { total }),
  }
}

/** A chat with the cost of its replies; null when a model's price is unknown. */
function withCost({ spent, ...chat }: ListedChat, models: Pick<AvailableModels, 'facts'>): ChatSummary {
  const costs = spent.map(({ model, ...tokens }) => costOf(models.facts(model).price, tokens))
  const isKnown = costs.length > 0 && costs.every((cost) => cost !== null)
  return { ...chat, costUsd: isKnown ? costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0) : null }
}

/** Reads a cursor as the end of the page before. */
function placeOf(cursor: string, sort: ChatSort): ListPlace {
  const [of, pinned, key, id] = partsOf(cursor)
  const fits = sort === 'title' ? isText(key) : typeof key === 'string' && /^\d{1,17}$/.test(key)
  if (of === sort && typeof pinned === 'boolean' && fits && isText(id))
    return { pinned, key: String(key), id }
  throw new InvalidRequestError('This cursor is of another list. Begin again without one.', 'invalid_cursor')
}

/** The values that a cursor is made of; of any other text none. */
function partsOf(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(parts) ? parts : []
  } catch {
    return []
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && isStorable(value)

/** The chat that its owner calls by this id, as it is listed. */
export async function readChatSummary(
  { reads, models }: Pick<Ports, 'reads' | 'models'>,
  { ownerId, chatId }: { ownerId: UserId; chatId: ChatId },
): Promise<ChatSummary> {
  const [found, priced] = await Promise.all([reads.chatSummary(ownerId, chatId), models.of(ownerId)])
  if (!found) throw new NotFoundError('chat', chatId)
  return withCost(found, priced)
}

export const listTags = ({ reads }: Pick<Ports, 'reads'>, ownerId: UserId): Promise<TagCount[]> =>
  reads.chatTags(ownerId)

/** Changes a chat's title, or how its owner keeps it in the list. */
export async function changeChat(
  ports: Ports,
  { ownerId, chatId, ...change }: ChatChange & { ownerId: UserId; chatId: ChatId },
): Promise<ChatSummary> {
  const { title, tags, ...kept } = change
  const name = title === undefined ? undefined : checkedName(title, 'chat')
  await readChatSummary(ports, { ownerId, chatId })
  await keep(ports, ownerId, { ids: [chatId] }, { ...kept, ...(tags && { tags: { all: keyedTags(tags) } }) })
  if (name !== undefined)
    await inCalledChat(ports, { ownerId, chatId }, (chat) => renameChat(ports, { ...chat, title: name }))
  return readChatSummary(ports, { ownerId, chatId })
}

/** Changes the pins, archives and tags of many chats: all of them, or none. */
export async function changeChats(
  ports: Pick<Ports, 'listed'>,
  { ownerId, picked, change }: { ownerId: UserId; picked: PickedChats; change: ManyChange },
): Promise<ChangedChats> {
  const { tags, ...kept } = change
  const ids = await keep(ports, ownerId, keyedPick(picked), {
    ...kept,
    ...(tags && { tags: { add: keyedTags(tags.add ?? []), remove: (tags.remove ?? []).map(tagKey) } }),
  })
  return { changed: ids.length, ...(ids.length <= NAMED && { ids }) }
}

async function keep(
  { listed }: Pick<Ports, 'listed'>,
  ...[ownerId, picked, change]: Parameters<Ports['listed']['change']>
): Promise<ChatId[]> {
  try {
    return await listed.change(ownerId, picked, change)
  } catch (error) {
    // the one limit that this statement can meet
    if (!(error instanceof InvalidDataError)) throw error
    throw new TooManyTagsError(
      `A chat can have ${MAX_TAGS} tags at most, and nothing was changed. Remove a tag first.`,
      'too_many_tags',
    )
  }
}

/** Deletes many chats with everything in them, in one statement. Answers with the owner's ids for them. */
export async function deleteChats(
  ports: Pick<Ports, 'listed' | 'live'>,
  { ownerId, picked }: { ownerId: UserId; picked: PickedChats },
): Promise<ChatId[]> {
  const gone = await ports.listed.remove(ownerId, keyedPick(picked))
  for (const { key } of gone) ports.live.abortChat(key)
  return gone.map(({ id }) => id)
}

const keyed = ({ archived, tag, q, agents }: ChatFilter): ChatFilter => ({
  archived,
  agents,
  tag: tag === undefined ? undefined : tagKey(tag),
  q: q?.trim(),
})

/** Chats that are picked, with the keys of tags in place of their names. */
export const keyedPick = (picked: PickedChats): PickedChats =>
  'ids' in picked ? picked : { ...picked, filter: keyed(picked.filter) }
