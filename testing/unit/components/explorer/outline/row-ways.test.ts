import { describe, expect, test } from 'vitest'
import { graphModel } from '@/components/explorer/model/graph-model'
import { openingTop } from '@/components/explorer/outline/row-model'
import { rowWay } from '@/components/explorer/outline/row-ways'
import { indexGraph, lineHeirs, outlineRows, outlineTree } from '@/lib/graph'
import { branch, sketchGraph } from '@/testing/worlds/sketch-graph'

/** a, b, the branch other at b and its messages x and y, then c and d, which are read. */
const graph = {
  ...sketchGraph('a', 'a>b', 'b>c', 'c>d', 'd>e', 'b>x', 'x>y'),
  branches: [branch('main', 'e'), branch('other', 'y')],
}
const model = graphModel(indexGraph(graph), { branchId: 'main' })
const rows = outlineRows(outlineTree(model.drawn, lineHeirs(model.index)), model.visible, {
  ...model,
  opened: new Set(['x']),
})
const places = new Map(rows.map(({ id }, at) => [id, at]))
const way = (to: Parameters<typeof rowWay>[2], from: string) => rowWay(rows, places, to, from)

describe('the ways between rows', () => {
  test('up and down are those of the list, whatever branch a row is of', () => {
    expect(way('below', 'b')).toBe('branch other')
    expect(way('below', 'y')).toBe('c')
    expect(way('above', 'c')).toBe('y')
    expect([way('above', 'a'), way('below', 'e')]).toEqual([null, null])
  })

  test('in leads to the first message of an open branch, out to where a row hangs from', () => {
    expect(way('within', 'branch other')).toBe('x')
    expect(way('within', 'b')).toBeNull()
    expect(way('around', 'y')).toBe('branch other')
    expect(way('around', 'branch other')).toBe('b')
    expect(way('around', 'a')).toBeNull()
  })
})

describe('the place at which the outline opens', () => {
  test('is the top while everything fits', () => {
    expect(openingTop(10, 9, 28, 800)).toBe(0)
  })

  test('has the head in view, with what led to it above', () => {
    const top = openingTop(400, 200, 28, 800)
    expect(200 * 28 - top).toBeGreaterThan(400)
    expect(201 * 28 - top).toBeLessThan(800)
  })

  test('never leaves room below the end', () => {
    const top = openingTop(100, 99, 28, 800)
    expect(top + 800).toBe(100 * 28 + 40)
  })
})
