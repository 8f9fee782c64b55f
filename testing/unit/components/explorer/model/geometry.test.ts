import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  hitBox,
  isInView,
  metricsFor,
  onScreen,
  reveal,
  zoomRangeOf,
} from '@/components/explorer/model/geometry'
import { itemNear, itemsIn, rangeInView, serves } from '@/components/explorer/model/view-window'
import { drawnGraph, indexGraph, nearFrom, placeLines, visibleGraph } from '@/lib/graph'
import { messagesFrom, sketchGraph } from '@/testing/worlds/sketch-graph'

const size = { width: 720, height: 900 }
const placed = (...messages: string[]) => {
  const drawn = drawnGraph(visibleGraph(indexGraph(sketchGraph(...messages)), { branchId: 'main' }))
  return { drawn, map: placeLines(drawn) }
}
const line = (length: number) => messagesFrom(Array.from({ length }, (_, at) => Math.max(0, at - 1)))

// a ─ b ─ d
// ╰── c ─ e
const forked = placed('a', 'a>b', 'a>c', 'b>d', 'c>e')

describe('the measures of a map', () => {
  test('fill the pane with its length and its height, each by itself', () => {
    const long = metricsFor(placed(...line(400)).map, size, false)
    const short = metricsFor(forked.map, size, false)
    expect(long.step * 399).toBeLessThan(size.width)
    expect(short.step).toBeGreaterThan(long.step * 20)
    expect(short.row).toBeGreaterThan(40)
  })

  test('let every message be read at the nearest', () => {
    for (const length of [1, 5, 60, 3000]) {
      const metrics = metricsFor(placed(...line(length)).map, size, false)
      expect(metrics.step * zoomRangeOf(metrics).max).toBeGreaterThan(nearFrom)
    }
  })
})

describe('what is in view', () => {
  const metrics = metricsFor(forked.map, size, false)
  const ids = (range: Parameters<typeof itemsIn>[1], most = 99) =>
    itemsIn(forked.map, range, most)?.map(({ id }) => id) ?? null

  test('are the items in a range of columns and rows, unless they are too many', () => {
    expect(ids({ left: 0, right: 9, top: 0, bottom: 9 })).toEqual(['a', 'b', 'd', 'c', 'e'])
    expect(ids({ left: 0.5, right: 1.5, top: 0.5, bottom: 9 })).toEqual(['c'])
    expect(ids({ left: 0, right: 9, top: 0, bottom: 9 }, 4)).toBeNull()
  })

  test('are never fewer than those whose mark is seen', () => {
    const view = fc.record({
      x: fc.integer({ min: -3000, max: 3000 }),
      y: fc.integer({ min: -3000, max: 500 }),
      zoom: fc.double({ min: 0.3, max: 4, noNaN: true }),
    })
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 60 }), view, (picks, viewport) => {
        const { drawn, map } = placed(...messagesFrom(picks))
        const found = new Set(itemsIn(map, rangeInView(viewport, size, metrics), 999))
        for (const item of drawn.items) {
          const at = map.places.get(item.id)
          if (!at) throw new Error('An item without a place')
          const mark = { x: at.column * metrics.step, y: at.row * metrics.row, width: 0, height: 0 }
          if (isInView(mark, viewport, size)) expect(found.has(item)).toBe(true)
        }
      }),
    )
  })

  test('the item nearest to a point is found, as long as it is near', () => {
    const near = (x: number, y: number) => itemNear(forked.map, { x, y }, { x: 0.3, y: 0.3 })
    expect([near(1.9, 0.1), near(1.1, 0.9), near(1.5, 0), near(0, 0.5)]).toEqual(['d', 'c', null, null])
  })

  test('a range goes on serving until the view leaves it, or needs far less', () => {
    const view = (y: number, zoom = 1) => rangeInView({ x: 0, y, zoom }, size, metrics)
    const wanted = (y: number, zoom = 1) => rangeInView({ x: 0, y, zoom }, size, metrics, 0.4)
    expect(serves(wanted(0), view(-200), wanted(-200))).toBe(true)
    expect(serves(wanted(0), view(-900), wanted(-900))).toBe(false)
    expect(serves(wanted(0, 0.3), view(0), wanted(0))).toBe(false)
  })
})

test('a message out of sight is moved into it, no further than it has to be, and its zoom stays', () => {
  const metrics = metricsFor(forked.map, size, true)
  const box = hitBox({ column: 2, row: 1 }, metrics, 1)
  const shown = reveal(box, { x: -2000, y: 0, zoom: 1 }, size)
  expect(isInView(box, shown, size)).toBe(true)
  expect(shown).toMatchObject({ y: 0, zoom: 1 })
  expect(onScreen(box, shown).x).toBeLessThan(40)
  expect(reveal(box, shown, size)).toEqual(shown)
})
