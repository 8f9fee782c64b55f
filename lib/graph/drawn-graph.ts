import type { MessageId } from '@/lib/events'
import type { GraphNode } from '@/lib/protocol'
import type { Lookup, VisibleGraph, VisibleNode } from './visible-graph'

/** The id of an item in a cell: a message's own, or that of a fold. */
export type ItemId = string

interface Item {
  id: ItemId
  parentId: ItemId | null
  /** ordered as versions are: oldest first */
  childIds: ItemId[]
  /** number of items above it; the message's depth where nothing above is folded */
  row: number
  lane: number
}

export interface DrawnMessage extends Item {
  kind: 'message'
  node: GraphNode
  /** its place among its versions, from 1, and how many there are */
  version: number
  versions: number
}

/** A stretch of messages drawn as one. */
export interface DrawnFold extends Item {
  kind: 'fold'
  /** top to bottom, two or more */
  nodes: GraphNode[]
}

export type DrawnItem = DrawnMessage | DrawnFold

/** The tree that is drawn: every visible message, and a folded stretch as one item. */
export interface DrawnGraph {
  /** depth first, each item before those below it */
  items: readonly DrawnItem[]
  byId: Lookup<ItemId, DrawnItem>
  rootIds: readonly ItemId[]
  /** the item a message is drawn in, itself or a fold */
  itemOf(id: MessageId): DrawnItem | undefined
}

/** The id of the fold that begins with a message. */
export const foldId = (first: MessageId): ItemId => `fold ${first}`

/** The first message of an item. */
export const firstOf = (item: DrawnItem): GraphNode | undefined =>
  item.kind === 'message' ? item.node : item.nodes[0]

/**
 * The tree to draw with the messages in `folded` folded: neighbours become one item, and a message
 * without a folded neighbour stays a message. A reply to a message inside a fold hangs from the fold: a
 * message added anywhere moves nothing. Linear.
 *
 * @param starts folded messages that begin a fold of their own
 */
export function drawnGraph(
  { nodes }: Pick<VisibleGraph, 'nodes'>,
  folded: ReadonlySet<MessageId> = none,
  starts: ReadonlySet<MessageId> = none,
): DrawnGraph {
  const byFolds = drawings.get(nodes) ?? new WeakMap()
  drawings.set(nodes, byFolds)
  const before = byFolds.get(folded)
  if (before?.starts === starts) return before.drawn
  const drawn = drawingOf(nodes, folded, starts)
  byFolds.set(folded, { starts, drawn })
  return drawn
}

const none: ReadonlySet<MessageId> = new Set()

type Folds = ReadonlySet<MessageId>

/** The last drawing of a tree with the same folds. */
const drawings = new WeakMap<VisibleGraph['nodes'], WeakMap<Folds, { starts: Folds; drawn: DrawnGraph }>>()

function drawingOf(nodes: VisibleGraph['nodes'], folded: Folds, starts: Folds): DrawnGraph {
  const items: DrawnItem[] = []
  const byId = new Map<ItemId, DrawnItem>()
  const rootIds: ItemId[] = []
  const folds = new Map<MessageId, DrawnFold>()
  const drawn = (id: MessageId | null): DrawnItem | undefined =>
    id === null ? undefined : (folds.get(id) ?? byId.get(id))

  const foldsInto = foldMates(nodes, folded, starts)
  for (const visible of nodes) {
    const { node, parentId } = visible
    const above = drawn(parentId)
    if (above?.kind === 'fold' && foldsInto.get(node.id) === parentId) {
      above.nodes.push(node)
      folds.set(node.id, above)
      continue
    }
    const item = newItem(visible, above, foldsInto.has(node.id))
    if (item.kind === 'fold') folds.set(node.id, item)
    items.push(item)
    byId.set(item.id, item)
    if (above) above.childIds.push(item.id)
    else rootIds.push(item.id)
  }
  return { items, byId, rootIds, itemOf: drawn }
}

function newItem(visible: VisibleNode, above: DrawnItem | undefined, isFold: boolean): DrawnItem {
  const { node, version, versions } = visible
  const place = {
    parentId: above?.id ?? null,
    childIds: [],
    row: above ? above.row + 1 : node.depth,
    lane: node.lane,
  }
  return isFold
    ? { kind: 'fold', id: foldId(node.id), nodes: [node], ...place }
    : { kind: 'message', id: node.id, node, version, versions, ...place }
}

/** Folded messages that have a folded neighbour; each with the message above that it joins, or null for the first. */
function foldMates(
  nodes: readonly VisibleNode[],
  folded: ReadonlySet<MessageId>,
  starts: ReadonlySet<MessageId>,
): Map<MessageId, MessageId | null> {
  const mates = new Map<MessageId, MessageId | null>()
  if (folded.size === 0) return mates
  const joined = new Set<MessageId>()
  for (const { node, parentId } of nodes) {
    if (parentId === null || !folded.has(node.id) || !folded.has(parentId)) continue
    if (starts.has(node.id) || joined.has(parentId)) continue
    joined.add(parentId)
    if (!mates.has(parentId)) mates.set(parentId, null)
    mates.set(node.id, parentId)
  }
  return mates
}
