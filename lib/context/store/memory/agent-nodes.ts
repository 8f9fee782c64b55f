import type { ChatId, KeepNodes, Step, Thread, UserId } from '@/lib/events'
import { HeadConflictError } from '../errors'
import type { AgentNode } from '../records'
import type { MemoryChat, MemoryChats } from './memory-chat'

/** Keeps the hashes by which agents name messages of a chat, as `keep_agent_nodes` does. */
export function keepNodes(chats: MemoryChats, chat: MemoryChat, { nodes }: KeepNodes): void {
  const others = [...chats].flatMap(([id, other]) =>
    id !== chat.state.chatId && other.userId === chat.userId ? [other] : [],
  )
  for (const node of nodes) {
    const isFurther = node.chain !== undefined
    if (isFurther) for (const other of others) other.nodes.delete(node.hash)
    const known = node.moved || isFurther ? undefined : chat.nodes.get(node.hash)
    const isElsewhere = others.some((other) => other.nodes.has(node.hash))
    if (isElsewhere || (known && known.messageId !== node.messageId)) {
      throw new HeadConflictError('Another call has said the same')
    }
    if (!known) chat.nodes.set(node.hash, node)
  }
}

/** The first of some hashes that names a message of the owner's, as `find_agent_node` does. */
export function readAgentNode(
  chats: MemoryChats,
  ownerId: UserId,
  hashes: readonly string[],
  chatId: ChatId | undefined,
): AgentNode | undefined {
  const own = [...chats].filter(
    ([id, { userId }]) => userId === ownerId && (chatId === undefined || id === chatId),
  )
  for (const hash of hashes) {
    for (const [id, chat] of own) {
      const node = chat.nodes.get(hash)
      if (node) return nodeOf(id, chat, { ...node, hash })
    }
  }
  return undefined
}

function nodeOf(
  chatId: ChatId,
  { messages, runs, state, steers }: MemoryChat,
  { hash, messageId, chain = hash, moved = false }: KeepNodes['nodes'][number],
): AgentNode {
  const message = messages.get(messageId)
  if (!message) throw new Error(`Message "${messageId}" is missing`)
  const isLive = (branchId: string) =>
    [...runs.values()].some(
      (run) => run.branchId === branchId && (run.status === 'queued' || run.status === 'running'),
    )
  const branchOf = ({ id, name, contextId, archivedAt }: Thread) => ({
    ...{ id, name, contextId },
    isOpen: archivedAt === null && !isLive(id),
  })
  const branches = [...state.threads.values()]
    .filter(({ headMessageId }) => headMessageId === messageId)
    .map((thread) => {
      const target = state.threads.get(steers.get(thread.id) ?? '')
      return {
        ...branchOf(thread),
        steeredTo: target ? { ...branchOf(target), headId: target.headMessageId } : null,
      }
    })
  const { contextId = null, parentId } = message.record
  const recordedOn = state.messages.get(messageId)?.threadId ?? ''
  const place = { chatId, called: chatId, messageId, parentId, recordedOn }
  return { hash, ...place, chain, moved, contextId, branches }
}

/** Has an agent go on with another branch, as `steer_agent` does. */
export function steerAgent(
  chat: MemoryChat,
  { branchId, targetId }: Extract<Step, { kind: 'steer-agent' }>,
): void {
  if (targetId === null) chat.steers.delete(branchId)
  else chat.steers.set(branchId, targetId)
}
