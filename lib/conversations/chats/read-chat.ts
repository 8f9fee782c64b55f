import { messagePreview, NotFoundError, type PlacedMessage } from '@/lib/context'
import type { ChatId, UserId } from '@/lib/events'
import {
  laneHues,
  moveEntries,
  type PackedGraph,
  type PackedHistory,
  packGraph,
  packHistory,
  type SearchPage,
  titleAlone,
} from '@/lib/graph'
import type {
  ChatView,
  Graph,
  GraphDelta,
  GraphLane,
  GraphNode,
  MovePage,
  ThreadWindow,
} from '@/lib/protocol'
import { linksOf } from '../delta-of'
import type { Ports, StoredPage } from '../ports'
import type { CalledChat } from './called-chat'
import { toChatMessage } from './to-chat-message'

/** Messages a thread opens with, more than a screen holds, and messages of each further page upwards. */
const [FIRST, PAGE] = [20, 50]

/** A chat with more events than this opens with its thread, and the page asks for the graph. */
const WHOLE_UP_TO = 600

/**
 * Thread and graph of a chat, for its page; a branch that is gone opens the active one. The graph of a long
 * chat is partial: its refs and lanes, and the messages of the thread.
 */
export async function readChat(ports: Ports, input: CalledChat & { branch?: string }): Promise<ChatView> {
  const { ownerId, chatId, branch, membership } = input
  const [stored, window] = await Promise.all([
    ports.reads.graphUpTo(chatId, ownerId, WHOLE_UP_TO),
    ports.reads.window(chatId, ownerId, { branch: branch || undefined, limit: FIRST }),
  ])
  if (!stored) throw new NotFoundError('chat', chatId)
  if (!window) throw new NotFoundError('branch', branch ?? '')
  const graph = membership ? { ...stored, chatId: membership.id } : stored
  const lent = membership && { lent: { role: membership.role, owner: membership.ownerName } }
  const view = { branchId: window.branchId, window: toWindow(window.messages), ...lent }
  if (graph.seq <= WHOLE_UP_TO) return { graph, ...view }
  return { graph: partOf(graph, window), partial: true, ...view }
}

/** The last `limit` messages of a branch above a depth. */
export async function readWindow(
  ports: Ports,
  input: { ownerId: UserId; chatId: ChatId; branch?: string; before?: number; limit?: number },
): Promise<ThreadWindow> {
  const { ownerId, chatId, branch, before, limit = PAGE } = input
  const window = await ports.reads.window(chatId, ownerId, { branch: branch || undefined, before, limit })
  if (!window) {
    const { chat } = await ports.reads.branchState(chatId, ownerId)
    throw chat === 'own' ? new NotFoundError('branch', branch ?? '') : new NotFoundError('chat', chatId)
  }
  return toWindow(window.messages)
}

/** The graph of a chat, or with `since` its changes after that event. */
export async function readGraph(
  ports: Ports,
  input: { ownerId: UserId; chatId: ChatId; since?: number },
): Promise<Graph | GraphDelta> {
  const { ownerId, chatId, since } = input
  const graph =
    since === undefined
      ? await ports.reads.graph(chatId, ownerId)
      : await ports.reads.delta(chatId, ownerId, since)
  if (!graph) throw new NotFoundError('chat', chatId)
  return graph
}

/** The graph of a chat, packed for a page that draws all of it. */
export async function readPackedGraph(
  ports: Ports,
  chat: { ownerId: UserId; chatId: ChatId },
): Promise<PackedGraph> {
  const graph = await ports.reads.graph(chat.chatId, chat.ownerId)
  if (!graph) throw new NotFoundError('chat', chat.chatId)
  return packGraph(graph)
}

/** Every movement of a chat's branches and checkpoints, or with `since` those after that event. */
export async function readHistory(
  ports: Ports,
  input: { ownerId: UserId; chatId: ChatId; since?: number },
): Promise<PackedHistory> {
  const { ownerId, chatId, since = 0 } = input
  const history = await ports.reads.history(chatId, ownerId, since)
  if (!history) throw new NotFoundError('chat', chatId)
  return packHistory(history)
}

/** Positions of the log that a page of moves covers, unless asked for fewer or more. */
const STRETCH = 400

/** A chat's moves and turns as lines, the latest first: those before a position of its log. */
export async function listMoves(
  ports: Ports,
  input: { ownerId: UserId; chatId: ChatId; before?: number; limit?: number },
): Promise<MovePage> {
  const { ownerId, chatId, before, limit = STRETCH } = input
  const log = await ports.reads.marked(chatId, ownerId, { before, limit })
  if (!log) throw new NotFoundError('chat', chatId)
  const { seq, floor, events } = log
  return { seq, moves: moveEntries(events, floor), next: floor > 1 ? floor : null }
}

/** Hits of one answer, unless asked for fewer or more. */
const HITS = 30

/**
 * Full-text search over a person's chats, on every branch, best first.
 *
 * @param input.chatId only this chat; a missing or another person's chat rejects with NotFoundError
 * @param input.roles only messages with these roles
 */
export async function searchChats(
  ports: Ports,
  input: {
    ownerId: UserId
    query: string
    chatId?: ChatId
    roles?: readonly string[]
    limit?: number
    offset?: number
  },
): Promise<SearchPage> {
  const { ownerId, query, chatId, roles, limit = HITS, offset = 0 } = input
  const page = await ports.reads.search(ownerId, query, { chatId, roles, limit, offset })
  if (!page) throw new NotFoundError('chat', chatId ?? '')
  return { ...page, hits: page.hits.map((hit) => ({ ...hit, branch: hit.branch && titled(hit.branch) })) }
}

/** A hit names one branch, without its siblings. */
function titled({ first, ...branch }: NonNullable<StoredPage['hits'][number]['branch']>) {
  return { ...branch, title: titleAlone({ ...branch, first }) }
}

/** The part of a graph that one thread needs: its messages, their lanes, and the branch that is read. */
function partOf(
  graph: Graph,
  { branchId, messages }: { branchId: string; messages: PlacedMessage[] },
): Graph {
  const lanes = new Map(graph.lanes.map((lane) => [lane.lane, lane]))
  const chain = new Map<number, GraphLane>()
  for (let at = lanes.get(messages.at(-1)?.lane ?? 0); at; at = lanes.get(at.parentLane ?? -1)) {
    chain.set(at.lane, at)
  }
  const ids = new Set(messages.map(({ id }) => id))
  const hues = laneHues(graph.lanes)
  return {
    ...graph,
    nodes: messages.map(toNode),
    lanes: [...chain.values()].toReversed().map((lane) => ({ ...lane, hue: hues.get(lane.lane) })),
    branches: graph.branches.filter(({ id }) => id === branchId || id === graph.activeBranchId),
    checkpoints: graph.checkpoints.filter(({ messageId }) => ids.has(messageId)),
  }
}

const toNode = ({ id, lane, depth, name, data, status, createdAt, ...rest }: PlacedMessage): GraphNode => ({
  id,
  lane,
  depth,
  role: name,
  preview: messagePreview(data),
  status: status ?? 'done',
  createdAt,
  ...linksOf(rest),
})

function toWindow(messages: PlacedMessage[]): ThreadWindow {
  return { messages: messages.map(toChatMessage), start: messages[0]?.depth ?? 0 }
}
