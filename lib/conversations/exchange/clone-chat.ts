import { NotFoundError, planReceive, type ReceivingBranch } from '@/lib/context'
import type { ChatId } from '@/lib/events'
import { newChat } from './answer-exchange'
import { ClonedAlreadyError } from './errors'
import type { Exchange, Uses } from './exchange-state'
import { headsOf, seenIn, wholePack } from './fetch-chat'
import { readPack } from './read-pack'
import { broughtBy, writeBrought } from './receive'

/**
 * Makes a chat of one on the remote: all its branches and checkpoints, under the same id and of the same origin.
 *
 * @throws ClonedAlreadyError where the owner has a chat of this id
 */
export async function cloneChat(
  ports: Uses,
  { ownerId, chatId, remote, server }: Exchange,
): Promise<{ chatId: ChatId; received: number }> {
  if (await ports.exchange.standing(chatId, ownerId)) throw new ClonedAlreadyError()
  const refs = await server.refs(chatId)
  if (!refs) throw new NotFoundError('chat', chatId)
  const want = headsOf(refs)
  const lines = wholePack((after) => server.fetch(chatId, { want, have: [], after }))
  const pack = await readPack(ports, lines, { ownerId, chatId, origin: refs.origin })
  const brought = await broughtBy(ports, pack, { ownerId, chat: undefined, heads: [] })
  const main = refs.branches.find(({ name }) => name === 'main') ?? refs.branches[0]
  const first: ReceivingBranch = {
    branchId: ports.newId(),
    name: main?.name ?? 'main',
    from: null,
    to: main?.headMessageId ?? null,
    contextId: main?.headMessageId ? brought.contextAt(main.headMessageId) : undefined,
  }
  const others = refs.branches.filter((branch) => branch !== main)
  const branches = [
    first,
    ...others.map(({ name, headMessageId: to }) => ({
      branchId: ports.newId(),
      name,
      from: undefined,
      to,
      contextId: to === null ? undefined : brought.contextAt(to),
    })),
  ]
  const received = brought.messages.length
  const { chatId: key } = await writeBrought(ports, {
    ownerId,
    called: chatId,
    chat: undefined,
    pack,
    brought,
    steps: planReceive({
      messages: brought.messages,
      branches,
      checkpoints: refs.checkpoints,
      remote: remote.name,
      at: ports.clock(),
      newId: ports.newId,
    }),
    create: newChat(first, pack),
  })
  await ports.exchange.keepRefs(key, remote.id, seenIn(refs))
  return { chatId, received }
}
