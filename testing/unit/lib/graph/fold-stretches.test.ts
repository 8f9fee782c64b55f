import { describe, expect, test } from 'vitest'
import { longStretches, withoutShown } from '@/lib/graph/fold-stretches'
import { indexGraph } from '@/lib/graph/graph-index'
import { visibleGraph } from '@/lib/graph/visible-graph'
import type { Graph } from '@/lib/protocol'
import { branch, sketchGraph } from '@/testing/worlds/sketch-graph'

/** a … l, one below the other */
const line = [...'abcdefghijkl'].map((id, at, all) => (at === 0 ? id : `${all[at - 1]}>${id}`))
const runs = (graph: Graph, keep?: (id: string) => boolean): string =>
  [...longStretches(visibleGraph(indexGraph(graph), { branchId: 'main' }), keep)].join('')

describe('what opens folded', () => {
  // a ─ [b c d e f g h i j] ─ k ─ l
  test('is a long stretch, but for its first message and its last two', () => {
    expect(runs(sketchGraph(...line))).toBe('bcdefghij')
  })

  // a ─ b ─ c ─ d ─ [e f g h i j] ─ k ─ l
  //         └─ x
  test('ends at a fork, whose sides stay in sight', () => {
    expect(runs(sketchGraph(...line, 'c>x'))).toBe('efghij')
  })

  // a ─ b ─ c ─ d ─ e ─ f
  test('is nothing where the stretch is short', () => {
    expect(runs(sketchGraph(...line.slice(0, 6)))).toBe('')
    expect(runs(sketchGraph(...line.slice(0, 7)))).toBe('bcde')
  })

  // a ─ b ─ c ─ d ─ e(main) ─ [f g h i j] ─ k ─ l
  test('leaves out what has a label, an unfinished reply, or is wanted', () => {
    const graph = sketchGraph(...line)
    expect(runs({ ...graph, branches: [branch('main', 'e')] })).toBe('fghij')
    const checkpoints = [{ id: 'k', name: 'good', messageId: 'e', createdAt: 0 }]
    expect(runs({ ...graph, checkpoints })).toBe('fghij')
    const nodes = graph.nodes.map((node) => (node.id === 'e' ? { ...node, status: 'failed' as const } : node))
    expect(runs({ ...graph, nodes })).toBe('fghij')
    expect(runs(graph, (id) => id === 'e')).toBe('fghij')
  })
})

test('a message that has to be seen comes out of its stretch', () => {
  const folded = new Set('bcde')
  expect([...withoutShown(folded, ['c', null, 'z'])].join('')).toBe('bde')
  expect(withoutShown(folded, [null, 'z'])).toBe(folded)
})
