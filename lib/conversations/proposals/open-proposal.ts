import {
  type MessageData,
  NotFoundError,
  PROPOSALS,
  planProposal,
  QuotaExceededError,
  type Step,
} from '@/lib/context'
import type { BranchId, MessageId, UserId } from '@/lib/events'
import type { StoredProposal } from '@/lib/protocol/remotes/proposals'
import type { ExchangedChat, OwnBranch } from '../exchange/exchange-port'
import { anew } from '../threads/planned-command'
import { ProposalRefusedError } from './errors'
import { type Original, originalFor, type ProposedTo } from './original'
import type { ProposingPorts } from './proposals-port'
import { broughtFrom, messagesOf, originalId, ownOf, proposedId, someOf } from './proposed-branch'

/** Open proposals: of one person to a chat, of one person, and to a chat. */
const MOST = { ofBoth: 20, ofAuthor: 100, ofChat: 100 }

export interface ProposalRequest extends ProposedTo {
  author: { id: UserId; name: string }
  sourceBranchId: BranchId
  title: string
  words: string
}

/**
 * Proposes a branch of a copy to the owner of the original: the messages that the original lacks go there, on
 * an archived branch. The author's chat stays as it is.
 *
 * @throws NotFoundError, ProposalRefusedError; then nothing is written
 */
export async function openProposal(
  ports: ProposingPorts,
  { author, sourceBranchId, title, words, ...to }: ProposalRequest,
): Promise<{ id: string; number: number }> {
  const { chat, branch } = await readSource(ports, author.id, sourceBranchId)
  const original = await originalFor(ports, author.id, chat, to)
  await checkRoom(ports, original, author.id)
  const { chatId } = original
  const before = await ports.proposals.latestOf(chatId, sourceBranchId, author.id)
  const inOriginal = (chain: readonly MessageData[]) => knownTo(ports, original, chain)
  const inProposal = before ? await proposedBy(ports, before) : new Map<MessageId, MessageId>()
  const own = await ownOf(
    ports,
    { chatId: chat.chatId, headId: branch.messageId },
    async (chain) => new Map([...(await inOriginal(chain)), ...inProposal]),
  )
  if (!own) throw new ProposalRefusedError('nothing_in_common')
  const isOwn = [...inProposal.values()].includes(own.baseId)
  if (!isOwn && !(await original.isShown(own.baseId))) throw new ProposalRefusedError('nothing_in_common')
  if (own.messages.length === 0) throw new ProposalRefusedError('nothing_to_propose')
  const messages = await fitting(() =>
    broughtFrom(ports, original, { chatId: chat.chatId, author: author.name, own }),
  )
  const headId = someOf(messages)
  const [id, branchId] = [ports.newId(), ports.newId()]
  const number = await write(ports, original, (there) => {
    const number = nextNumber(there)
    const steps = planProposal({
      proposal: { id, number },
      author: author.name,
      title,
      branch: { branchId, from: undefined, to: headId },
      messages,
      at: ports.clock(),
      newId: ports.newId,
    })
    return { steps, value: number }
  })
  const isKept = await ports.proposals.keep({
    id,
    chatId,
    number,
    authorId: author.id,
    authorName: author.name,
    sourceChatId: chat.chatId,
    sourceBranchId,
    sourceHeadId: branch.messageId,
    title,
    words,
    branchId,
    baseMessageId: own.baseId,
    headMessageId: headId,
    messages: messages.length,
  })
  if (!isKept) throw new NotFoundError('chat', chatId)
  return { id, number }
}

/**
 * Pins an open proposal at the head of its branch as that is now, and brings what was said since. The same again changes nothing.
 *
 * @throws NotFoundError, ProposalRefusedError
 */
