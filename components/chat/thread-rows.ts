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
  /** how many messages there are above the first row */
  above: number
  /** what is wanted but not here yet: the `limit` messages before depth `before` */
  missing: { before: number; limit: number } | null
}

/**
 * The rows from `floor` down to `head`, as far as their bodies are here without a gap below.
 */
export function threadRows(
  index: GraphIndex,
  bodies: ReadonlyMap<MessageId, ChatMessage>,
  head: MessageId | null,
  floor: number,
): ThreadRows {
  const chain = head === null ? [] : index.chainTo(head)
  const rows: ThreadRow[] = []
  for (let depth = chain.length - 1; depth >= floor; depth--) {
    const node = chain[depth]
    const message = node && bodies.get(node.id)
    if (!node || !message) {
      return {
        rows: rows.reverse(),
        above: depth + 1,
        missing: { before: depth + 1, limit: depth + 1 - floor },
      }
    }
    rows.push({ node, message })
  }
  return { rows: rows.reverse(), above: Math.min(floor, chain.length), missing: null }
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
