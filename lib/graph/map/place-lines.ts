import type { DrawnGraph, DrawnItem, ItemId } from '../drawn-graph'
import type { Lookup } from '../visible-graph'

/** A place on the map: columns count messages to the right, rows count lines down. */
export interface Place {
  column: number
  row: number
}

/** A line of the map: messages that follow each other, on a row of its own. */
export interface MapLine {
  row: number
  /** the columns where its first item begins and its last one ends */
  from: number
  to: number
  /** from left to right */
  items: readonly DrawnItem[]
  /** the message it forks from */
  stem: Place | null
}

/** Every item of a graph as a river: time runs right, each line has a row, and forks lead down. */
export interface MapPlaces {
  /** also places of items that another time draws */
  places: Pick<Lookup<ItemId, Place>, 'get'>
  /** by their rows, counted over all lines that ever were: a row may have none */
  lines: readonly MapLine[]
  columns: number
  rows: number
}

/** A longer fold is shortened: it grows with its messages, but more slowly. */
const wholeFold = 12
const shrinks = 0.7

export const columnsOf = (item: DrawnItem): number => {
  if (item.kind === 'message') return 1
  const count = item.nodes.length
  return count <= wholeFold ? count : wholeFold * (count / wholeFold) ** shrinks
}

/**
 * Places items on lines: the first reply goes on in the line of its parent, every other one begins a line below it.
 * When several lines fork from one, later forks come first, so no line crosses another. A message that is added at an
 * end moves nothing; a line that is added moves only the rows below it. Linear, apart from sorting the forks of a
 * line.
 */
export function placeLines(drawn: Pick<DrawnGraph, 'items' | 'byId'>): MapPlaces {
  const map = maps.get(drawn.items) ?? mapOf(drawn)
  maps.set(drawn.items, map)
  return map
}

const maps = new WeakMap<DrawnGraph['items'], MapPlaces>()

function mapOf(drawn: Pick<DrawnGraph, 'items' | 'byId'>): MapPlaces {
  const lines = linesOf(drawn, heirsOf(drawn))
  const rowOf = rowsOf(lines)
  const places = new Map<ItemId, Place>()
  const placed: MapLine[] = []
  let columns = 0
  let rows = 0
  // depth first: a line comes after the one it forks from
  for (const { items, stemId } of lines) {
    const [first] = items
    const row = first ? rowOf(first) : undefined
    if (!first || row === undefined) continue
    const above = stemId === null ? null : (drawn.byId.get(stemId) ?? null)
    const stem = above ? (places.get(above.id) ?? null) : null
    const from = above && stem ? stem.column + columnsOf(above) : 0
    let column = from
    let to = from
    for (const item of items) {
      places.set(item.id, { column, row })
      to = column + columnsOf(item) - 1
      column = to + 1
    }
    placed.push({ row, from, to, items, stem })
    columns = Math.max(columns, to + 1)
    rows = Math.max(rows, row + 1)
  }
  return { places, lines: placed.sort((a, b) => a.row - b.row), columns, rows }
}

interface Line {
  items: DrawnItem[]
  /** the item it forks from */
  stemId: ItemId | null
}

/**
 * The lines of a graph, each after the one it forks from.
 *
 * @param heirs the items that go on in the line of the one before them
 */
function linesOf({ items, byId }: Pick<DrawnGraph, 'items' | 'byId'>, heirs: ReadonlySet<ItemId>): Line[] {
  const lines: Line[] = []
  const lineOf = new Map<ItemId, Line>()
  for (const item of items) {
    const above = item.parentId === null ? undefined : byId.get(item.parentId)
    const before = above && lineOf.get(above.id)
    const isSame = before && heirs.has(item.id)
    const line = isSame ? before : { items: [], stemId: before ? item.parentId : null }
    if (!isSame) lines.push(line)
    line.items.push(item)
    lineOf.set(item.id, line)
  }
  return lines
}

/** The replies that go on in their parent's line: among a message's replies in sight, the one in the lowest lane. */
function heirsOf({ items, byId }: Pick<DrawnGraph, 'items' | 'byId'>): Set<ItemId> {
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

/** Gives each line a row: below it first the lines that fork last, each with its own below it. */
function rowsOf(lines: readonly Line[]): (first: DrawnItem) => number | undefined {
  const forks = new Map<ItemId, Line[]>()
  for (const line of lines) {
    if (line.stemId === null) continue
    const here = forks.get(line.stemId)
    if (here) here.push(line)
    else forks.set(line.stemId, [line])
  }
  const rows = new Map<DrawnItem, number>()
  const waiting = lines.filter(({ stemId }) => stemId === null).reverse()
  for (let line = waiting.pop(); line; line = waiting.pop()) {
    const [first] = line.items
    if (first) rows.set(first, rows.size)
    // the last one pushed is the next row: of those at one message the oldest
    for (const { id } of line.items) waiting.push(...(forks.get(id)?.toReversed() ?? []))
  }
  return (first) => rows.get(first)
}
