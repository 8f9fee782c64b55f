import type { Viewport } from '@xyflow/react'
import type { Cell, DrawnGraph, DrawnItem, ItemId, PlacedEdge, Placement } from '@/lib/graph'
import type { Metrics, Size } from './geometry'

/** A rectangle of cells, bounds included. */
export interface CellRange {
  left: number
  right: number
  top: number
  bottom: number
}

export const nothing: CellRange = { left: 0, right: -1, top: 0, bottom: -1 }
const last = Number.MAX_SAFE_INTEGER
export const everything: CellRange = { left: 0, right: last, top: 0, bottom: last - 1 }

/**
 * The cells that a viewport shows.
 *
 * @param more widens it on each side, as a share of its size
 */
export function cellsInView(
  { x, y, zoom }: Viewport,
  { width, height }: Size,
  metrics: Metrics,
  more = 0,
): CellRange {
  const column = (at: number) => Math.floor((at - x) / zoom / metrics.columnStep)
  const row = (at: number) => Math.floor((at - y) / zoom / metrics.rowStep)
  return {
    left: column(-width * more),
    right: column(width * (1 + more)),
    top: row(-height * more),
    bottom: row(height * (1 + more)),
  }
}

const area = ({ left, right, top, bottom }: CellRange): number => (right - left + 1) * (bottom - top + 1)

/** Whether the range that is drawn covers the view, and is not far larger than the range wanted now. */
export function serves(drawn: CellRange, view: CellRange, wanted: CellRange): boolean {
  const holds =
    drawn.left <= view.left &&
    drawn.right >= view.right &&
    drawn.top <= view.top &&
    drawn.bottom >= view.bottom
  return holds && area(drawn) <= 2 * area(wanted)
}

export const isInRange = ({ column, row }: Cell, range: CellRange): boolean =>
  column >= range.left && column <= range.right && row >= range.top && row <= range.bottom

interface PlacedItem {
  item: DrawnItem
  column: number
  /** its number in the tree, depth first */
  order: number
}

/** A line with the cells it joins. */
export interface PlacedLine extends PlacedEdge {
  start: Cell
  end: Cell
}

/** Finds items and lines by where they are drawn. Built once per placement, in linear time. */
export class Cells {
  readonly #rows: PlacedItem[][] = []
  readonly #byId = new Map<ItemId, PlacedItem>()
  /** by the row they lead to */
  readonly #lines: PlacedLine[][] = []

  constructor({ items }: Pick<DrawnGraph, 'items'>, { cells, edges }: Placement) {
    for (const [order, item] of items.entries()) {
      const cell = cells.get(item.id)
      if (!cell) continue
      const placed = { item, column: cell.column, order }
      rowOf(this.#rows, cell.row).push(placed)
      this.#byId.set(item.id, placed)
    }
    for (const edge of edges) {
      const start = cells.get(edge.from)
      const end = cells.get(edge.to)
      if (start && end) rowOf(this.#lines, end.row).push({ ...edge, start, end })
    }
  }

  /** The items in a range, and the wanted ones outside it, in the order of the tree. */
  inRange(range: CellRange, wanted: ReadonlySet<ItemId> = new Set()): DrawnItem[] {
    const found: PlacedItem[] = []
    for (const placed of within(this.#rows, range.top, range.bottom)) {
      const isIn = placed.column >= range.left && placed.column <= range.right
      if (isIn && !wanted.has(placed.item.id)) found.push(placed)
    }
    for (const id of wanted) {
      const placed = this.#byId.get(id)
      if (placed) found.push(placed)
    }
    return found.sort((a, b) => a.order - b.order).map(({ item }) => item)
  }

  /** The lines that cross a range. */
  linesInRange({ left, right, top, bottom }: CellRange): PlacedLine[] {
    const found: PlacedLine[] = []
    for (const line of within(this.#lines, top, bottom + 1)) {
      const from = Math.min(line.start.column, line.end.column)
      const to = Math.max(line.start.column, line.end.column)
      if (from <= right && to >= left) found.push(line)
    }
    return found
  }

  /** The item in a cell, or in a neighbouring one: a dot is smaller than a finger. */
  near(cell: Cell): DrawnItem | undefined {
    let nearest: { item: DrawnItem; away: number } | undefined
    for (let row = cell.row - 1; row <= cell.row + 1; row++) {
      for (const { item, column } of this.#rows[row] ?? []) {
        const away = Math.abs(column - cell.column) * 4 + Math.abs(row - cell.row)
        if (away <= 1 && (!nearest || away < nearest.away)) nearest = { item, away }
      }
    }
    return nearest?.item
  }
}

function rowOf<T>(rows: T[][], row: number): T[] {
  const known = rows[row] ?? []
  rows[row] = known
  return known
}

function* within<T>(rows: readonly T[][], top: number, bottom: number): Generator<T> {
  for (let row = Math.max(0, top); row <= Math.min(bottom, rows.length - 1); row++) {
    yield* rows[row] ?? []
  }
}
