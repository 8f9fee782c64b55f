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
const press = (key: string, from: string): string | null => wayOf(key)?.(drawn, from, 'e') ?? null

test('up is what was answered, down the first answer', () => {
  expect(press('ArrowUp', 'e')).toBe('b')
  expect(press('ArrowUp', 'a')).toBeNull()
  expect(press('ArrowDown', 'b')).toBe('c')
  expect(press('ArrowDown', 'd')).toBeNull()
})

test('left and right are the versions of a message, and of the first one', () => {
  expect(press('ArrowRight', 'c')).toBe('e')
  expect(press(']', 'b')).toBe('f')
  expect(press('[', 'f')).toBe('b')
  expect(press('ArrowLeft', 'c')).toBeNull()
  expect(press('ArrowRight', 'a')).toBe('g')
})

test('home is the root above, end the head being read', () => {
  expect(press('Home', 'd')).toBe('a')
  expect(press('Home', 'g')).toBe('g')
  expect(press('End', 'g')).toBe('e')
  expect(wayOf('End')?.(drawn, 'g', null)).toBeNull()
})

// a ─ [b c] ─ d
//       └─ e
test('a folded stretch is one step', () => {
  const folded = drawnGraph(graph, new Set(['b', 'c']))
  expect(wayOf('ArrowDown')?.(folded, 'a', null)).toBe('fold b')
  expect(wayOf('ArrowDown')?.(folded, 'fold b', null)).toBe('d')
  expect(wayOf('ArrowUp')?.(folded, 'e', null)).toBe('fold b')
})
