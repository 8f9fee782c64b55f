import type { MessageId } from '@/lib/events'
import type { GraphIndex } from '@/lib/graph/graph-index'
import type { ChatMessage, GraphNode } from '@/lib/protocol'

/** Number of messages that a long chat opens on, and loads at a time. */
export const page = 50

/** A message farther away than this is shown with its surroundings alone: nothing between is loaded for it. */
const far = 2 * page

/** The part of a chain the thread shows: from depth `floor` down to `ceiling`, or to its end where that is null. */
export interface Shown {
  floor: number
  ceiling: number | null
}

/** The part to show for the message at a depth: the same part, longer, or another part around the message. */
export function shownAround(shown: Shown, depth: number, length: number): Shown {
  const last = shown.ceiling ?? length - 1
  if (depth >= shown.floor && depth <= last) return shown
  if (depth < shown.floor && shown.floor - depth <= far) return { ...shown, floor: Math.max(0, depth - 4) }
  if (depth > last && depth - last <= far) return { ...shown, ceiling: until(depth + 4, length) }
  return { floor: Math.max(0, depth - page / 2), ceiling: until(depth + page, length) }
}

/** The part with a page more at its end. */
export const shownLater = ({ floor, ceiling }: Shown, length: number): Shown => ({
  floor,
  ceiling: ceiling === null ? null : until(ceiling + page, length),
})

/** The end of the chain, as a long chat opens; a part that reaches the end stays as it is. */
export const shownEnd = (shown: Shown, length: number): Shown =>
  shown.ceiling === null ? shown : { floor: Math.max(0, length - page), ceiling: null }

const until = (depth: number, length: number): number | null => (depth >= length - 1 ? null : depth)

export interface ThreadRow {
  node: GraphNode
  message: ChatMessage
}

/** The part of a chain the thread can show. */
export interface ThreadRows {
  rows: ThreadRow[]
  /** number of messages above the part, and below it */
  above: number
  below: number
  /** the last messages in a row without bodies: `limit` of them before depth `before`, shown before row `at` */
  missing: { before: number; limit: number; at: number } | null
}

/** The rows with bodies from depth `floor` down to `ceiling`, or else to `head`. */
export function threadRows(
  index: GraphIndex,
  bodies: ReadonlyMap<MessageId, ChatMessage>,
  head: MessageId | null,
  { floor, ceiling }: Shown,
): ThreadRows {
  const chain = head === null ? [] : index.chainTo(head)
  // a chain begins below its root while the graph has not arrived whole
  const first = chain[0]?.depth ?? 0
  const length = first + chain.length
  const end = ceiling === null ? length : Math.min(ceiling + 1, length)
  const rows: ThreadRow[] = []
  let missing: ThreadRows['missing'] = null
  for (const node of chain.slice(Math.max(0, floor - first), Math.max(0, end - first))) {
    const message = bodies.get(node.id)
    if (message) rows.push({ node, message })
    else missing = extended(missing, node.depth, rows.length)
  }
  if (first > floor) missing ??= { before: Math.min(first, end), limit: Math.min(first, end) - floor, at: 0 }
  return { rows, above: Math.min(floor, length), below: length - end, missing }
}

function extended(missing: ThreadRows['missing'], depth: number, at: number): ThreadRows['missing'] {
  const goesOn = missing?.before === depth
  return { before: depth + 1, limit: goesOn ? missing.limit + 1 : 1, at }
}

/** The place of a message among its versions; null for a message without others. */
export function versionsOf(index: GraphIndex, id: MessageId) {
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

export type Versions = NonNullable<ReturnType<typeof versionsOf>>
