import {
  type Change,
  type Committed,
  type ContextData,
  InvalidDataError,
  messagePreview,
  type NewMessage,
  type ReceivedMessage,
  type Step,
} from '@/lib/context'
import type { ChatId, MessageId, UserId } from '@/lib/events'
import { withFiles } from '../imports/read-chat-file'
import { fileIdsOf } from '../turns/user-message'
import { isReached, outlined, type Place } from './coverage'
import { DivergedObjectsError, PackRefusedError } from './errors'
import type { ExchangedChat } from './exchange-port'
import type { Uses } from './exchange-state'
import type { PackedMessage } from './pack-lines'
import type { Pack } from './read-pack'
import { objectOf, storedObjects } from './write-pack'

/** Ids that are looked up at once. */
const PAGE = 1000

/** The objects of a pack that are not stored yet. */
export interface Brought {
  /** parents before their children */
  messages: ReceivedMessage[]
  /** contexts that messages name */
  contexts: ContextData[]
  /** the stored context of a message of the pack */
  contextAt(id: MessageId): string | undefined
  /** places of messages that were stored before, by id */
  known: ReadonlyMap<MessageId, Place>
  has(id: MessageId): boolean
  /** true when a message equals the other or precedes it */
  isBefore(id: MessageId, other: MessageId): boolean
}

/**
 * Compares a pack with the stored chat: a stored message must equal the pack's, and a new message must
 * continue stored ones.
 *
 * @param asked.chat undefined for a chat that is not stored
 * @param asked.heads further messages to look up
 * @throws DivergedObjectsError, PackRefusedError
 */
export async function broughtBy(
  ports: Uses,
  pack: Pack,
  {
    ownerId,
    chat,
    heads,
  }: { ownerId: UserId; chat: ExchangedChat | undefined; heads: readonly (MessageId | null)[] },
): Promise<Brought> {
  const byId = new Map(pack.messages.map((message) => [message.id, message]))
  const named = pack.messages.flatMap(({ id, parentId, mergeParentId, copiedFromId }) => [
    id,
    ...[parentId, mergeParentId, copiedFromId].filter((other) => other != null),
  ])
  const known = await placesOf(ports, chat, new Set([...named, ...heads.filter((id) => id !== null)]))
  const lost = named.find((id) => !byId.has(id) && !known.has(id))
  if (lost !== undefined)
    throw new PackRefusedError(`The pack names the message "${lost}", which is neither in it nor here.`)
  const twice = pack.messages.filter(({ id }) => known.has(id))
  if (chat && twice.length > 0) {
    const stored = await storedObjects(ports, chat, { ownerId, ids: twice.map(({ id }) => id) })
    const other = twice.find((message) => stored.get(message.id) !== objectOf(comparable(message)))
    if (other) throw new DivergedObjectsError(other.id)
  }
  const fresh = new Map([...byId].filter(([id]) => !known.has(id)))
  const messages = [...fresh.values()].map((message) => received(message, pack))
  const used = new Set(messages.map(({ message }) => message.contextId))
  return {
    messages,
    contexts: [...pack.contexts.values()].filter(({ id }) => used.has(id)),
    contextAt: (id) => pack.contexts.get(byId.get(id)?.contextId ?? '')?.id,
    known,
    has: (id) => fresh.has(id) || known.has(id),
    isBefore: ancestry(chat, fresh, known),
  }
}

async function placesOf(
  { exchange }: Uses,
  chat: ExchangedChat | undefined,
  ids: ReadonlySet<MessageId>,
): Promise<Map<MessageId, Place>> {
  const places = new Map<MessageId, Place>()
  if (!chat) return places
  const asked = [...ids]
  for (let at = 0; at < asked.length; at += PAGE)
    for (const [id, place] of await exchange.places(chat.chatId, asked.slice(at, at + PAGE)))
      places.set(id, place)
  return places
}

/** Drops facts of the log and the context: each place of a message may have others. */
const comparable = ({
  t: _,
  contextId: _context,
  model: _model,
  usage: _usage,
  imported: _imported,
  ...object
}: PackedMessage) => object

