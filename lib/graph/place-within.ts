import { type DrawnGraph, firstOf } from './drawn-graph'
import type { Cell, PlacedEdge, Placement } from './place-nodes'

/** A drawing with everything in it, and where everything stands. */
export interface WholeDrawing {
  drawn: DrawnGraph
  placement: Placement
}

/**
 * Places part of a drawing in the columns the whole has for it, so that nothing moves while parts come and go. The
 * columns and rows are those of the whole, and one more row where a message stands below the fold it will be part of.
 * Linear in what is placed.
 */
export function placeWithin({ items }: Pick<DrawnGraph, 'items'>, whole: WholeDrawing): Placement {
  const tracks = new Map(whole.placement.edges.map(({ to, track }) => [to, track]))
  const cells = new Map<string, Cell>()
  const edges: PlacedEdge[] = []
  let { columns, rows } = whole.placement
  for (const item of items) {
    const { id, parentId, row, lane } = item
    const first = firstOf(item)
    const drawnIn = first && whole.drawn.itemOf(first.id)
    const column = (drawnIn && whole.placement.cells.get(drawnIn.id)?.column) ?? 0
    cells.set(id, { column, row })
    columns = Math.max(columns, column + 1)
    rows = Math.max(rows, row + 1)
    if (parentId !== null) edges.push({ from: parentId, to: id, lane, track: tracks.get(id) ?? 0 })
  }
  return { cells, edges, columns, rows }
}
