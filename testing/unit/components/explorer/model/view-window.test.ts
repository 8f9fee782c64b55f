import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cellBox, finePointer, isInView } from '@/components/explorer/model/geometry'
import { Cells, cellsInView, isInRange, serves } from '@/components/explorer/model/view-window'
import { drawnGraph, indexGraph, placeNodes, visibleGraph } from '@/lib/graph'
import { messagesFrom, sketchGraph } from '@/testing/worlds/sketch-graph'

const laidOut = (...messages: string[]) => {
  const drawn = drawnGraph(visibleGraph(indexGraph(sketchGraph(...messages)), { branchId: 'main' }))
  const placement = placeNodes(drawn)
  return { drawn, placement, cells: new Cells(drawn, placement) }
}
const none = new Set<string>()

// a ─ b ─ d      column 0
//  └─ c ─ e      column 1
const forked = ['a', 'a>b', 'a>c', 'b>d', 'c>e']

describe('the items in a range', () => {
  const { cells } = laidOut(...forked)
  const ids = (range: Parameters<typeof cells.inRange>[0], wanted = none) =>
    cells.inRange(range, wanted).map(({ id }) => id)

  test('are those whose cells lie in it, as the tree has them', () => {
    expect(ids({ left: 0, right: 1, top: 0, bottom: 9 })).toEqual(['a', 'b', 'd', 'c', 'e'])
    expect(ids({ left: 1, right: 1, top: -5, bottom: 1 })).toEqual(['c'])
    expect(ids({ left: 0, right: 9, top: 7, bottom: 9 })).toEqual([])
  })

  test('have among them what is wanted wherever it is, once', () => {
    const range = { left: 0, right: 0, top: 0, bottom: 1 }
    expect(ids(range, new Set(['e']))).toEqual(['a', 'b', 'e'])
    expect(ids(range, new Set(['b']))).toEqual(['a', 'b'])
  })

  test('are never fewer than those in view', () => {
    const picks = fc.array(fc.nat(), { minLength: 1, maxLength: 60 })
    const view = fc.record({
      x: fc.integer({ min: -3000, max: 3000 }),
      y: fc.integer({ min: -3000, max: 500 }),
      zoom: fc.double({ min: 0.1, max: 1.6, noNaN: true }),
    })
    const size = { width: 480, height: 800 }
    fc.assert(
      fc.property(picks, view, (all, viewport) => {
        const { drawn, placement, cells } = laidOut(...messagesFrom(all))
        const inRange = new Set(cells.inRange(cellsInView(viewport, size, finePointer), none))
        for (const item of drawn.items) {
          const cell = placement.cells.get(item.id)
          if (!cell || !isInView(cellBox(cell, finePointer), viewport, size)) continue
          expect(inRange.has(item)).toBe(true)
          expect(isInRange(cell, cellsInView(viewport, size, finePointer))).toBe(true)
        }
      }),
    )
  })
})

test('the item nearest to a place is found, as long as it is near', () => {
  const { cells } = laidOut(...forked)
  const near = (column: number, row: number) => cells.near({ column, row })?.id
  expect([near(1, 2), near(1, 3), near(1, 5), near(3, 2)]).toEqual(['e', 'e', undefined, undefined])
})

test('a range goes on serving until the view leaves it, or needs far less', () => {
  const size = { width: 480, height: 800 }
  const view = (y: number, zoom = 1) => cellsInView({ x: 0, y, zoom }, size, finePointer)
  const wanted = (y: number, zoom = 1) => cellsInView({ x: 0, y, zoom }, size, finePointer, 0.4)
  const drawn = wanted(0)
  expect(serves(drawn, view(-200), wanted(-200))).toBe(true)
  expect(serves(drawn, view(-900), wanted(-900))).toBe(false)
  expect(serves(wanted(0, 0.3), view(0), wanted(0))).toBe(false)
})