function received(packed: PackedMessage, { contexts, files }: Pack): ReceivedMessage {
  const { id, parentId, mergeParentId, copiedFromId, role, type, status, model, usage } = packed
  const data = withFiles(packed.data, files)
  const stored = new Set(files.values())
  const held = [...new Set(fileIdsOf(data as never))].filter((file) => stored.has(file))
  const contextId = contexts.get(packed.contextId ?? '')?.id
  const message: NewMessage = {
    id,
    name: role,
    data,
    preview: messagePreview(data),
    createdAt: Date.parse(packed.createdAt),
    ...(type !== undefined && { type }),
    ...(status !== undefined && { status }),
    ...(mergeParentId !== undefined && { mergeParentId }),
    ...(copiedFromId !== undefined && { copiedFromId }),
    ...(contextId !== undefined && { contextId }),
    ...(held.length > 0 && { files: held }),
    // its tokens were used on the other server
    ...(role === 'assistant' && {
      reply: { model: model ?? null, usage: usageOf(usage), imported: true as const },
    }),
  }
  return { message, parentId }
}

const usageOf = (usage: PackedMessage['usage']): NonNullable<NewMessage['reply']>['usage'] => {
  if (!usage) return null
  const { inputTokens, cachedTokens, cacheWriteTokens, outputTokens } = usage
  return {
    ...(inputTokens !== undefined && { inputTokens }),
    ...(cachedTokens !== undefined && { cachedTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
  }
}

function ancestry(
  chat: ExchangedChat | undefined,
  fresh: ReadonlyMap<MessageId, PackedMessage>,
  known: ReadonlyMap<MessageId, Place>,
): Brought['isBefore'] {
  const outline = outlined(chat ?? { lanes: [], ties: [] }, 'parents')
  return (id, other) => {
    const seen = new Set<MessageId>()
    const bounds: Place[] = []
    const waiting = [other]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (next === id) return true
      if (seen.has(next)) continue
      seen.add(next)
      const message = fresh.get(next)
      const place = known.get(next)
      if (place) bounds.push(place)
      if (message) waiting.push(...[message.parentId, message.mergeParentId].filter((above) => above != null))
    }
    const place = known.get(id)
    return place !== undefined && isReached(outline.reach(bounds), place)
  }
}

/** Writes the new objects of a pack: in one commit, or not at all. */
export async function writeBrought(
  ports: Uses,
  {
    ownerId,
    called,
    chat,
    pack,
    brought,
    steps,
    create,
  }: {
    ownerId: UserId
    called: ChatId
    chat: ExchangedChat | undefined
    pack: Pack | undefined
    brought: Pick<Brought, 'contexts'> | undefined
    steps: Step[]
    /** makes the chat when it is not stored */
    create?: Omit<NonNullable<Change['create']>, 'userId'>
  },
): Promise<{ chatId: ChatId; committed: Committed }> {
  const chatId = chat ? chat.chatId : await keyFor(ports, called, ownerId)
  const change: Change = {
    chatId,
    ownerId,
    at: ports.clock(),
    ...(chat && { expectedSeq: chat.seq }),
    contexts: brought?.contexts ?? [],
    steps,
  }
  const made = create && { ...create, userId: ownerId }
  try {
    const committed = !made
      ? await ports.store.commit(change)
      : chatId === called
        ? await ports.store.commit({ ...change, create: made })
        : await ports.store.commitCalled({ ...change, create: made }, called)
    if (pack) await ports.exchange.keepSummaries(chatId, pack.summaries)
    return { chatId, committed }
  } catch (error) {
    if (error instanceof InvalidDataError)
      throw new PackRefusedError(`The pack cannot be stored: ${error.message}.`)
    throw error
  }
}

/** A chat of another person may have the id as its key. */
async function keyFor({ reads, newId }: Uses, called: ChatId, ownerId: UserId): Promise<ChatId> {
  const standing = await reads.calledState(called, ownerId)
  return standing.chat === 'unknown' ? called : newId()
}
