import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Graph } from '@/lib/protocol'
import { cpuTime } from '@/testing/worlds/cpu-time'
import { messagesFrom, sketchGraph } from '@/testing/worlds/sketch-graph'
import { drawnGraph } from '../drawn-graph'
import { indexGraph } from '../graph-index'
import { visibleGraph } from '../visible-graph'
import { columnsOf, type MapPlaces, placeLines } from './place-lines'

const draw = (graph: Graph, folded = new Set<string>()) =>
  drawnGraph(visibleGraph(indexGraph(graph), { branchId: 'main', showArchived: true }), folded)
const placesOf = (...messages: string[]): MapPlaces => placeLines(draw(sketchGraph(...messages)))

/** All items with their places, line by line. */
const placed = ({ places, lines }: MapPlaces) =>
  lines.flatMap(({ items }) => items.map(({ id }) => ({ id, ...places.get(id) })))

const written = (map: MapPlaces): string =>
  placed(map)
    .map(({ id, column, row }) => `${id}${column},${row}`)
    .sort()
    .join(' ')

describe('rows', () => {
  test.each([
    // a ─ b ─ d
    // ╰── c
    [
      'the first reply goes on in its line, a later one begins one below',
      'a a>b a>c b>d',
      'a0,0 b1,0 c1,1 d2,0',
    ],
    // a ─ b ─ c ─ d
    // │   ╰── f
    // ╰── e
    [
      'of the forks of a line the last one comes first',
      'a a>b b>c c>d a>e b>f',
      'a0,0 b1,0 c2,0 d3,0 e1,2 f2,1',
    ],
    // a ─ b ─ c
    // │   ╰── f
    // ╰── d ─ e
    //     ╰── g
    [
      'what forks from a line stands below it',
      'a a>b b>c a>d d>e b>f d>g',
      'a0,0 b1,0 c2,0 d1,2 e2,2 f2,1 g2,3',
    ],
    // a ─ b
    // ├── c
    // ╰── d
    ['versions stand below each other, the oldest first', 'a a>b a>c a>d', 'a0,0 b1,0 c1,1 d1,2'],
    ['every root begins a row', 'a a>b c c>d', 'a0,0 b1,0 c0,1 d1,1'],
  ])('%s', (_, messages, places) => {
    expect(written(placesOf(...messages.split(' ')))).toBe(places)
  })

  test('a message at an end moves nothing; a line moves only the rows below it', () => {
    const forked = ['a', 'a>b', 'b>c', 'a>d', 'd>e']
    const before = placesOf(...forked)
    for (const { id, column, row = 0 } of placed(before)) {
      expect(placesOf(...forked, 'c>f', 'e>g').places.get(id)).toEqual({ column, row })
      const moved = placesOf(...forked, 'b>f').places.get(id)
      expect(moved).toEqual({ column, row: row === 0 ? 0 : row + 1 })
    }
  })
})

test('given any graph, then no two messages share a place, and no line crosses another', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 60 }), (picks) => {
      const map = placesOf(...messagesFrom(picks))
      const { lines } = map
      const all = placed(map)
      expect(new Set(all.map(({ column, row }) => `${column} ${row}`)).size).toBe(all.length)
      expect(all).toHaveLength(picks.length)
      expect(new Set(lines.map(({ row }) => row)).size).toBe(lines.length)
      for (const { stem, row } of lines) {
        if (!stem) continue
        expect(stem.row).toBeLessThan(row)
        const between = lines.filter((line) => line.row > stem.row && line.row < row)
        // a line between begins to the right of the way down, or at the message it leaves
        for (const line of between) expect(line.stem?.column ?? line.from).toBeGreaterThanOrEqual(stem.column)
      }
    }),
  )
})

describe('folds', () => {
  const fold = (count: number) => {
    const ids = Array.from({ length: count }, (_, at) => `m${at}`)
    const graph = sketchGraph(...messagesFrom(ids.map((_, at) => Math.max(0, at - 1))))
    return draw(graph, new Set(ids)).items[0]
  }
  const span = (count: number) => {
    const item = fold(count)
    return item ? columnsOf(item) : 0
  }

  test('a short one is as long as its messages, a longer one is shortened, and more are always longer', () => {
    expect([span(2), span(12)]).toEqual([2, 12])
    expect(span(200)).toBeLessThan(120)
    for (let count = 3; count < 200; count++) expect(span(count)).toBeGreaterThan(span(count - 1))
  })

  test('what follows one stands after it', () => {
    const line = ['r', 'r>1', '1>2', '2>3', '3>4']
    expect(placed(placeLines(draw(sketchGraph(...line), new Set(['1', '2', '3']))))).toEqual([
      { id: 'r', column: 0, row: 0 },
      { id: 'fold 1', column: 1, row: 0 },
      { id: '4', column: 4, row: 0 },
    ])
  })
})

test('ten thousand messages on three hundred lines are placed in a moment', () => {
  const picks = Array.from({ length: 10_000 }, (_, at) =>
    at % 33 === 0 ? (at * 7919) % (at + 1) : Math.max(0, at - 1),
  )
  const drawn = draw(sketchGraph(...messagesFrom(picks)))
  const worked = cpuTime()
  placeLines(drawn)
  expect(worked()).toBeLessThan(400)
})
