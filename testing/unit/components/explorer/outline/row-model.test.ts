import { expect, test } from 'vitest'
import {
  dayOf,
  type RowFlowNode,
  roomFor,
  rowLook,
  rowNodes,
  usualRoom,
} from '@/components/explorer/outline/row-model'
import { archiveKey } from '@/lib/graph'
import type { Graph } from '@/lib/protocol'
import { branch, sketchGraph } from '@/testing/worlds/sketch-graph'
import { sketchOutline } from '@/testing/worlds/sketch-outline'

const graph: Graph = {
  ...sketchGraph('a', 'a>b', 'b>c', 'c>d', 'b>x', 'x>y'),
  branches: [branch('main', 'd'), branch('other', 'y', { archivedAt: 9 })],
  checkpoints: [{ id: 'good', name: 'good', messageId: 'c', createdAt: 0 }],
}
/** Another branch has one message of its own. */
const short: Graph = {
  ...sketchGraph('a', 'a>b', 'b>c', 'c>d', 'b>x'),
  branches: [branch('main', 'd'), branch('short', 'x')],
}

/** Another branch goes on from the end of the first, and takes what a third one has. */
const merged: Graph = {
  ...sketchGraph('a', 'a>b', 'b>c', 'c>d', 'b>x'),
  branches: [branch('main', 'b'), branch('whole', 'd'), branch('side', 'x')],
}
merged.nodes = merged.nodes.map((node) => (node.id === 'c' ? { ...node, mergeParentId: 'x' } : node))

function looksOf(of: Graph) {
  const { model, rows } = sketchOutline(of, { opened: [archiveKey] })
  const standing = { tabId: 'd', selectedId: 'c', marked: [], found: null }
  return rows.map((row, at) => ({ at, look: rowLook(row, model, standing, 28) }))
}

test.each([
  ['d', graph, { name: 'Assistant: d', head: true, tab: true, description: 'Head of Main line' }],
  ['c', graph, { name: 'You: c', selected: true, checkpoints: [{ name: 'good' }] }],
  [
    'branch other',
    graph,
    {
      name: 'other',
      title: 'other',
      buttonName: 'Switch to other',
      description: '2 messages, y, archived',
    },
  ],
  ['a', short, { begins: 'Main line begins', name: 'You: a, Main line begins' }],
  [
    'rest b',
    merged,
    { title: 'whole', origin: 'Merged from side', description: 'begins, 2 messages, Merged from side, d' },
  ],
  ['branch short', short, { description: '1 message, x' }],
])('the row %s says what it is, how much a branch holds, and how it ends', (id, of, look) => {
  expect(looksOf(of).find(({ look }) => look.row.id === id)?.look).toMatchObject(look)
})

test('the rows for React Flow stay the same objects where they show the same, and are new where they do not', () => {
  const known = new Map<string, RowFlowNode>()
  const before = rowNodes(looksOf(graph), known)
  const said = graph.nodes.map((node) => (node.id === 'd' ? { ...node, preview: 'more' } : node))
  const now = rowNodes(looksOf({ ...graph, nodes: said }), known)
  expect(now.map((node, at) => node === before[at])).toEqual([true, true, true, true, false, true])
})

test.each([
  ['is what the server draws for', [768, 810, 930], [usualRoom]],
  ['grows with', [500, 768, 1200], [14, usualRoom, 38]],
])('the room %s panes %j px high', (_, heights, rooms) => {
  expect([...new Set(heights.map((height) => roomFor(height, 28)))]).toEqual(rooms)
})

test('a row has its day where its line goes on the next day, over the rows of branches', () => {
  const night = 20 * 60 * 60 * 1000
  const nodes = graph.nodes.map((node) => ({
    ...node,
    createdAt: node.id === 'c' || node.id === 'd' ? night * 2 : 0,
  }))
  const { rows } = sketchOutline({ ...graph, nodes }, { opened: [archiveKey] })
  const days = rows.flatMap((row, at) => (dayOf(rows, at, new Date(9e12)) === null ? [] : row.id))
  expect(days).toEqual(['c'])
})
