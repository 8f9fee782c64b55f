import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawnGraph } from '@/lib/graph/drawn-graph'
import { longStretches } from '@/lib/graph/fold-stretches'
import { indexGraph } from '@/lib/graph/graph-index'
import { type Cell, placeNodes } from '@/lib/graph/place-nodes'
import { visibleGraph } from '@/lib/graph/visible-graph'
import type { Graph } from '@/lib/protocol'
import { cpuTime } from '@/testing/worlds/cpu-time'
import { messagesFrom, sketchGraph } from '@/testing/worlds/sketch-graph'

const visible = (graph: Graph) => visibleGraph(indexGraph(graph), { branchId: 'main' })
const place = (...messages: string[]) => placeNodes(drawnGraph(visible(sketchGraph(...messages))))

const columnsOf = (...messages: string[]) =>
  Object.fromEntries([...place(...messages).cells].map(([id, { column }]) => [id, column]))

/** `line('a', 3)` writes a1 … a3, each a reply to the one before, the first to `from`. */
const line = (name: string, length: number, from?: string): string[] =>
  Array.from({ length }, (_, at) => {
    const parent = at === 0 ? from : `${name}${at}`
    return parent === undefined ? `${name}1` : `${parent}>${name}${at + 1}`
  })

describe('columns', () => {
  test.each([
    // a ─ b ─ d
    //  └─ c
    ['the first reply keeps its parent’s column, a later one opens the next', 'a a>b a>c b>d', 'a0 b0 c1 d0'],
    // a ─ b
    //  ├─ c
    //  └─ d
    ['versions stand side by side', 'a a>b a>c a>d', 'a0 b0 c1 d2'],
    // a ─ b
    // c ─ d
    ['every root begins a column', 'a a>b c c>d', 'a0 b0 c1 d1'],
  ])('%s', (_, messages, columns) => {
    const placed = Object.entries(columnsOf(...messages.split(' '))).map((cell) => cell.join(''))
    expect(placed.sort().join(' ')).toBe(columns)
  })

  // a1 ─ a2 ─ … ─ a12 ─ …
  //  └─ b1          └─ c1
  test('a column is used again well below the end of a line', () => {
    const columns = columnsOf(...line('a', 14), ...line('b', 1, 'a1'), ...line('c', 1, 'a12'))
    expect(columns).toMatchObject({ a14: 0, b1: 1, c1: 1 })
  })

  // a1 ─ a2 ─ a3 ─ a4 ─ …
  //  └─ b1     └─ c1
  test('but not right below it, where the line may go on', () => {
    const columns = columnsOf(...line('a', 8), ...line('b', 1, 'a1'), ...line('c', 1, 'a3'))
    expect(columns).toMatchObject({ b1: 1, c1: 2 })
  })

  // a1 ─ … ─ a10 ─ …
  //  └─ b1 … b9 ╮ └─ c1     column 1
  //             b10         column 2: c1 had taken the cells below
  test('a line that runs into another goes on in a column of its own', () => {
    const short = [...line('a', 14), 'a1>b1', ...line('c', 1, 'a10')]
    const long = Array.from({ length: 10 }, (_, at) => `b${at + 1}>b${at + 2}`)
    const columns = columnsOf(...short, ...long)
    expect(columns).toMatchObject({ b1: 1, c1: 1, b7: 1, b10: 2, b11: 2 })
  })
})

// a1 ─ a2 ─ … ─ a24
//       ├─ b1 … b8       column 1
//       …                columns 2 to 7
//            ├─ h1 … h8  column 1 again, and so on
test('ten branches along a line share columns where they are not beside each other', () => {
  const branches = Array.from({ length: 10 }, (_, at) => line(`${'bcdefghijk'[at]}`, 8, `a${2 * at + 2}`))
  const messages = [...line('a', 24), ...branches.flat()]
  const { columns, cells } = place(...messages)
  expect(columns).toBeLessThanOrEqual(8)
  // a branch stays in its column from its first message to its last
  for (const name of 'bcdefghijk') {
    const own = [1, 2, 3, 4, 5, 6, 7, 8].map((at) => cells.get(`${name}${at}`)?.column)
    expect(new Set(own).size).toBe(1)
  }
})

// a1 ─ [a2 … a12] ─ a13 ─ a14
//  └─ b1
test('a folded stretch takes one cell, and what follows moves up to it', () => {
  const graph = visible(sketchGraph(...line('a', 14), 'a1>b1'))
  const { cells, rows } = placeNodes(drawnGraph(graph, longStretches(graph)))
  expect(rows).toBe(5)
  expect(cells.get('fold a3')).toEqual({ column: 0, row: 2 })
  expect(cells.get('a14')).toEqual({ column: 0, row: 4 })
  expect(cells.get('b1')).toEqual({ column: 1, row: 1 })
})

