import type { MessageId } from '@/lib/events'
import { NotFoundError } from '../errors'
import type { MergeBase, MessageOfChain } from '../records'
import type { MemoryChat, MemoryMessage } from './memory-chat'

/** A stretch of one lane, from its first message down to `top`. */
interface Stretch {
  lane: number
  top: number
}

/**
 * As `mergeBaseSql`: reached messages are closed upwards, so the deepest one of each lane stands for the
 * rest.
 */
export function readMergeBase(
  chat: MemoryChat,
  sourceHead: MessageId,
  targetHead: MessageId | null,
): MergeBase {
  const source = placeOf(chat, sourceHead)
  const reached = targetHead === null ? new Map() : reachedFrom(chat, placeOf(chat, targetHead))
  for (const { lane, top } of chainOf(chat, { lane: source.lane, top: source.depth })) {
    const deepest = Math.min(top, reached.get(lane) ?? -1)
    const stored = chat.lanes[lane]
    if (!stored || deepest < stored.baseDepth) continue
    return { baseId: stored.ids[deepest - stored.baseDepth] ?? null, own: source.depth - deepest }
  }
  return { baseId: null, own: source.depth + 1 }
}

/** The stored ones among some messages, and whether each is on a chain. */
export function readMessages(
  chat: MemoryChat,
  ids: readonly MessageId[],
  headId: MessageId | null,
): MessageOfChain[] {
  const head = headId === null ? undefined : chat.messages.get(headId)
  const chain = new Map(
    head ? chainOf(chat, { lane: head.lane, top: head.depth }).map(({ lane, top }) => [lane, top]) : [],
  )
  return ids.flatMap((id) => {
    const message = chat.messages.get(id)
    if (!message) return []
    const isOnChain = message.depth <= (chain.get(message.lane) ?? -1)
    return [{ ...structuredClone(message.record), isOnChain }]
  })
}

/** The deepest message that is reached in each lane, over parents and merge parents. */
function reachedFrom(chat: MemoryChat, head: MemoryMessage): Map<number, number> {
  const merges = [...chat.messages.values()].filter(({ record }) => record.mergeParentId !== undefined)
  const reached = new Map<number, number>()
  const due: Stretch[] = [{ lane: head.lane, top: head.depth }]
  for (let next = due.pop(); next; next = due.pop()) {
    for (const { lane, top } of chainOf(chat, next)) {
      const before = reached.get(lane) ?? -1
      if (top <= before) break
      reached.set(lane, top)
      for (const { record, lane: at, depth } of merges) {
        if (at !== lane || depth <= before || depth > top) continue
        const parent = placeOf(chat, record.mergeParentId ?? '')
        due.push({ lane: parent.lane, top: parent.depth })
      }
    }
  }
  return reached
}

/** The lanes of a chain, from its head's up to its root's. */
function chainOf({ lanes }: MemoryChat, head: Stretch): Stretch[] {
  const chain: Stretch[] = []
  let at: Stretch | undefined = head
  while (at) {
    chain.push(at)
    const stored: MemoryChat['lanes'][number] | undefined = lanes[at.lane]
    at =
      stored && stored.parentLane !== null
        ? { lane: stored.parentLane, top: stored.baseDepth - 1 }
        : undefined
  }
  return chain
}

function placeOf({ messages }: MemoryChat, id: MessageId): MemoryMessage {
  const message = messages.get(id)
  if (!message) throw new NotFoundError('message', id)
  return message
}
