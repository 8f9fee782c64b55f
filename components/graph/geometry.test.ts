import { describe, expect, test } from 'vitest'
import { cellBox, drawingBox, fitBox, isInView, onScreen, openingView, reveal } from './geometry'

const wide = { width: 720, height: 900 }
const phone = { width: 390, height: 760 }

describe('the view a graph opens with', () => {
  test('shows all of a small one, no larger than life', () => {
    const drawing = drawingBox(2, 8)
    const view = openingView(drawing, cellBox({ column: 0, row: 7 }), wide)
    const seen = onScreen(drawing, view)
    expect(view.zoom).toBe(1)
    expect(seen.x).toBeGreaterThanOrEqual(0)
    expect(seen.y + seen.height).toBeLessThanOrEqual(wide.height)
  })

  test.each([wide, phone])('shows the head of a large one, readable, wherever it is', (size) => {
    for (const cell of [
      { column: 0, row: 0 },
      { column: 0, row: 400 },
      { column: 12, row: 200 },
    ]) {
      const head = cellBox(cell)
      const view = openingView(drawingBox(13, 401), head, size)
      const seen = onScreen(head, view)
      expect(view.zoom).toBeGreaterThanOrEqual(0.9)
      expect(seen.x).toBeGreaterThanOrEqual(0)
      expect(seen.x + seen.width).toBeLessThanOrEqual(size.width)
      expect(seen.y).toBeGreaterThanOrEqual(0)
      expect(seen.y + seen.height).toBeLessThanOrEqual(size.height)
    }
  })
})

test('revealing moves no farther than needed, and not at all what is in sight', () => {
  const view = { x: 0, y: 0, zoom: 1 }
  expect(reveal(cellBox({ column: 0, row: 3 }), { ...view, x: 20 }, wide)).toEqual({ ...view, x: 20 })
  const below = cellBox({ column: 0, row: 20 })
  const moved = reveal(below, { ...view, x: 20 }, wide)
  expect(moved.x).toBe(20)
  expect(isInView(below, view, wide)).toBe(false)
  expect(isInView(below, moved, wide)).toBe(true)
  expect(reveal(below, moved, wide)).toEqual(moved)
})

test('fitting shows all of it', () => {
  const drawing = drawingBox(30, 150)
  const seen = onScreen(drawing, fitBox(drawing, wide))
  expect(seen.x).toBeGreaterThanOrEqual(0)
  expect(seen.x + seen.width).toBeLessThanOrEqual(wide.width)
  expect(seen.y + seen.height).toBeLessThanOrEqual(wide.height)
})
