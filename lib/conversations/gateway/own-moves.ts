import { BuiltUponError, type ThreadCommand } from '@/lib/context'
import type { BranchId, MessageId, UserId } from '@/lib/events'
import { readOutline } from '../agents/read-branch'
import { rewind } from '../chats/moves'
import { searchChats } from '../chats/read-chat'
import { moveBackOnce } from '../chats/undo'
import { InvalidRequestError } from '../errors'
import type { Ports } from '../ports'
import type { OwnConversation } from './own-conversation'
import { steerAgent, steerTo } from './steer-agent'

interface OnOwn {
  ownerId: UserId
  own: OwnConversation
}

/**
 * Goes back in the caller's own conversation. An agent of the gateway continues from there with its next
 * call, and the reader of the chat stays; without such an agent the chat opens there from now on.
 *
 * @param input.to the name of a checkpoint, or the id of a message
 * @param input.text a message to add there first; only for an agent
 * @returns the place from which it continues
 * @throws NotFoundError when `to` is neither; InvalidRequestError when the agent is already there
 */
export async function rewindOwn(
  ports: Ports,
  { ownerId, own, to, text }: OnOwn & { to: string; text?: string | undefined },
): Promise<{ branchId: BranchId; messageId: MessageId }> {
  const { chatId, branchId, isAgents } = own
  const checkpoint = await ports.store.getCheckpoint(chatId, to)
  const messageId = checkpoint?.messageId ?? to
  if (!isAgents) {
    if (text !== undefined)
      throw new InvalidRequestError('No agent writes on this branch. Say it with send_message.')
    return { branchId: (await rewind(ports, { ownerId, chatId, branchId, messageId })).branchId, messageId }
  }
  const waiting = await waitingAt(ports, { ownerId, own })
  if (waiting?.messageId === messageId && text === undefined) return { branchId: waiting.branchId, messageId }
  const asked = { ownerId, chatId, agentId: branchId, branchId, messageId, text, activate: false }
  const moved = await steerTo(ports, asked)
  return { branchId: moved.branchId, messageId }
}

/** The end of the branch to which an agent is steered, until its next call. */
async function waitingAt(
  { reads }: Ports,
  { ownerId, own: { chatId, branchId } }: OnOwn,
): Promise<{ branchId: BranchId; messageId: MessageId | null } | undefined> {
  const agents = await reads.agents(chatId, ownerId)
  const steering = agents.find((agent) => agent.branchId === branchId)?.steering
  if (!steering?.toId || steering.followedAt !== null) return undefined
  const { state } = await reads.branchState(chatId, ownerId, steering.toId)
  return state && { branchId: state.branchId, messageId: state.headId }
}

/**
 * Takes back the last move of the caller's own conversation. An agent that has written since it was moved
 * returns to its former place with its next call.
 *
 * @returns the undone moves, in words
 * @throws NothingToUndoError, BuiltUponError
 */
export async function undoOwn(
  ports: Ports,
  { ownerId, own, once }: OnOwn & ThreadCommand,
): Promise<{ says: string }> {
  const { chatId, called } = own
  try {
    const { says } = await moveBackOnce(ports, 'undo', { ownerId, once, chatId, called })
    return { says }
  } catch (error) {
    if (!(error instanceof BuiltUponError)) throw error
    const from = await steeredFrom(ports, { ownerId, own })
    if (from === undefined) throw error
    await steerAgent(ports, { ownerId, chatId: called, branch: own.branchId, to: from })
    return { says: 'moved an agent, which goes back to where it was with its next call' }
  }
}

/** The branch that an agent left, when the last move of the chat took it away from there. */
async function steeredFrom(
  { store, reads }: Ports,
  { ownerId, own: { chatId, branchId } }: OnOwn,
): Promise<BranchId | undefined> {
  const [[last], agents] = await Promise.all([
    store.getMoves(chatId, { which: 'undo', ownerId }),
    reads.agents(chatId, ownerId),
  ])
  const steering = last?.facts.find(({ type }) => type === 'AgentSteered')
  if (steering?.type !== 'AgentSteered') return undefined
  const from = agents.find((agent) => agent.branchId === steering.payload.branch_id)
  return from?.steering?.toId === branchId && from.steering.followedAt !== null ? from.branchId : undefined
}

/** The parts of its own conversation that an agent finds. */
export interface Recalled {
  bookmarks: { name: string; messageId: MessageId; isOnOwn: boolean }[]
  /** branches beside its own, the latest first */
  branches: { id: BranchId; name: string; title: string; headId: MessageId | null }[]
  hits: Found[]
  /** some messages are not indexed yet */
  partial: boolean
}

interface Found {
  messageId: MessageId
  branch: { id: BranchId; name: string; title: string } | null
  role: string
  /** HTML */
  snippet: string
  createdAt: number
  /** it stands above the end of its branch */
  isOnOwn: boolean
}

/** Bookmarks and branches that are told at most. */
const TOLD = 100

/**
 * The bookmarks and branches of a chat, and what was said in it, on branches that the agent has left too.
 *
 * @param input.query words to search for; without it nothing is searched
 */
export async function recallOwn(
  ports: Ports,
  { ownerId, own, query, limit }: OnOwn & { query?: string | undefined; limit: number },
): Promise<Recalled> {
  const { chatId, branchId, messageId } = own
  const [outline, page] = await Promise.all([
    readOutline(ports, { ownerId, chatId }),
    query === undefined
      ? { hits: [], partial: false }
      : searchChats(ports, { ownerId, chatId, query, limit }),
  ])
  const checkpoints = outline.checkpoints.toReversed().slice(0, TOLD)
  const named = [...checkpoints, ...page.hits].map((each) => each.messageId)
  const stored = await ports.store.getMessagesById(chatId, [...new Set(named)], messageId)
  const onOwn = new Set(stored.filter(({ isOnChain }) => isOnChain).map(({ id }) => id))
  const isOnOwn = (id: MessageId) => onOwn.has(id)
  return {
    bookmarks: checkpoints.map((each) => ({ ...each, isOnOwn: isOnOwn(each.messageId) })),
    branches: outline.branches
      .filter(({ id, isArchived }) => id !== branchId && !isArchived)
      .toReversed()
      .slice(0, TOLD)
      .map(({ id, name, title, headId }) => ({ id, name, title, headId })),
    hits: page.hits.map(({ messageId: id, branch, role, snippet, createdAt }) => ({
      messageId: id,
      branch,
      role,
      snippet,
      createdAt,
      isOnOwn: isOnOwn(id),
    })),
    partial: page.partial,
  }
}
