import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Box,
  cellBox,
  coarsePointer,
  drawingBox,
  finePointer,
  fitBox,
  isInView,
  linePath,
  onScreen,
  openingBounds,
  openingView,
  overlap,
  reveal,
} from '@/components/explorer/model/geometry'
import { drawnGraph, indexGraph, placeNodes, visibleGraph } from '@/lib/graph'
import { messagesFrom, sketchGraph } from '@/testing/worlds/sketch-graph'

const wide = { width: 720, height: 900 }
const phone = { width: 390, height: 760 }
const box = (column: number, row: number) => cellBox({ column, row }, finePointer)
const drawingOf = (columns: number, rows: number) => drawingBox(columns, rows, finePointer)

describe('the view a graph opens with', () => {
  test('shows all of a small one, no larger than life', () => {
    const drawing = drawingOf(2, 8)
    const view = openingView(drawing, box(0, 7), wide)
    const seen = onScreen(drawing, view)
    expect(view.zoom).toBe(1)
    expect(seen.x).toBeGreaterThanOrEqual(0)
    expect(seen.y + seen.height).toBeLessThanOrEqual(wide.height)
  })

  test.each([wide, phone])('shows the head of a large one, readable, wherever it is', (size) => {
    for (const [column, row] of [
      [0, 0],
      [0, 400],
      [12, 200],
    ] as const) {
      const head = box(column, row)
      const view = openingView(drawingOf(13, 401), head, size)
      const seen = onScreen(head, view)
      expect(view.zoom).toBeGreaterThanOrEqual(openingBounds.readableZoom)
      expect(seen.x).toBeGreaterThanOrEqual(0)
      expect(seen.x + seen.width).toBeLessThanOrEqual(size.width)
      expect(seen.y).toBeGreaterThanOrEqual(0)
      expect(seen.y + seen.height).toBeLessThanOrEqual(size.height)
    }
  })

  test('leaves the room that labels take outside of the drawing', () => {
    const drawing = drawingOf(2, 8)
    const over = { left: 90, top: 26, right: 140, bottom: 22 }
    const seen = onScreen(drawing, openingView(drawing, box(0, 7), wide, over))
    expect(seen.x - over.left).toBeGreaterThanOrEqual(0)
    expect(seen.y - over.top).toBeGreaterThanOrEqual(0)
    expect(seen.x + seen.width + over.right).toBeLessThanOrEqual(wide.width)
    expect(seen.y + seen.height + over.bottom).toBeLessThanOrEqual(wide.height)
  })

  test('shows a long line from its left side, with the room that its text takes', () => {
    const pane = { width: 480, height: 760 }
    const seen = onScreen(box(0, 39), openingView(drawingOf(1, 40), box(0, 39), pane))
    expect(seen.x).toBe(openingBounds.pad)
  })
})

test('revealing moves no farther than needed, and not at all what is in sight', () => {
  const view = { x: 0, y: 0, zoom: 1 }
  expect(reveal(box(0, 3), { ...view, x: 20 }, wide)).toEqual({ ...view, x: 20 })
  const below = box(0, 20)
  const moved = reveal(below, { ...view, x: 20 }, wide)
  expect(moved.x).toBe(20)
  expect(isInView(below, view, wide)).toBe(false)
  expect(isInView(below, moved, wide)).toBe(true)
  expect(reveal(below, moved, wide)).toEqual(moved)
})

test('fitting shows all of it', () => {
  const drawing = drawingOf(30, 150)
  const seen = onScreen(drawing, fitBox(drawing, wide))
  expect(seen.x).toBeGreaterThanOrEqual(0)
  expect(seen.x + seen.width).toBeLessThanOrEqual(wide.width)
  expect(seen.y + seen.height).toBeLessThanOrEqual(wide.height)
})

describe('a line', () => {
  // ●──card──     ●──card──
  // ╰─────────────╮
  // ●──card──     ●──card──
  test('leaves below the card, crosses between the rows, and arrives from above', () => {
    const path = linePath({ track: 0 }, { column: 0, row: 0 }, { column: 1, row: 1 }, finePointer)
    expect(path).toBe('M12 20V37Q12 45 20 45H212Q220 45 220 53V84')
  })

  test.each([finePointer, coarsePointer])('never crosses a card', (metrics) => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 60 }), (picks) => {
        const visible = visibleGraph(indexGraph(sketchGraph(...messagesFrom(picks))), { branchId: 'main' })
        const { cells, edges } = placeNodes(drawnGraph(visible))
        const cards = [...cells.values()].map((cell): Box => {
          const all = cellBox(cell, metrics)
          return { ...all, x: all.x + metrics.gutter, width: all.width - metrics.gutter }
        })
        for (const edge of edges) {
          const [from, to] = [cells.get(edge.from), cells.get(edge.to)]
          if (!from || !to) throw new Error('A line without an end')
          for (const stretch of stretches(linePath(edge, from, to, metrics))) {
            for (const card of cards) expect(overlap(stretch, card)).toBe(false)
          }
        }
      }),
    )
  })
})

/** A path's stretches as boxes; a bend lies within the box of its ends. */
function stretches(path: string): Box[] {
  let x = 0
  let y = 0
  return [...path.matchAll(/([MVHQ])([-\d. ]+)/g)].map(([, command, numbers = '']) => {
    const ends = numbers.split(' ').map(Number)
    const [x0, y0] = [x, y]
    if (command === 'V') y = ends[0] ?? 0
    else if (command === 'H') x = ends[0] ?? 0
    else [x, y] = [ends.at(-2) ?? 0, ends.at(-1) ?? 0]
    if (command === 'M') return { x, y, width: 0, height: 0 }
    return { x: Math.min(x0, x), y: Math.min(y0, y), width: Math.abs(x - x0), height: Math.abs(y - y0) }
  })
}
