import { describe, expect, test } from 'vitest'
import { graphModel } from '@/components/explorer/model/graph-model'
import { type RowFlowNode, rowLook, rowNodes } from '@/components/explorer/outline/row-model'
import { withArchived } from '@/components/explorer/outline/use-outline'
import { indexGraph, lineHeirs, outlineRows, outlineTree } from '@/lib/graph'
import type { Graph } from '@/lib/protocol'
import { branch, sketchGraph } from '@/testing/worlds/sketch-graph'

const graph: Graph = {
  ...sketchGraph('a', 'a>b', 'b>c', 'c>d', 'b>x', 'x>y'),
  branches: [branch('main', 'd'), branch('other', 'y', { archivedAt: 9 })],
  checkpoints: [{ id: 'good', name: 'good', messageId: 'c', createdAt: 0 }],
}

function looksOf(of: Graph) {
  const model = withArchived(graphModel(indexGraph(of), { branchId: 'main' }))
  const rows = outlineRows(outlineTree(model.drawn, lineHeirs(model.index)), model.visible, {
    ...model,
    opened: new Set(),
  })
  const standing = { tabId: 'd', selectedId: 'c', marked: [], found: null }
  return rows.map((row, at) => ({ at, look: rowLook(row, model, standing, 28) }))
}

const lookOf = (id: string) => looksOf(graph).find(({ look }) => look.row.id === id)?.look

describe('the look of a row', () => {
  test('of a message names it as the map does, with its head and its checkpoints', () => {
    expect(lookOf('d')).toMatchObject({
      name: 'Assistant: d',
      head: true,
      tab: true,
      description: 'Head of main',
    })
    expect(lookOf('c')).toMatchObject({ name: 'You: c', selected: true, checkpoints: [{ name: 'good' }] })
  })

  test('of a branch is named by it, and says how much it holds, how it ends, and that it is archived', () => {
    expect(lookOf('branch other')).toMatchObject({
      name: 'other',
      title: 'other',
      buttonName: 'Switch to other',
      description: '2 messages, y, archived',
    })
  })
})

test('a branch with one message of its own is not told in the plural', () => {
  const one: Graph = {
    ...sketchGraph('a', 'a>b', 'b>c', 'c>d', 'b>x'),
    branches: [branch('main', 'd'), branch('short', 'x')],
    checkpoints: [],
  }
  const short = looksOf(one).find(({ look }) => look.row.id === 'branch short')
  expect(short?.look.description).toBe('1 message, x')
})

describe('the rows for React Flow', () => {
  test('stay the same objects where they show the same, and are new where they do not', () => {
    const known = new Map<string, RowFlowNode>()
    const before = rowNodes(looksOf(graph), known)
    const said = graph.nodes.map((node) => (node.id === 'd' ? { ...node, preview: 'more' } : node))
    const now = rowNodes(looksOf({ ...graph, nodes: said }), known)
    expect(now.map((node, at) => node === before[at])).toEqual([true, true, true, true, false])
  })
})
