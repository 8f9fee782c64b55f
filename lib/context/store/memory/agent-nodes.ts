import { type ChatId, type KeepNodes, steeredTo, type Thread, type UserId } from '@/lib/events'
import { HeadConflictError } from '../errors'
import type { AgentNode } from '../records'
import type { MemoryChat, MemoryChats } from './memory-chat'

/** Keeps the hashes by which agents name messages of a chat, as `append_changes` does. */
export function keepNodes(
  chats: MemoryChats,
  chat: MemoryChat,
  { nodes, agent }: Pick<KeepNodes, 'nodes' | 'agent'>,
): void {
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
  const last = nodes.at(-1)
  if (agent && last) chat.agents.set(agent.branchId, last.messageId)
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
  { messages, runs, state, agents }: MemoryChat,
  { hash, messageId, chain = hash, moved = false }: KeepNodes['nodes'][number],
): AgentNode {
  const message = messages.get(messageId)
  if (!message) throw new Error(`Message "${messageId}" is missing`)
  const isLive = (branchId: string) =>
    [...runs.values()].some(
      (run) => run.branchId === branchId && (run.status === 'queued' || run.status === 'running'),
    )
  const branchOf = ({ id, name, contextId, archivedAt }: Thread) => ({
    id,
    name,
    contextId,
    isOpen: archivedAt === null && !isLive(id),
  })
  const branches = [...state.threads.values()]
    .filter(({ headMessageId }) => headMessageId === messageId)
    .map(branchOf)
  const steered = [...agents].flatMap(([branchId, last]) => {
    const target = state.threads.get(steeredTo(state, branchId) ?? '')
    if (last !== messageId || !target) return []
    return [{ branchId, to: { ...branchOf(target), headId: target.headMessageId } }]
  })
  const at = ({ branchId }: { branchId: string }) => state.steerings.get(branchId)?.at ?? 0
  const latest = steered.toSorted((one, other) => at(other) - at(one))[0] ?? null
  const { contextId = null, parentId } = message.record
  const recordedOn = state.messages.get(messageId)?.threadId ?? ''
  const place = { chatId, called: chatId, messageId, parentId, recordedOn }
  const active = state.threads.get(state.activeThreadId ?? '')
  const isFree = state.undoSeq === null && active && agents.get(active.id) === active.headMessageId
  const opensOn = isFree ? active.id : null
  return { hash, ...place, chain, moved, contextId, branches, steered: latest, opensOn }
}
