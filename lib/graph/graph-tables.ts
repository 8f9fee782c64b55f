import type { MessageId } from '@/lib/events'
import type { GraphLane, GraphNode } from '@/lib/protocol'

/** A stretch of one lane that a chain runs through: everything from the lane's base down to `top`. */
export interface Stretch {
  lane: number
  top: number
}

/**
 * A map that grows in copies: a large base, which the copies share, and a small layer on top. A copy costs the layer
 * only, so an index grows by a message without copying ten thousand, and the index it grew from stays as it was.
 */
class LayeredMap<K, V> {
  constructor(
    private readonly base: ReadonlyMap<K, V> = new Map(),
    private readonly layer = new Map<K, V>(),
  ) {}

  /** Number of entries on top of the base; the entries that were set first become the base. */
  get layered(): number {
    return this.base.size === 0 ? 0 : this.layer.size
  }

  get(key: K): V | undefined {
    return this.layer.get(key) ?? this.base.get(key)
  }

  /** Only for a copy that nothing reads yet. */
  set(key: K, value: V): void {
    this.layer.set(key, value)
  }

  copy(): LayeredMap<K, V> {
    return this.base.size === 0 ? new LayeredMap(this.layer) : new LayeredMap(this.base, new Map(this.layer))
  }
}

/** Lookup tables of an index. Never changed once made. */
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

/** The tables with some messages and lanes more. Costs the added ones, and the roots. */
export function growTables(
  tables: GraphTables,
  nodes: readonly GraphNode[],
  newLanes: readonly GraphLane[],
): GraphTables {
  const byId = tables.byId.copy()
  const byPlace = tables.byPlace.copy()
  const lanes = tables.lanes.copy()
  const children = tables.children.copy()
  const roots = [...tables.roots]
  let { highestLane } = tables
  for (const lane of newLanes) {
    lanes.set(lane.lane, lane)
    highestLane = Math.max(highestLane, lane.lane)
  }
  for (const node of nodes) {
    byId.set(node.id, node)
    byPlace.set(place(node.lane, node.depth), node)
  }
  const forks = new Map<MessageId, GraphNode[]>()
  for (const node of nodes) {
    const above = aboveNode(lanes, node)
    const parent = above && byPlace.get(place(above.lane, above.top))
    const replies = parent && children.get(parent.id)
    if (!parent) roots.push(node)
    else if (!replies) children.set(parent.id, [node])
    else {
      const versions = forks.get(parent.id) ?? [...replies]
      versions.push(node)
      forks.set(parent.id, versions)
    }
  }
  for (const [id, versions] of forks) children.set(id, versions.sort(byAge))
  return { byId, byPlace, lanes, children, roots: roots.sort(byAge), highestLane }
}
