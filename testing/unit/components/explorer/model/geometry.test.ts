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

/** All of it is in the window, with what stands out of it on its sides. */
function expectWithin(seen: Box, size: { width: number; height: number }, over = none) {
  expect(seen.x - over.left).toBeGreaterThanOrEqual(0)
  expect(seen.y - over.top).toBeGreaterThanOrEqual(0)
  expect(seen.x + seen.width + over.right).toBeLessThanOrEqual(size.width)
  expect(seen.y + seen.height + over.bottom).toBeLessThanOrEqual(size.height)
}
const none = { left: 0, top: 0, right: 0, bottom: 0 }

describe('the view a graph opens with', () => {
  test('shows all of a small one, no larger than life, with the room that labels take outside of it', () => {
    const drawing = drawingOf(2, 8)
    const view = openingView(drawing, box(0, 7), wide)
    expect(view.zoom).toBe(1)
    expectWithin(onScreen(drawing, view), wide)
    const over = { left: 90, top: 26, right: 140, bottom: 22 }
    expectWithin(onScreen(drawing, openingView(drawing, box(0, 7), wide, over)), wide, over)
  })

  test.each([wide, phone])('shows the head of a large one, readable, wherever it is', (size) => {
    for (const head of [box(0, 0), box(0, 400), box(12, 200)]) {
      const view = openingView(drawingOf(13, 401), head, size)
      expect(view.zoom).toBeGreaterThanOrEqual(openingBounds.readableZoom)
      expectWithin(onScreen(head, view), size)
    }
  })

  test('shows a long line from its left side, with the room that its text takes', () => {
    const pane = { width: 480, height: 760 }
    const seen = onScreen(box(0, 39), openingView(drawingOf(1, 40), box(0, 39), pane))
    expect(seen.x).toBe(openingBounds.pad)
  })
})

test('revealing moves no farther than needed, and not at all what is in sight', () => {
  const view = { x: 0, y: 0, zoom: 1 }
  const aside = { ...view, x: 20 }
  expect(reveal(box(0, 3), aside, wide)).toEqual(aside)
  const below = box(0, 20)
  const moved = reveal(below, aside, wide)
  expect(moved.x).toBe(20)
  expect([view, moved].map((each) => isInView(below, each, wide))).toEqual([false, true])
  expect(reveal(below, moved, wide)).toEqual(moved)
})

test('fitting shows all of it', () => {
  const drawing = drawingOf(30, 150)
  expectWithin(onScreen(drawing, fitBox(drawing, wide)), wide)
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
