import type { MessageId } from '@/lib/events'
import type { GraphLane, GraphNode } from '@/lib/protocol'

/** A stretch of one lane that a chain runs through: everything from the lane's base down to `top`. */
export interface Stretch {
  lane: number
  top: number
}

/**
 * A read-only map: a large base and a small layer on top. Adding copies the layer only, so an index grows by a message
 * without copying ten thousand, and the index it grew from stays as it was.
 */
class LayeredMap<K, V> {
  constructor(
    private readonly base: ReadonlyMap<K, V> = new Map(),
    private readonly layer: ReadonlyMap<K, V> = new Map(),
  ) {}

  /** How many entries sit on top of the base. */
  get layered(): number {
    return this.layer.size
  }

  get(key: K): V | undefined {
    return this.layer.get(key) ?? this.base.get(key)
  }

  with<Item>(items: Iterable<Item>, keyOf: (item: Item) => K, toValue: (item: Item) => V): LayeredMap<K, V> {
    const isFirst = this.base.size === 0
    const layer = new Map(this.layer)
    for (const item of items) layer.set(keyOf(item), toValue(item))
    return isFirst ? new LayeredMap(layer) : new LayeredMap(this.base, layer)
  }
}

/** What an index looks things up in. Never changed once made. */
export interface GraphTables {
  byId: LayeredMap<MessageId, GraphNode>
  byPlace: LayeredMap<number, GraphNode>
  lanes: LayeredMap<number, GraphLane>
  /** children of a message, oldest first */
  children: LayeredMap<MessageId, readonly GraphNode[]>
  /** messages without a (known) parent, oldest first */
  roots: readonly GraphNode[]
  highestLane: number
}

export const noNodes: readonly GraphNode[] = []

/** Lane and depth in one number: both stay far below 2^26. */
export const place = (lane: number, depth: number): number => lane * 2 ** 26 + depth

const placeOf = ({ lane, depth }: GraphNode): number => place(lane, depth)
const same = <T>(item: T): T => item

const byAge = (a: GraphNode, b: GraphNode): number => a.createdAt - b.createdAt || a.lane - b.lane

/** The place above a lane's first message, null for a root's lane. */
export function aboveLane(lane: GraphLane | undefined): Stretch | null {
  if (!lane || lane.parentLane === null) return null
  return { lane: lane.parentLane, top: lane.baseDepth - 1 }
}

/** The place of a message's parent, null for a root. */
export function aboveNode(
  lanes: { get(lane: number): GraphLane | undefined },
  node: GraphNode,
): Stretch | null {
  const lane = lanes.get(node.lane)
  if (lane && node.depth > lane.baseDepth) return { lane: node.lane, top: node.depth - 1 }
  return aboveLane(lane)
}

/**
 * The deepest place two chains share, by arithmetic on lanes: a lane hangs below a lane with a smaller number, so the
 * chain in the higher lane goes up until both are in the same lane. Costs the forks between the two, not their depth.
 *
 * @param above the place a lane hangs from; null for a root's lane
 * @returns null when the chains have different roots
 */
export function commonPlace(
  left: Stretch,
  right: Stretch,
  above: (lane: number) => Stretch | null,
): Stretch | null {
  let one: Stretch | null = left
  let other: Stretch | null = right
  while (one && other && one.lane !== other.lane) {
    if (one.lane > other.lane) one = above(one.lane)
    else other = above(other.lane)
  }
  return one && other ? { lane: one.lane, top: Math.min(one.top, other.top) } : null
}

/** The tables of no messages. */
export const emptyTables: GraphTables = {
  byId: new LayeredMap(),
  byPlace: new LayeredMap(),
  lanes: new LayeredMap(),
  children: new LayeredMap(),
  roots: [],
  highestLane: -1,
}

/** The tables with some messages and lanes more. Costs what is added, and the roots. */
export function growTables(
  tables: GraphTables,
  nodes: readonly GraphNode[],
  lanes: readonly GraphLane[],
): GraphTables {
  const byId = tables.byId.with(nodes, ({ id }) => id, same)
  const byPlace = tables.byPlace.with(nodes, placeOf, same)
  const allLanes = tables.lanes.with(lanes, ({ lane }) => lane, same)
  const changed = new Map<MessageId, GraphNode[]>()
  const roots = [...tables.roots]
  for (const node of nodes) {
    const above = aboveNode(allLanes, node)
    const parent = above && byPlace.get(place(above.lane, above.top))
    const siblings = parent
      ? (changed.get(parent.id) ?? [...(tables.children.get(parent.id) ?? noNodes)])
      : roots
    siblings.push(node)
    if (parent) changed.set(parent.id, siblings)
  }
  for (const siblings of changed.values()) if (siblings.length > 1) siblings.sort(byAge)
  const highestLane = lanes.reduce((highest, lane) => Math.max(highest, lane.lane), tables.highestLane)
  const children = tables.children.with(
    changed,
    ([id]) => id,
    ([, siblings]) => siblings,
  )
  return { byId, byPlace, lanes: allLanes, children, roots: roots.sort(byAge), highestLane }
}
