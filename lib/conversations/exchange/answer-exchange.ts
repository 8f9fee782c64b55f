import {
  asReceived,
  HeadConflictError,
  NotFoundError,
  planReceive,
  type ReceivingBranch,
  ReplyInProgressError,
} from '@/lib/context'
import type { ChatId, MessageId, UserId } from '@/lib/events'
import type { Ports } from '../ports'
import { NotFastForwardError, PackRefusedError } from './errors'
import type { ExchangedChat } from './exchange-port'
import type { Uses } from './exchange-state'
import { type Pack, readPack } from './read-pack'
import { type Brought, broughtBy, writeBrought } from './receive'
import type { ChatRefs, RefUpdate } from './remote-server'
import { packLines } from './write-pack'

// Answers of a server to another server that exchanges a chat with it.

interface Asked {
  ownerId: UserId
  /** the owner's id for the chat */
  chatId: ChatId
}

/** Times that a push is planned while others write to its chat. */
const TRIES = 4

/**
 * The refs of a chat, as other servers see them. Archived branches stay behind.
 *
 * @throws NotFoundError
 */
export async function readChatRefs(ports: Pick<Ports, 'exchange'>, asked: Asked): Promise<ChatRefs> {
  return refsOf(await ownChat(ports, asked))
}

const refsOf = ({ called, origin, title, branches, checkpoints, seq }: ExchangedChat): ChatRefs => ({
  chatId: called,
  origin,
  title,
  branches: branches
    .filter(({ isArchived }) => !isArchived)
    .map(({ name, messageId }) => ({ name, headMessageId: messageId })),
  checkpoints: checkpoints.map(({ name, messageId }) => ({ name, messageId })),
  seq,
})

async function ownChat(
  { exchange }: Pick<Ports, 'exchange'>,
  { ownerId, chatId }: Asked,
): Promise<ExchangedChat> {
  const chat = await exchange.standing(chatId, ownerId)
  if (!chat) throw new NotFoundError('chat', chatId)
  return chat
}

/**
 * The pack of the messages reachable from `want` and not from `have`.
 *
 * @param asked.after lines that the other side has already
 * @throws NotFoundError for a chat, or for a wanted message that is not in it
 */
export async function packChat(
  ports: Pick<Ports, 'exchange' | 'files'>,
  {
    want,
    have,
    after = 0,
    ...asked
  }: Asked & { want: readonly MessageId[]; have: readonly MessageId[]; after?: number | undefined },
): Promise<AsyncIterable<string>> {
  const chat = await ownChat(ports, asked)
  const places = await ports.exchange.places(chat.chatId, [...new Set([...want, ...have])])
  const wanted = want.map((id) => {
    const place = places.get(id)
    if (!place) throw new NotFoundError('message', id)
    return place
  })
  const had = have.flatMap((id) => places.get(id) ?? [])
  return packLines(ports, chat, { ownerId: asked.ownerId, want: wanted, have: had, after })
}

/**
 * Takes in a push: its messages, and the branches that it moves on, in one commit that Undo takes back, or nothing at all. The
 * same push again changes nothing and is answered the same. A chat that is not here is made.
 *
 * @throws PackRefusedError, DivergedObjectsError, OtherOriginError, NotFastForwardError, ReplyInProgressError
 */
export async function receivePush(
  ports: Uses,
  { lines, updates, ...asked }: Asked & { lines: AsyncIterable<string>; updates: readonly RefUpdate[] },
): Promise<{ updated: { branch: string; headMessageId: MessageId }[] }> {
  if (updates.length === 0) throw new PackRefusedError('The push names no branch.')
  if (new Set(updates.map(({ branch }) => branch)).size < updates.length)
    throw new PackRefusedError('The push names a branch twice.')
  const { ownerId, chatId } = asked
  const before = await ports.exchange.standing(chatId, ownerId)
  const pack = await readPack(ports, lines, { ownerId, chatId, origin: before?.origin })
  for (let tries = 1; ; tries += 1) {
    try {
      return await push(ports, { ...asked, pack, updates })
    } catch (error) {
      // another write was quicker: everything is looked at again
      if (!(error instanceof HeadConflictError) || tries === TRIES) throw error
    }
  }
}

async function push(
  ports: Uses,
  { ownerId, chatId, pack, updates }: Asked & { pack: Pack; updates: readonly RefUpdate[] },
) {
  const chat = await ports.exchange.standing(chatId, ownerId)
  const heads = [
    ...updates.flatMap(({ old, new: to }) => [old, to]),
    ...(chat?.branches ?? []).map(({ messageId }) => messageId),
  ]
  const brought = await broughtBy(ports, pack, { ownerId, chat, heads })
  const branches = updates.flatMap((update) => movedBy(update, { chat, brought, newId: ports.newId }) ?? [])
  const updated = updates.map(({ branch, new: headMessageId }) => ({ branch, headMessageId }))
  if (branches.length === 0) return { updated }
  const [first] = branches
  const isNew = chat === undefined && first !== undefined
  const steps = planReceive({
    messages: brought.messages,
    branches: isNew ? [{ ...first, from: null }, ...branches.slice(1)] : branches,
    remote: null,
    at: ports.clock(),
    newId: ports.newId,
  })
  await writeBrought(ports, {
    ownerId,
    called: chatId,
    chat,
    pack,
    brought,
    steps: isNew ? steps : asReceived(steps),
    ...(isNew && { create: newChat(first, pack) }),
  })
  return { updated }
}

/** A chat that is made of a pack, with its first branch. */
export const newChat = ({ branchId, name, contextId }: ReceivingBranch, { origin, title }: Pack) => ({
  branchId,
  branchName: name,
  origin,
  ...(title !== null && { title }),
  ...(contextId !== undefined && { contextId }),
})

/** The move of a branch by an update; undefined when the branch is there, or beyond. */
function movedBy(
  { branch: name, old, new: to }: RefUpdate,
  { chat, brought, newId }: { chat: ExchangedChat | undefined; brought: Brought; newId: () => string },
): ReceivingBranch | undefined {
  if (!brought.has(to)) throw new PackRefusedError(`The pack does not lead to the new head of "${name}".`)
  const branch = chat?.branches.find((one) => one.name === name)
  const contextId = brought.contextAt(to)
  if (!branch) {
    if (old !== null) throw new NotFastForwardError(name)
    return { branchId: newId(), name, from: undefined, to, ...(contextId !== undefined && { contextId }) }
  }
  const { id: branchId, messageId: from } = branch
  if (from !== null && brought.isBefore(to, from)) return undefined
  if (branch.isArchived || from !== old || (from !== null && !brought.isBefore(from, to)))
    throw new NotFastForwardError(name)
  if (branch.isBusy) throw new ReplyInProgressError('A reply is being written on this branch', name)
  return { branchId, name, from, to }
}
