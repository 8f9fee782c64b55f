import type { MessageId } from '@/lib/events'
import type { ChatMessage, GraphNode } from '@/lib/graph'
import type { GraphIndex } from '@/lib/graph/graph-index'

export interface ThreadRow {
  node: GraphNode
  message: ChatMessage
}

/** The part of a chain the thread can show. */
export interface ThreadRows {
  rows: ThreadRow[]
  /** how many messages there are above the part */
  above: number
  /** the last stretch whose bodies are not here: the `limit` messages before depth `before`, shown before row `at` */
  missing: { before: number; limit: number; at: number } | null
}

/** The rows from depth `floor` down to `head`, as far as their bodies are here. */
export function threadRows(
  index: GraphIndex,
  bodies: ReadonlyMap<MessageId, ChatMessage>,
  head: MessageId | null,
  floor: number,
): ThreadRows {
  const chain = head === null ? [] : index.chainTo(head)
  const rows: ThreadRow[] = []
  let missing: ThreadRows['missing'] = null
  for (const node of chain.slice(floor)) {
    const message = bodies.get(node.id)
    if (message) rows.push({ node, message })
    else missing = extended(missing, node.depth, rows.length)
  }
  return { rows, above: Math.min(floor, chain.length), missing }
}

function extended(missing: ThreadRows['missing'], depth: number, at: number): ThreadRows['missing'] {
  const goesOn = missing?.before === depth
  return { before: depth + 1, limit: goesOn ? missing.limit + 1 : 1, at }
}

/** Where a message stands among its versions; null when it is the only one. */
export interface Versions {
  position: number
  count: number
  previous: MessageId | null
  next: MessageId | null
}

export function versionsOf(index: GraphIndex, id: MessageId): Versions | null {
  const siblings = index.siblingsOf(id)
  if (siblings.length < 2) return null
  const at = siblings.findIndex((node) => node.id === id)
  return {
    position: at + 1,
    count: siblings.length,
    previous: siblings[at - 1]?.id ?? null,
    next: siblings[at + 1]?.id ?? null,
  }
}
