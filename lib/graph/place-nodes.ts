import type { MessageId } from '@/lib/events'
import type { VisibleGraph, VisibleNode } from './visible-graph'

/** A cell of the drawing: `row` is the message's depth, `column` counts from the left. */
export interface Cell {
  column: number
  row: number
}

/** A line from a parent's cell to a reply's, always one row down. */
export interface PlacedEdge {
  from: MessageId
  to: MessageId
  /** the reply's lane, whose colour the line takes */
  lane: number
}

export interface Placement {
  cells: ReadonlyMap<MessageId, Cell>
  edges: readonly PlacedEdge[]
  columns: number
  rows: number
}

/** A line enters a column only where this many rows are free: below for itself, above for the line that ended there. */
const room = { above: 6, below: 8 }

/**
 * Places messages in cells, never two in one: the first reply goes on in its parent's column, every other one in the
 * leftmost column with room. A column is used again well below the end of a line.
 *
 * Messages are placed in the order they were written, each given what stands already, so a message added later moves
 * nothing; a line that has run into another goes on in a column of its own. Linear, apart from sorting by time.
 */
export function placeNodes({
  nodes,
  byId,
  rootIds,
}: Pick<VisibleGraph, 'nodes' | 'byId' | 'rootIds'>): Placement {
  const grid = new Grid()
  const cells = new Map<MessageId, Cell>()
  const edges: PlacedEdge[] = []
  const heirs = heirsOf({ nodes, byId, rootIds })
  let columns = 0
  let rows = 0
  for (const { node, parentId } of inWritingOrder(nodes)) {
    const row = node.depth
    const above = parentId === null ? undefined : cells.get(parentId)
    const goesOn = above && heirs.has(node.id) && grid.isFree(above.column, row, row + 1)
    const column = goesOn ? above.column : grid.leftmostWithRoom(row)
    grid.take(column, row)
    cells.set(node.id, { column, row })
    columns = Math.max(columns, column + 1)
    rows = Math.max(rows, row + 1)
    if (parentId !== null) edges.push({ from: parentId, to: node.id, lane: node.lane })
  }
  return { cells, edges, columns, rows }
}

/** The replies that go on in their parent's column: of its replies in sight the one in the lowest lane. */
function heirsOf({ nodes, byId }: Pick<VisibleGraph, 'nodes' | 'byId' | 'rootIds'>): Set<MessageId> {
  const heirs = new Set<MessageId>()
  for (const { childIds } of nodes) {
    let heir: VisibleNode | undefined
    for (const id of childIds) {
      const child = byId.get(id)
      if (child && (!heir || child.node.lane < heir.node.lane)) heir = child
    }
    if (heir) heirs.add(heir.node.id)
  }
  return heirs
}

/** Oldest first, but never a reply before its parent, whatever the clocks said. */
function inWritingOrder(nodes: readonly VisibleNode[]): VisibleNode[] {
  const written = new Map<MessageId, number>()
  for (const { node, parentId } of nodes) {
    const parentWritten = parentId === null ? undefined : written.get(parentId)
    written.set(node.id, Math.max(node.createdAt, parentWritten ?? node.createdAt))
  }
  const at = (id: MessageId): number => written.get(id) ?? 0
  return [...nodes].sort(
    (a, b) => at(a.node.id) - at(b.node.id) || a.node.depth - b.node.depth || a.node.lane - b.node.lane,
  )
}

/** Which cells are taken. */
class Grid {
  readonly #taken: Set<number>[] = []
  /** for a row, the columns before this one have no room there, and never will: cells are only ever taken */
  readonly #firstHope = new Map<number, number>()

  isFree(column: number, from: number, to: number): boolean {
    const taken = this.#taken[column]
    if (!taken) return true
    for (let row = from; row <= to; row++) if (taken.has(row)) return false
    return true
  }

  leftmostWithRoom(row: number): number {
    let column = this.#firstHope.get(row) ?? 0
    while (!this.isFree(column, row - room.above, row + room.below)) column++
    this.#firstHope.set(row, column)
    return column
  }

  take(column: number, row: number): void {
    const taken = this.#taken[column] ?? new Set()
    this.#taken[column] = taken
    taken.add(row)
  }
}