describe('lines', () => {
  // a ─ b
  //  └─ c
  test('take the reply’s colour', () => {
    expect(place('a', 'a>b', 'a>c').edges).toEqual([
      { from: 'a', to: 'b', lane: 0, track: 0 },
      { from: 'a', to: 'c', lane: 1, track: 0 },
    ])
  })

  // a ─ b ─ …      column 0
  //  ├─ c          column 1, over track 0
  //  ├─ d          column 2, over track 0: both fan out of a
  //  │
  // r ─ s          column 3
  //  └─ t          column 4, over track 0: nothing of a’s reaches that far
  test('out of one message share a track', () => {
    const { edges } = place('a', 'a>b', 'a>c', 'a>d', 'r', 'r>s', 'r>t')
    expect(edges.filter(({ track }) => track > 0)).toEqual([])
  })

  // a ─ b          column 0
  // r ─ s          column 1
  //  └─ t          column 2, over track 0
  //  a ─ c         column 3, over track 1: it crosses the line from r to t
  test('that cross between the same two rows keep apart', () => {
    const { edges } = place('a', 'a>b', 'r', 'r>s', 'r>t', 'a>c')
    expect(edges.find(({ to }) => to === 't')).toMatchObject({ track: 0 })
    expect(edges.find(({ to }) => to === 'c')).toMatchObject({ track: 1 })
  })
})

test('a reply whose clock ran ahead of its parent’s is still placed below it', () => {
  const graph = sketchGraph('a', 'a>b', 'b>c')
  const nodes = graph.nodes.map((node) => ({ ...node, createdAt: -node.createdAt }))
  const { cells } = placeNodes(drawnGraph(visible({ ...graph, nodes })))
  expect([...cells.values()].map(({ row }) => row)).toEqual([0, 1, 2])
})

describe('any graph', () => {
  const anyPicks = fc.array(fc.nat(), { minLength: 1, maxLength: 60 })
  /** mostly one below the other, so that there is something to fold */
  const longLines = fc
    .array(fc.option(fc.nat(), { freq: 6 }), { minLength: 1, maxLength: 80 })
    .map((picks) => picks.map((pick, at) => pick ?? Math.max(0, at - 1)))
  const key = ({ column, row }: Cell): string => `${column}/${row}`

  test('has every message in a cell of its own, right below its parent’s row', () => {
    fc.assert(
      fc.property(anyPicks, (picks) => {
        const { cells, edges, columns, rows } = place(...messagesFrom(picks))
        expect(cells.size).toBe(picks.length)
        expect(new Set([...cells.values()].map(key)).size).toBe(picks.length)
        for (const { from, to } of edges) expect(cells.get(to)?.row).toBe((cells.get(from)?.row ?? 0) + 1)
        for (const { column, row } of cells.values()) {
          expect(column).toBeLessThan(columns)
          expect(row).toBeLessThan(rows)
        }
      }),
    )
  })

  test('stays where it is when a message is added, also beside and into what is folded', () => {
    fc.assert(
      fc.property(fc.oneof(anyPicks, longLines), fc.nat(), (picks, more) => {
        const before = visible(sketchGraph(...messagesFrom(picks)))
        const after = visible(sketchGraph(...messagesFrom([...picks, more])))
        const folded = longStretches(before)
        const { cells } = placeNodes(drawnGraph(after, folded))
        for (const [id, cell] of placeNodes(drawnGraph(before, folded)).cells) {
          expect(cells.get(id)).toEqual(cell)
        }
      }),
      { numRuns: 200 },
    )
  })

  test('never continues a line straight into another', () => {
    fc.assert(
      fc.property(anyPicks, (picks) => {
        const { cells, edges } = place(...messagesFrom(picks))
        const parents = new Map(edges.map(({ from, to }) => [to, from]))
        const at = new Map([...cells].map(([id, cell]) => [key(cell), id]))
        for (const [id, { column, row }] of cells) {
          const above = at.get(key({ column, row: row - 1 }))
          if (above !== undefined) expect(above).toBe(parents.get(id))
        }
      }),
    )
  })
})

test('ten thousand versions of one message, or ten thousand in a row, take no longer than a blink', () => {
  const star = messagesFrom(Array.from({ length: 10_000 }, (_, at) => (at === 0 ? 0 : at + 1)))
  const chain = messagesFrom(Array.from({ length: 10_000 }, (_, at) => (at === 0 ? 0 : at - 1)))
  for (const messages of [star, chain]) {
    const drawn = drawnGraph(visible(sketchGraph(...messages)))
    const worked = cpuTime()
    expect(placeNodes(drawn).cells.size).toBe(10_000)
    expect(worked()).toBeLessThan(2_000)
  }
})
