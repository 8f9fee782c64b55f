import { expect, test } from 'vitest'
import { openingTop } from '@/components/explorer/outline/row-model'
import { rowWay } from '@/components/explorer/outline/row-ways'
import { branch, sketchGraph } from '@/testing/worlds/sketch-graph'
import { sketchOutline } from '@/testing/worlds/sketch-outline'

/** a, b, the branch other at b and its messages x and y, then c and d, which are read. */
const graph = {
  ...sketchGraph('a', 'a>b', 'b>c', 'c>d', 'd>e', 'b>x', 'x>y'),
  branches: [branch('main', 'e'), branch('other', 'y')],
}
const { rows } = sketchOutline(graph, { opened: ['x'] })
const places = new Map(rows.map(({ id }, at) => [id, at]))

// up and down are those of the list, whatever branch a row is of; in leads to the first message of an open branch, out to
// where a row hangs from
test.each([
  ['below', 'b', 'branch other'],
  ['below', 'y', 'c'],
  ['above', 'c', 'y'],
  ['above', 'a', null],
  ['below', 'e', null],
  ['within', 'branch other', 'x'],
  ['within', 'b', null],
  ['around', 'y', 'branch other'],
  ['around', 'branch other', 'b'],
  ['around', 'a', null],
] as const)('the way %s the row %s is %s', (way, from, to) => {
  expect(rowWay(rows, places, way, from)).toBe(to)
})

test('the outline opens at the top while everything fits, else with the head and what led to it, and no room below the end', () => {
  expect(openingTop(10, 9, 28, 800)).toBe(0)
  const top = openingTop(400, 200, 28, 800)
  expect(200 * 28 - top).toBeGreaterThan(400)
  expect(201 * 28 - top).toBeLessThan(800)
  expect(openingTop(100, 99, 28, 800) + 800).toBe(100 * 28 + 40)
})
