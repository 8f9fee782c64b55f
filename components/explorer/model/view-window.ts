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

/** A line with the cells it joins. */
export interface PlacedLine extends PlacedEdge {
  start: Cell
  end: Cell
}

/**
 * Finds items and lines by where they are drawn. Built once per placement, in linear time and without an object for each:
 * with the time slider there is a placement to every frame.
 */
export class Cells {
  readonly #items: readonly DrawnItem[]
  readonly #columns: Int32Array
  readonly #rows: Rows
  readonly #edges: readonly PlacedEdge[]
  readonly #cells: Placement['cells']
  /** by the row they lead to */
  readonly #lines: Rows

  constructor({ items }: Pick<DrawnGraph, 'items'>, { cells, edges }: Placement) {
    this.#items = items
    this.#edges = edges
    this.#cells = cells
    this.#columns = new Int32Array(items.length)
    this.#rows = new Rows(items.length, (order) => {
      const cell = cells.get(items[order]?.id ?? '')
      this.#columns[order] = cell?.column ?? 0
      return cell?.row ?? -1
    })
    this.#lines = new Rows(edges.length, (at) => cells.get(edges[at]?.to ?? '')?.row ?? -1)
  }

  /** The items in a range, and the wanted ones outside it, in the order of the tree. */
  inRange(range: CellRange, wanted: ReadonlySet<ItemId> = new Set()): DrawnItem[] {
    const found: number[] = []
    for (const order of this.#rows.within(range.top, range.bottom)) {
      const column = this.#columns[order] ?? 0
      if (column >= range.left && column <= range.right && !wanted.has(this.#items[order]?.id ?? ''))
        found.push(order)
    }
    for (const id of wanted) {
      const row = this.#cells.get(id)?.row
      if (row === undefined) continue
      for (const order of this.#rows.within(row, row)) if (this.#items[order]?.id === id) found.push(order)
    }
    return found.sort((a, b) => a - b).flatMap((order) => this.#items[order] ?? [])
  }

  /** The lines that cross a range. */
  linesInRange({ left, right, top, bottom }: CellRange): PlacedLine[] {
    const found: PlacedLine[] = []
    for (const at of this.#lines.within(top, bottom + 1)) {
      const edge = this.#edges[at]
      const start = edge && this.#cells.get(edge.from)
      const end = edge && this.#cells.get(edge.to)
      if (!edge || !start || !end) continue
      const from = Math.min(start.column, end.column)
      const to = Math.max(start.column, end.column)
      if (from <= right && to >= left) found.push({ ...edge, start, end })
    }
    return found
  }

  /** The item in a cell, or in a neighbouring one: a dot is smaller than a finger. */
  near(cell: Cell): DrawnItem | undefined {
    let nearest: { item: DrawnItem | undefined; away: number } | undefined
    for (let row = cell.row - 1; row <= cell.row + 1; row++) {
      for (const order of this.#rows.within(row, row)) {
        const away = Math.abs((this.#columns[order] ?? 0) - cell.column) * 4 + Math.abs(row - cell.row)
        if (away <= 1 && (!nearest || away < nearest.away)) nearest = { item: this.#items[order], away }
      }
    }
    return nearest?.item
  }
}

/** Numbers from 0 sorted into rows, in two arrays: those of a row stand together, in their order. */
class Rows {
  /** where each row begins among the sorted; one more than there are rows */
  readonly #begins: Int32Array
  readonly #sorted: Int32Array

  /** @param rowOf the row of a number; below 0 for one that is nowhere */
  constructor(count: number, rowOf: (at: number) => number) {
    const rowsOf = new Int32Array(count)
    let rows = 0
    for (let at = 0; at < count; at++) {
      const row = rowOf(at)
      rowsOf[at] = row
      rows = Math.max(rows, row + 1)
    }
    const begins = new Int32Array(rows + 1)
    for (const row of rowsOf) if (row >= 0) begins[row + 1] = (begins[row + 1] ?? 0) + 1
    for (let row = 0; row < rows; row++) begins[row + 1] = (begins[row + 1] ?? 0) + (begins[row] ?? 0)
    const next = begins.slice()
    this.#begins = begins
    this.#sorted = new Int32Array(begins[rows] ?? 0)
    for (const [at, row] of rowsOf.entries()) {
      if (row < 0) continue
      const to = next[row] ?? 0
      this.#sorted[to] = at
      next[row] = to + 1
    }
  }

  /** The numbers in some rows, both ends included. */
  within(top: number, bottom: number): Int32Array {
    const rows = this.#begins.length - 1
    const from = this.#begins[Math.min(Math.max(0, top), rows)] ?? 0
    const to = this.#begins[Math.min(Math.max(0, bottom + 1), rows)] ?? 0
    return this.#sorted.subarray(from, Math.max(from, to))
  }
}
