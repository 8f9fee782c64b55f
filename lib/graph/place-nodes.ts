import { type DrawnGraph, type DrawnItem, firstOf, type ItemId } from './drawn-graph'

/** A cell of the drawing: rows count down from the first message, columns from the left. */
export interface Cell {
  column: number
  row: number
}

/** A line from an item's cell to that of a reply, always one row down. */
export interface PlacedEdge {
  from: ItemId
  to: ItemId
  /** the reply's lane, whose colour the line takes */
  lane: number
  /** lines that cross between the same two rows take different tracks, from 0, as long as there are some */
  track: number
}

export interface Placement {
  cells: ReadonlyMap<ItemId, Cell>
  edges: readonly PlacedEdge[]
  columns: number
  rows: number
}

/** How many lines fit side by side between two rows. */
const tracks = 4

/** A line enters a column only where this many rows are free: below for itself, above for the line that ended there. */
const room = { above: 4, below: 7 }

/**
 * Places items in cells, never two in one: the first reply goes on in its parent's column, every other one in the
 * leftmost column with room. A column is used again well below the end of a line.
 *
 * Items are placed in the order they were written, each given what stands already, so a message added later moves
 * nothing; a line that has run into another goes on in a column of its own. Linear, apart from sorting by time.
 */
export function placeNodes({ items, byId }: Pick<DrawnGraph, 'items' | 'byId'>): Placement {
  const grid = new Grid()
  const crossings = new Crossings()
  const cells = new Map<ItemId, Cell>()
  const edges: PlacedEdge[] = []
  const heirs = heirsOf(items, byId)
  let columns = 0
  let rows = 0
  for (const { id, parentId, row, lane } of inWritingOrder(items)) {
    const above = parentId === null ? undefined : cells.get(parentId)
    const goesOn = above && heirs.has(id) && grid.isFree(above.column, row, row + 1)
    const column = goesOn ? above.column : grid.leftmostWithRoom(row)
    grid.take(column, row)
    cells.set(id, { column, row })
    columns = Math.max(columns, column + 1)
    rows = Math.max(rows, row + 1)
    if (parentId !== null && above) {
      const track = crossings.trackFor(row, above.column, column)
      edges.push({ from: parentId, to: id, lane, track })
    }
  }
  return { cells, edges, columns, rows }
}

/** A drawing of every message, and its placement. */
export interface WholeDrawing {
  drawn: DrawnGraph
  placement: Placement
  /** the lines by the items they lead to */
  lines: ReadonlyMap<ItemId, PlacedEdge>
}

/** Places a drawing of which parts will be shown. */
export function placeWhole(drawn: DrawnGraph): WholeDrawing {
  const placement = placeNodes(drawn)
  return { drawn, placement, lines: new Map(placement.edges.map((edge) => [edge.to, edge])) }
}

/**
 * Places part of a drawing in its columns of the whole: nothing moves while parts come and go. The
 * columns and rows are those of the whole, and one more row where a message stands below the fold it will be part of.
 * Linear in what is placed; cells and lines that are those of the whole are shared with it, since this runs with every step
 * in time.
 */
export function placeWithin({ items }: Pick<DrawnGraph, 'items'>, whole: WholeDrawing): Placement {
  const cells = new Map<string, Cell>()
  const edges: PlacedEdge[] = []
  let { columns, rows } = whole.placement
  for (const item of items) {
    const { id, parentId, row, lane } = item
    const first = firstOf(item)
    const drawnIn = first && whole.drawn.itemOf(first.id)
    const known = drawnIn && whole.placement.cells.get(drawnIn.id)
    const column = known?.column ?? 0
    cells.set(id, known?.row === row ? known : { column, row })
    columns = Math.max(columns, column + 1)
    rows = Math.max(rows, row + 1)
    if (parentId === null) continue
    const line = whole.lines.get(id)
    const isSame = line?.from === parentId && line.lane === lane
    edges.push(isSame ? line : { from: parentId, to: id, lane, track: line?.track ?? 0 })
  }
  return { cells, edges, columns, rows }
}

/** The replies that go on in their parent's column: of its replies in sight the one in the lowest lane. */
function heirsOf(items: readonly DrawnItem[], byId: ReadonlyMap<ItemId, DrawnItem>): Set<ItemId> {
  const heirs = new Set<ItemId>()
  for (const { childIds } of items) {
    let heir: DrawnItem | undefined
    for (const id of childIds) {
      const child = byId.get(id)
      if (child && (!heir || child.lane < heir.lane)) heir = child
    }
    if (heir) heirs.add(heir.id)
  }
  return heirs
}

/** Oldest first, but never a reply before its parent, whatever the clocks said. */
function inWritingOrder(items: readonly DrawnItem[]): DrawnItem[] {
  const written = new Map<ItemId, number>()
  for (const item of items) {
    const parentWritten = item.parentId === null ? undefined : written.get(item.parentId)
    const own = firstOf(item)?.createdAt ?? 0
    written.set(item.id, Math.max(own, parentWritten ?? own))
  }
  const at = (id: ItemId): number => written.get(id) ?? 0
  return [...items].sort((a, b) => at(a.id) - at(b.id) || a.row - b.row || a.lane - b.lane)
}

/** Which cells are taken. */
class Grid {
  readonly #taken: Set<number>[] = []
  /** for a row, the first column that may have room: the columns before it are full, and cells are never freed */
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

/** A line across, from a column to another. */
interface Crossing {
  from: number
  left: number
  right: number
}

/** Which tracks above a row are taken, and from where to where. */
class Crossings {
  readonly #taken = new Map<number, Crossing[][]>()

  /** Lines that leave the same message share its track; they fan out of it. */
  trackFor(row: number, from: number, to: number): number {
    if (from === to) return 0
    const left = Math.min(from, to)
    const right = Math.max(from, to)
    const taken = this.#taken.get(row) ?? Array.from({ length: tracks }, (): Crossing[] => [])
    this.#taken.set(row, taken)
    const isFree = (lines: Crossing[]): boolean =>
      !lines.some((line) => line.from !== from && line.left <= right && line.right >= left)
    const shared = taken.find((lines) => isFree(lines) && lines.some((line) => line.from === from))
    // where there are more lines than tracks, the last one takes the rest
    const lines = shared ?? taken.find(isFree) ?? taken.at(-1)
    lines?.push({ from, left, right })
    return lines ? taken.indexOf(lines) : 0
  }
}
