import { NotFoundError, planReceive, type ReceivingBranch } from '@/lib/context'
import type { MessageId } from '@/lib/events'
import { OtherOriginError } from './errors'
import type { ExchangedChat, OwnBranch, SeenRef } from './exchange-port'
import { type BranchStanding, type Exchange, exchangeState, type Uses } from './exchange-state'
import { isEnd } from './pack-lines'
import { readPack } from './read-pack'
import { broughtBy, writeBrought } from './receive'
import type { ChatRefs } from './remote-server'

/** Maximum number of heads named to the other side; it sends the messages that these do not reach. */
const MOST_HEADS = 1000
/** Times that a pack is asked for again behind its last whole line. */
const RESUMES = 5

/**
 * Brings the remote's messages that this server lacks. Own branches do not move: new messages are recorded on
 * archived branches called `remote/branch`.
 *
 * @throws NotFoundError, OtherOriginError, PackRefusedError, DivergedObjectsError, and the errors of the
 * server
 */
export async function fetchChat(
  ports: Uses,
  exchange: Exchange,
): Promise<{ received: number; branches: BranchStanding[] }> {
  const received = await bringChat(ports, exchange)
  return { received, ...(await exchangeState(ports, exchange)) }
}

/** Fetches, and returns how many messages came. */
export async function bringChat(ports: Uses, { ownerId, chatId, remote, server }: Exchange): Promise<number> {
  const [chat, refs] = await Promise.all([
    ports.exchange.standing(chatId, ownerId, remote.id),
    server.refs(chatId),
  ])
  if (!chat || !refs) throw new NotFoundError('chat', chatId)
  if (refs.origin !== chat.origin) throw new OtherOriginError()
  const heads = headsOf(refs)
  const known = await ports.exchange.places(chat.chatId, heads)
  const want = heads.filter((id) => !known.has(id))
  let received = 0
  if (want.length > 0) {
    const have = ownHeads(chat, refs)
    const lines = wholePack((after) => server.fetch(chatId, { want, have, after }))
    const pack = await readPack(ports, lines, { ownerId, chatId, origin: chat.origin })
    const brought = await broughtBy(ports, pack, { ownerId, chat, heads: [] })
    const isNew = new Set(brought.messages.map(({ message }) => message.id))
    const branches = refs.branches.flatMap(({ name, headMessageId: to }) => {
      if (to === null || !isNew.has(to)) return []
      const tracking = trackingName(remote, name)
      const known = chat.branches.find((branch) => branch.name === tracking)
      return [trackingBranch(known, { name: tracking, to, contextId: brought.contextAt(to) }, ports.newId)]
    })
    received = brought.messages.length
    const steps = planReceive({
      messages: brought.messages,
      branches,
      remote: remote.name,
      at: ports.clock(),
      newId: ports.newId,
    })
    if (received > 0) await writeBrought(ports, { ownerId, called: chatId, chat, pack, brought, steps })
  }
  await ports.exchange.keepRefs(chat.chatId, remote.id, seenIn(refs))
  return received
}

/** The name of the branch that tracks a branch of a remote. */
export const trackingName = ({ name }: Pick<Exchange['remote'], 'name'>, branch: string): string =>
  [...`${name}/${branch}`].slice(0, 200).join('')

/**
 * The move of the branch that tracks a branch of a remote.
 *
 * @param known the tracking branch, if it exists
 */
export function trackingBranch(
  known: OwnBranch | undefined,
  { name, to, contextId }: { name: string; to: MessageId; contextId?: string | undefined },
  newId: () => string,
): ReceivingBranch {
  return known
    ? { branchId: known.id, name, from: known.messageId, to }
    : {
        branchId: newId(),
        name,
        from: undefined,
        to,
        archived: true,
        ...(contextId !== undefined && { contextId }),
      }
}

/** The messages that the refs of a chat stand at. */
export const headsOf = ({ branches, checkpoints }: ChatRefs): MessageId[] => [
  ...new Set([
    ...branches.flatMap(({ headMessageId }) => headMessageId ?? []),
    ...checkpoints.map(({ messageId }) => messageId),
  ]),
]

/** Own heads, the most telling first: those the remote had, then heads of branches that it has. */
function ownHeads(chat: ExchangedChat, refs: ChatRefs): MessageId[] {
  const there = new Set(refs.branches.map(({ name }) => name))
  const [both, others] = [true, false].map((isThere) =>
    chat.branches.flatMap(({ name, messageId }) => (there.has(name) === isThere ? (messageId ?? []) : [])),
  )
  const seen = chat.seen.flatMap(({ messageId }) => messageId ?? [])
  return [...new Set([...seen, ...(both ?? []), ...(others ?? [])])].slice(0, MOST_HEADS)
}

/** Refs of a chat as they are kept of a remote. */
export const seenIn = ({ branches, checkpoints }: ChatRefs): SeenRef[] => [
  ...branches.map(({ name, headMessageId }) => ({ kind: 'branch' as const, name, messageId: headMessageId })),
  ...checkpoints.map(({ name, messageId }) => ({ kind: 'checkpoint' as const, name, messageId })),
]

/** A whole pack; when cut off, it is requested again behind its last line. An error before a line is a refusal. */
export async function* wholePack(begin: (after: number) => AsyncIterable<string>): AsyncGenerator<string> {
  let lines = 0
  for (let resumes = 0; ; resumes += 1) {
    const before = lines
    try {
      for await (const line of begin(before)) {
        lines += 1
        yield line
        if (isEnd(line)) return
      }
    } catch (error) {
      if (resumes === RESUMES || lines === before) throw error
      continue
    }
    if (resumes === RESUMES) return
  }
}