export async function updateProposal(
  ports: ProposingPorts,
  { authorId, id }: { authorId: UserId; id: string },
): Promise<{ id: string; messages: number }> {
  const proposal = await ports.proposals.find(id, authorId)
  if (!proposal || proposal.authorId !== authorId) throw new NotFoundError('proposal', id)
  if (proposal.state !== 'open') throw new ProposalRefusedError('proposal_over')
  const { chatId, ownerId, sourceBranchId, sourceHeadId, baseMessageId, branchId } = proposal
  const { chat, branch } = await readSource(ports, authorId, sourceBranchId)
  if (branch.messageId === sourceHeadId) return { id, messages: proposal.messages }
  const called = await ports.proposals.chatOf(chatId)
  if (!called) throw new NotFoundError('chat', chatId)
  const original = { ownerId, chatId, called: called.called }
  const inProposal = await proposedBy(ports, proposal)
  const own = await ownOf(ports, { chatId: chat.chatId, headId: branch.messageId }, async (chain) => {
    const base = chain.filter((message) => originalId(message) === baseMessageId)
    return new Map([...base.map((message) => [message.id, baseMessageId] as const), ...inProposal])
  })
  if (!own) throw new ProposalRefusedError('branch_left')
  const messages = await fitting(() =>
    broughtFrom(ports, original, { chatId: chat.chatId, author: proposal.authorName, own }),
  )
  const kept = [...inProposal.values()].indexOf(own.baseId) + 1
  const headMessageId = messages.at(-1)?.message.id ?? own.baseId
  if (kept + messages.length === 0) throw new ProposalRefusedError('branch_left')
  await write(ports, original, (there) => {
    const line = there.branches.find((one) => one.id === branchId)
    if (!line) throw new NotFoundError('branch', branchId)
    const steps = planProposal({
      proposal,
      author: proposal.authorName,
      title: proposal.title,
      branch: { branchId, from: line.messageId, to: headMessageId },
      messages,
      at: ports.clock(),
      newId: ports.newId,
    })
    return { steps, value: undefined }
  })
  const pinned = { headMessageId, sourceHeadId: branch.messageId, messages: kept + messages.length }
  await ports.proposals.pin(proposal, pinned)
  return { id, messages: pinned.messages }
}

/** @throws NotFoundError, ProposalRefusedError for a branch that is archived or empty */
async function readSource(
  { threads, exchange }: Pick<ProposingPorts, 'threads' | 'exchange'>,
  authorId: UserId,
  branchId: BranchId,
): Promise<{ chat: ExchangedChat; branch: OwnBranch & { messageId: MessageId } }> {
  const place = await threads.chatOf(branchId, authorId)
  const chat = place && (await exchange.standing(place.called, authorId))
  const branch = chat?.branches.find(({ id }) => id === branchId)
  if (!chat || !branch) throw new NotFoundError('thread', branchId)
  const { messageId } = branch
  if (branch.isArchived) throw new ProposalRefusedError('branch_archived')
  if (messageId === null) throw new ProposalRefusedError('nothing_to_propose')
  return { chat, branch: { ...branch, messageId } }
}

async function checkRoom(
  { proposals }: Pick<ProposingPorts, 'proposals'>,
  { chatId }: Original,
  authorId: UserId,
): Promise<void> {
  const open = await proposals.countOpen(chatId, authorId)
  if (open.ofBoth >= MOST.ofBoth || open.ofAuthor >= MOST.ofAuthor)
    throw new ProposalRefusedError('too_many_proposals')
  if (open.ofChat >= MOST.ofChat) throw new ProposalRefusedError('too_many_proposals_there')
}

/** The messages of a chain that the original has, by those of the chain. */
async function knownTo(
  { exchange }: Pick<ProposingPorts, 'exchange'>,
  { chatId }: Original,
  chain: readonly MessageData[],
): Promise<Map<MessageId, MessageId>> {
  const places = await exchange.places(chatId, chain.map(originalId))
  return new Map(
    chain.flatMap((message) => {
      const id = originalId(message)
      return places.has(id) ? [[message.id, id] as const] : []
    }),
  )
}

/** The messages of a proposal, in order, by those of the copy. */
async function proposedBy(
  ports: Pick<ProposingPorts, 'store'>,
  proposal: StoredProposal,
): Promise<Map<MessageId, MessageId>> {
  const chain = await messagesOf(ports, proposal)
  return new Map(
    chain.flatMap((message) => {
      const from = proposedId(message)
      return from === undefined ? [] : [[from, message.id] as const]
    }),
  )
}

function nextNumber({ branches }: ExchangedChat): number {
  const numbers = branches.flatMap(({ name }) =>
    name.startsWith(PROPOSALS) ? Number(name.slice(PROPOSALS.length)) || [] : [],
  )
  return Math.max(0, ...numbers) + 1
}

/** Writes to the original as it is now; planned anew when it has changed meanwhile. */
function write<T>(
  ports: ProposingPorts,
  { ownerId, called, chatId }: Pick<Original, 'ownerId' | 'called' | 'chatId'>,
  plan: (there: ExchangedChat) => { steps: Step[]; value: T },
): Promise<T> {
  return anew(async () => {
    const there = await ports.exchange.standing(called, ownerId)
    if (!there) throw new NotFoundError('chat', chatId)
    const { steps, value } = plan(there)
    const change = { chatId, ownerId, at: ports.clock(), expectedSeq: there.seq, steps }
    await fitting(() => ports.store.commit(change))
    return value
  })
}

/** A quota of the owner is not for the author to read. */
async function fitting<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof QuotaExceededError) throw new ProposalRefusedError('original_is_full')
    throw error
  }
}
