import type { MessageId } from '@/lib/events'
import { type DrawnGraph, type DrawnItem, firstOf, type ItemId } from '../drawn-graph'
import type { GraphIndex } from '../graph-index'

/** The reply that goes on in its parent's line, by parent (null for the roots). Only forks are listed. */
export type Heirs = ReadonlyMap<MessageId | null, MessageId>

/** A line of the outline: a message and what goes on from it. */
export interface OutlineLine {
  /** the item it forks from; null for a root's line */
  from: ItemId | null
  /** top to bottom, one or more */
  items: DrawnItem[]
  /** the lines that fork from an item, oldest first */
  sides: Map<ItemId, OutlineLine[]>
}

/** The lines of a drawing, which do not depend on what is read or opened. */
export interface OutlineTree {
  /** the lines of the roots; the last one is the root's heir */
  roots: OutlineLine[]
  /** the line an item is part of, and its place in it */
  placeOf(id: ItemId): { line: OutlineLine; at: number } | undefined
}

/**
 * The line that goes on at each fork: the one that leads to the most messages; among equals, the one in its parent's
 * lane. The others are rows at the fork, so that most of them stand right below it. Linear, apart from sorting by
 * depth.
 *
 * @param known earlier decisions, which a line that grows does not change: rows never change places
 */
export function lineHeirs(index: GraphIndex, known: Heirs = new Map()): Heirs {
  const below = new Map<MessageId, number>()
  for (const { id } of index.graph.nodes.toSorted((a, b) => b.depth - a.depth)) {
    const parent = index.parentOf(id)
    const own = (below.get(id) ?? 0) + 1
    below.set(id, own)
    if (parent) below.set(parent.id, (below.get(parent.id) ?? 0) + own)
  }
  const heirs = new Map<MessageId | null, MessageId>()
  const decide = (parentId: MessageId | null, replies: readonly { id: MessageId; lane: number }[]) => {
    if (replies.length < 2) return
    const before = known.get(parentId)
    const [heaviest] = replies.toSorted(
      (a, b) => (below.get(b.id) ?? 0) - (below.get(a.id) ?? 0) || a.lane - b.lane,
    )
    const heir = replies.find(({ id }) => id === before) ?? heaviest
    if (heir) heirs.set(parentId, heir.id)
  }
  decide(null, index.roots)
  for (const { id } of index.graph.nodes) decide(id, index.childrenOf(id))
  return heirs
}

/** The lines of a drawing. Linear. */
export function outlineTree(
  { byId, rootIds }: Pick<DrawnGraph, 'byId' | 'rootIds'>,
  heirs: Heirs,
): OutlineTree {
  const places = new Map<ItemId, { line: OutlineLine; at: number }>()
  /** The replies to an item, that which goes on last. */
  const repliesOf = (parentId: MessageId | null, ids: readonly ItemId[]): DrawnItem[] => {
    const replies = ids.flatMap((id) => byId.get(id) ?? [])
    const heir = replies.find((item) => firstOf(item)?.id === heirs.get(parentId))
    // at another time the heir may be missing: then the first that was written goes on
    const last = heir ?? replies[0]
    return last ? [...replies.filter((item) => item !== last), last] : []
  }
  const lineFrom = (first: DrawnItem, from: ItemId | null): OutlineLine => {
    const line: OutlineLine = { from, items: [], sides: new Map() }
    for (let item: DrawnItem | undefined = first; item; ) {
      const { id, childIds }: DrawnItem = item
      places.set(id, { line, at: line.items.length })
      line.items.push(item)
      const replies = repliesOf(lastOf(item), childIds)
      item = replies.pop()
      if (replies.length > 0)
        line.sides.set(
          id,
          replies.map((side) => lineFrom(side, id)),
        )
    }
    return line
  }
  return {
    roots: repliesOf(null, rootIds).map((root) => lineFrom(root, null)),
    placeOf: (id) => places.get(id),
  }
}

/** The last message of an item: replies hang from it. */
const lastOf = (item: DrawnItem): MessageId | null =>
  item.kind === 'message' ? item.id : (item.nodes.at(-1)?.id ?? null)
