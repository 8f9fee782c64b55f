import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Graph } from '@/lib/protocol'
import { cpuTime } from '@/testing/worlds/cpu-time'
import { branch, messagesFrom, sketchGraph } from '@/testing/worlds/sketch-graph'
import { drawnGraph } from '../drawn-graph'
import { indexGraph } from '../graph-index'
import { visibleGraph } from '../visible-graph'
import { columnsOf, type MapPlaces, placeLines, placeWhole } from './place-lines'

const draw = (graph: Graph, folded = new Set<string>(), showArchived = true) =>
  drawnGraph(visibleGraph(indexGraph(graph), { branchId: 'main', showArchived }), folded)
const placesOf = (...messages: string[]): MapPlaces => placeLines(draw(sketchGraph(...messages)))

const written = ({ places }: MapPlaces): string =>
  [...places]
    .map(([id, { column, row }]) => `${id}${column},${row}`)
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
    for (const [id, place] of before.places) {
      expect(placesOf(...forked, 'c>f', 'e>g').places.get(id)).toEqual(place)
      const moved = placesOf(...forked, 'b>f').places.get(id)
      expect(moved).toEqual({ ...place, row: place.row === 0 ? 0 : place.row + 1 })
    }
  })
})

/** Any graph of so many messages. */
const anyPicks = fc.array(fc.nat(), { minLength: 1, maxLength: 60 })

test('given any graph, then no two messages share a place, and no line crosses another', () => {
  fc.assert(
    fc.property(anyPicks, (picks) => {
      const { places, lines } = placesOf(...messagesFrom(picks))
      expect(new Set([...places.values()].map(({ column, row }) => `${column} ${row}`)).size).toBe(
        places.size,
      )
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
    const { places } = placeLines(draw(sketchGraph(...line), new Set(['1', '2', '3'])))
    expect([...places]).toEqual([
      ['r', { column: 0, row: 0 }],
      ['fold 1', { column: 1, row: 0 }],
      ['4', { column: 4, row: 0 }],
    ])
  })
})

describe('part of a map', () => {
  // a ─ b ─ c
  //     ├── d ─ e    archived
  //     ╰── f
  const graph = { ...sketchGraph('a', 'a>b', 'b>c', 'b>d', 'd>e', 'b>f'), branches: [branch('main', 'f')] }
  const whole = placeWhole(draw(graph))

  test('given a line that is archived, then its row stays free', () => {
    const branches = [branch('main', 'f'), branch('old', 'e', { archivedAt: 1 })]
    const drawn = draw({ ...graph, branches }, new Set(), false)
    expect(placeLines(drawn, whole).places.get('f')).toEqual({ column: 2, row: 2 })
    expect(placeLines(drawn).places.get('f')).toEqual({ column: 2, row: 1 })
    expect(placeLines(drawn, whole).rows).toBe(whole.places.rows)
  })

  test('given that the first line is archived, then what forks from it stays in its row', () => {
    const branches = [branch('main', 'f'), branch('old', 'c', { archivedAt: 1 }), branch('d', 'e')]
    const drawn = draw({ ...graph, branches }, new Set(), false)
    const { places, lines } = placeLines(drawn, whole)
    for (const [id, place] of places) expect(place).toEqual(whole.places.places.get(id))
    expect(lines.map(({ row, stem }) => [row, stem?.column])).toEqual([
      [0, undefined],
      [1, 1],
      [2, 1],
    ])
  })

  test('given any chat, when it is placed as it was, then every message stands where it does now', () => {
    fc.assert(
      fc.property(anyPicks, fc.nat(), (picks, cut) => {
        const messages = messagesFrom(picks)
        const now = placeWhole(draw(sketchGraph(...messages)))
        const then = draw(sketchGraph(...messages.slice(0, 1 + (cut % messages.length))))
        for (const [id, place] of placeLines(then, now).places)
          expect(place).toEqual(now.places.places.get(id))
      }),
    )
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
