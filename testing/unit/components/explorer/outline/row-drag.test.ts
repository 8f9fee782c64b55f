import { describe, expect, test } from 'vitest'
import { draggedBy, droppedOn } from '@/components/explorer/outline/row-drag'
import { branch, sketchGraph } from '@/testing/worlds/sketch-graph'
import { sketchOutline } from '@/testing/worlds/sketch-outline'

const graph = {
  ...sketchGraph('a', 'a>b', 'b>c', 'c>d', 'b>x', 'x>y'),
  branches: [branch('main', 'd'), branch('other', 'y')],
}

describe('a row that is dragged', () => {
  const { model, row } = sketchOutline(graph)

  test('takes its message along, with the others that are picked when it is one of them', () => {
    expect(draggedBy(row('d'), model, ['c'])).toEqual({ kind: 'pick', messageIds: ['d'] })
    expect(draggedBy(row('d'), model, ['c', 'd'])).toEqual({ kind: 'pick', messageIds: ['c', 'd'] })
  })

  test('takes its branch along', () => {
    expect(draggedBy(row('branch other'), model, [])).toEqual({ kind: 'merge', sourceId: 'other' })
  })

  test('stays where there is no other branch, and in the past', () => {
    const alone = sketchOutline({ ...sketchGraph('a', 'a>b'), branches: [branch('main', 'b')] })
    expect(draggedBy(alone.row('b'), alone.model, [])).toBeNull()
    const then = sketchOutline(graph, { past: true })
    expect(draggedBy(then.row('d'), then.model, [])).toBeNull()
  })

  test('is dropped on a branch that lacks it, by any of its rows, and on no other', () => {
    const picked = { kind: 'pick' as const, messageIds: ['d'] }
    expect(droppedOn(row('branch other'), picked, model)).toEqual({ ...picked, targetId: 'other' })
    expect(droppedOn(row('c'), picked, model)).toBeNull()
    const merged = { kind: 'merge' as const, sourceId: 'other' }
    expect(droppedOn(row('d'), merged, model)).toEqual({ ...merged, targetId: 'main' })
    expect(droppedOn(row('branch other'), merged, model)).toBeNull()
  })
})
