import type { BranchId, ChatId } from '@/lib/events'
import type { GraphIndex } from '@/lib/graph'
import type { GraphNode } from '@/lib/protocol'
import type { Ports } from '../ports'
import type { ReadableChat } from './readable-chat'
import { TrainingContexts, type TrainingMessage, toolsWith, trainingMessages } from './training-messages'

/**
 * A chat as preference pairs, in the format of TRL: a line for each fork where a message was answered more than once. The reply
 * on the kept path is chosen; the newest of the others that ended by itself is rejected.
 *
 * @param only the only branch whose forks are written
 */
export async function* chatPreferences(
  ports: Pick<Ports, 'reads' | 'tools' | 'models'>,
  chat: ReadableChat,
  { chatId, only }: { chatId: ChatId; only?: BranchId | undefined },
): AsyncGenerator<string> {
  const { index, without } = chat
  const contexts = new TrainingContexts(ports, chatId, without)
  const onOnly = only === undefined ? undefined : new Set(chainOf(index, only))
  for (const { chosen, rejected } of pairsIn(index, chat.branchId)) {
    if (onOnly && !onOnly.has(chosen.id)) continue
    const prompt: TrainingMessage[] = []
    let contextId: string | undefined
    for await (const message of chat.bodies(index.chainTo(chosen.id).slice(0, -1))) {
      contextId = message.contextId ?? contextId
      prompt.push(...trainingMessages(message, without))
    }
    const replies = new Map<string, TrainingMessage[]>()
    for await (const message of chat.bodies([chosen, rejected])) {
      if (message.id === chosen.id) contextId = message.contextId ?? contextId
      replies.set(message.id, trainingMessages(message, without))
    }
    const [kept = [], left = []] = [replies.get(chosen.id), replies.get(rejected.id)]
    if (kept.length === 0 || left.length === 0 || JSON.stringify(kept) === JSON.stringify(left)) continue
    const { system, tools } = await contexts.of(contextId)
    const pair = { prompt: [...system, ...prompt], chosen: kept, rejected: left }
    yield `${JSON.stringify({ ...pair, ...toolsWith(tools, [...prompt, ...kept, ...left]) })}\n`
  }
}

const chainOf = (index: GraphIndex, branchId: BranchId): string[] => {
  const headId = index.graph.branches.find(({ id }) => id === branchId)?.headId
  return headId ? index.chainTo(headId).map(({ id }) => id) : []
}

/** The forks of a chat between replies, in the order in which they came about. */
function* pairsIn(
  index: GraphIndex,
  keptBranch: BranchId,
): Generator<{ chosen: GraphNode; rejected: GraphNode }> {
  const open = index.graph.branches.filter(({ archivedAt }) => archivedAt === null)
  const kept = new Set(chainOf(index, keptBranch))
  const onOpen = new Set(open.flatMap(({ id }) => chainOf(index, id)))
  // a reply that failed or was stopped says nothing about taste
  const replies = index.graph.nodes.filter(({ role, status }) => role === 'assistant' && status === 'done')
  for (const siblings of Map.groupBy(replies, ({ id }) => index.parentOf(id)?.id).values()) {
    const [first] = siblings
    if (!first || siblings.length < 2) continue
    const chosen =
      siblings.find(({ id }) => kept.has(id)) ?? siblings.find(({ id }) => onOpen.has(id)) ?? first
    const rejected = siblings.findLast((one) => one !== chosen)
    if (rejected) yield { chosen, rejected }
  }
}
