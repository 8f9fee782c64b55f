import { NotFoundError, type PlacedMessage } from '@/lib/context'
import type { ChatId, UserId } from '@/lib/events'
import type { ChatSummary, ChatView, Graph, GraphDelta, ThreadWindow } from '@/lib/graph'
import type { Ports } from './ports'
import { toChatMessage } from './to-chat-message'

/** Messages a thread opens with; the rest is loaded upwards. */
const WINDOW = 50

/** Thread and graph of a chat, as the page needs them; a branch that is gone opens the active one. */
export async function readChat(
  ports: Ports,
  input: { ownerId: UserId; chatId: ChatId; branch?: string },
): Promise<ChatView> {
  const { ownerId, chatId, branch } = input
  const [graph, window] = await Promise.all([
    ports.reads.graph(chatId, ownerId),
    ports.reads.window(chatId, ownerId, { ...(branch ? { branch } : {}), limit: WINDOW }),
  ])
  if (!graph) throw new NotFoundError('chat', chatId)
  if (!window) throw new NotFoundError('branch', branch ?? '')
  return { graph, branchId: window.branchId, window: toWindow(window.messages) }
}

/** The messages of a branch above a depth, the nearest first to be cut. */
export async function readWindow(
  ports: Ports,
  input: { ownerId: UserId; chatId: ChatId; branch?: string; before?: number; limit?: number },
): Promise<ThreadWindow> {
  const { ownerId, chatId, branch, before } = input
  const window = await ports.reads.window(chatId, ownerId, {
    ...(branch ? { branch } : {}),
    ...(before === undefined ? {} : { before }),
    limit: input.limit ?? WINDOW,
  })
  if (!window) {
    const { chat } = await ports.reads.branchState(chatId, ownerId)
    throw chat === 'own' ? new NotFoundError('branch', branch ?? '') : new NotFoundError('chat', chatId)
  }
  return toWindow(window.messages)
}

/** The graph of a chat, or with `since` what changed after that event. */
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

/** A person's chats, the latest first. */
export const listChats = (ports: Ports, ownerId: UserId): Promise<ChatSummary[]> =>
  ports.reads.chats(ownerId, 200)

function toWindow(messages: PlacedMessage[]): ThreadWindow {
  return { messages: messages.map(toChatMessage), start: messages[0]?.depth ?? 0 }
}
