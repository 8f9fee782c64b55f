import { expect, test } from 'vitest'
import { treeMoves } from '@/components/actions/on-graph'
import { drawnGraph, indexGraph, visibleGraph } from '@/lib/graph'
import { sketchGraph } from '@/testing/worlds/sketch-graph'

// a ─ b ─ c ─ d
//  │   └─ e
//  └─ f
// g
const graph = visibleGraph(indexGraph(sketchGraph('a', 'a>b', 'b>c', 'c>d', 'b>e', 'a>f', 'g')), {
  branchId: 'main',
})
const drawn = drawnGraph(graph)
const wayOf = (key: string) => treeMoves.find(({ keys }) => keys.includes(key))?.way

// left is what was answered, right the first answer; up and down are the versions of a message, and of the first one;
// home is the root above, end the head being read
test.each([
  ['ArrowLeft', 'e', 'b'],
  ['ArrowLeft', 'a', null],
  ['ArrowRight', 'b', 'c'],
  ['ArrowRight', 'd', null],
  ['ArrowDown', 'c', 'e'],
  [']', 'b', 'f'],
  ['[', 'f', 'b'],
  ['ArrowUp', 'c', null],
  ['ArrowDown', 'a', 'g'],
  ['Home', 'd', 'a'],
  ['Home', 'g', 'g'],
  ['End', 'g', 'e'],
])('%s leads from %s to %s', (key, from, to) => {
  expect(wayOf(key)?.(drawn, from, 'e')).toBe(to)
})

test('End leads nowhere when no head is read', () => {
  expect(wayOf('End')?.(drawn, 'g', null)).toBeNull()
})

// a ─ [b c] ─ d
//       └─ e
test('a folded stretch is one step', () => {
  const folded = drawnGraph(graph, new Set(['b', 'c']))
  expect(wayOf('ArrowRight')?.(folded, 'a', null)).toBe('fold b')
  expect(wayOf('ArrowRight')?.(folded, 'fold b', null)).toBe('d')
  expect(wayOf('ArrowLeft')?.(folded, 'e', null)).toBe('fold b')
})
