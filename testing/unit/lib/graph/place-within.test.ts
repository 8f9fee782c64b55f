import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawnGraph } from '@/lib/graph/drawn-graph'
import { indexGraph } from '@/lib/graph/graph-index'
import { placeWhole, placeWithin } from '@/lib/graph/place-nodes'
import { visibleGraph } from '@/lib/graph/visible-graph'
import type { Graph } from '@/lib/protocol'
import { branch, messagesFrom, sketchGraph } from '@/testing/worlds/sketch-graph'

const draw = (graph: Graph, folded = new Set<string>(), showArchived = true) =>
  drawnGraph(visibleGraph(indexGraph(graph), { branchId: 'main', showArchived }), folded)
const wholeOf = (graph: Graph, folded?: Set<string>) => placeWhole(draw(graph, folded))

describe('part of a drawing', () => {
  // a ─ b ─ c
  //      ├─ d ─ e    archived
  //      └─ f
  const messages = ['a', 'a>b', 'b>c', 'b>d', 'd>e', 'b>f']
  const graph = { ...sketchGraph(...messages), branches: [branch('main', 'f')] }
  const whole = wholeOf(graph)

  test('given a line that is archived, when the rest is placed, then its column stays free', () => {
    const branches = [branch('main', 'f'), branch('old', 'e', { archivedAt: 1 })]
    const drawn = draw({ ...graph, branches }, new Set(), false)
    const { cells, columns } = placeWithin(drawn, whole)
    expect([...cells.keys()]).toEqual(['a', 'b', 'c', 'f'])
    expect(cells.get('f')).toEqual({ column: 2, row: 2 })
    expect(placeWhole(drawn).placement.cells.get('f')).toEqual({ column: 1, row: 2 })
    expect(columns).toBe(whole.placement.columns)
  })

  test('given all of it, then it stands where it stood', () => {
    expect(placeWithin(whole.drawn, whole)).toEqual({
      ...whole.placement,
      edges: expect.arrayContaining([...whole.placement.edges]),
    })
  })

  test('given a head that will be folded away, then it stands below the fold, in its column', () => {
    // r ─ 1 ─ 2 ─ 3 ─ 4 ─ 5 of which 1 to 4 will be folded, when 3 is the last
    const folded = new Set(['1', '2', '3', '4'])
    const line = ['r', 'r>1', '1>2', '2>3', '3>4', '4>5']
    const now = wholeOf(sketchGraph(...line), folded)
    const then = draw(sketchGraph(...line.slice(0, 4)), new Set(['1', '2']))
    expect([...placeWithin(then, now).cells]).toEqual([
      ['r', { column: 0, row: 0 }],
      ['fold 1', { column: 0, row: 1 }],
      ['3', { column: 0, row: 2 }],
    ])
  })
})

test('given any chat, when it is placed as it was, then every message stands where it does now', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 40 }), fc.nat(), (picks, cut) => {
      const messages = messagesFrom(picks)
      const whole = wholeOf(sketchGraph(...messages))
      const then = placeWithin(draw(sketchGraph(...messages.slice(0, 1 + (cut % messages.length)))), whole)
      for (const [id, cell] of then.cells) expect(cell).toEqual(whole.placement.cells.get(id))
      const edges = new Map(whole.placement.edges.map((edge) => [edge.to, edge]))
      for (const edge of then.edges) expect(edge).toEqual(edges.get(edge.to))
    }),
  )
})
