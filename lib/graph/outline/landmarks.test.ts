import { expect, test } from 'vitest'
import { sketchGraph } from '@/testing/worlds/sketch-graph'
import { landmarks } from './landmarks'

/** A stretch of so many messages in a line: the even ones are the person's. */
const stretch = (length: number) =>
  sketchGraph(...Array.from({ length }, (_, at) => (at === 0 ? 'm0' : `m${at - 1}>m${at}`))).nodes

const places = (ids: readonly string[]) => ids.map((id) => Number(id.slice(1)))

test('a stretch is split evenly, at questions, into as many parts as there is room for', () => {
  const found = places(landmarks([stretch(100)], 9))
  expect(found).toHaveLength(9)
  for (const [at, place] of found.entries()) {
    expect(place % 2).toBe(0)
    expect(Math.abs(place - (at + 1) * 10)).toBeLessThanOrEqual(1)
  }
})

test('several stretches share the room by their lengths', () => {
  const [long, short] = [stretch(300), stretch(100).map((node) => ({ ...node, id: `s${node.depth}` }))]
  const found = landmarks([long, short], 8)
  expect([
    found.filter((id) => id.startsWith('m')).length,
    found.filter((id) => id.startsWith('s')).length,
  ]).toEqual([6, 2])
})

test.each([
  { given: 'no room', length: 100, room: 0 },
  { given: 'rows beyond the pane already', length: 100, room: -5 },
  { given: 'a stretch that is short', length: 11, room: 20 },
])('with $given nothing is split', ({ length, room }) => {
  expect(landmarks([stretch(length)], room)).toEqual([])
})

test('no part is shorter than a few turns, however much room there is', () => {
  const found = [0, ...places(landmarks([stretch(40)], 100)), 40]
  for (const [at, place] of found.slice(1).entries())
    expect(place - (found[at] ?? 0)).toBeGreaterThanOrEqual(4)
})

test('a question after a night is taken rather than the nearest one', () => {
  const night = 8 * 60 * 60 * 1000
  const nodes = stretch(40).map((node) => ({
    ...node,
    createdAt: node.depth * 1000 + (node.depth >= 24 ? night : 0),
  }))
  expect(landmarks([nodes], 1)).toEqual(['m24'])
})

test('an agent that works on without a question is split where the middle is', () => {
  const nodes = stretch(40).map((node) => ({ ...node, role: 'assistant' }))
  expect(landmarks([nodes], 1)).toEqual(['m20'])
})
