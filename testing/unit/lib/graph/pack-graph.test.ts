import { expect, test } from 'vitest'
import { packGraph, unpackGraph } from '@/lib/graph/pack-graph'
import { sketchGraph } from '@/testing/worlds/sketch-graph'

// a ─ b ─ d
//  └─ c
const graph = sketchGraph('a', 'a>b', 'a>c', 'b>d')

test('given a graph, when it is packed and unpacked, then it is the same', () => {
  const stopped = graph.nodes.map((node, at) => (at === 2 ? { ...node, status: 'stopped' as const } : node))
  const held = graph.nodes.map((node, at) => (at === 1 ? { ...node, holds: ['file' as const] } : node))
  const linked = graph.nodes.map((node, at) =>
    at === 3
      ? { ...node, mergeParentId: 'c', copiedFromId: 'a' }
      : at === 1
        ? { ...node, copiedFromId: 'c' }
        : node,
  )
  const graphs = [graph, { ...graph, nodes: stopped.toReversed() }, { ...graph, nodes: [] }]
  for (const one of [...graphs, { ...graph, nodes: held }, { ...graph, nodes: linked }]) {
    expect(unpackGraph(JSON.parse(JSON.stringify(packGraph(one))))).toEqual(one)
  }
})

test('given a graph of which a part is missing, then it is refused, not read as another', () => {
  const packed = packGraph(graph)
  const cut = { ...packed, nodes: { ...packed.nodes, status: packed.nodes.status.slice(1) } }
  expect(() => unpackGraph(cut)).toThrow('Message "d" is not in every column')
})

test('given a graph without merges and copies, then nothing is sent for them', () => {
  expect(Object.keys(packGraph(graph).nodes)).not.toEqual(expect.arrayContaining(['mergeParentId']))
  expect(Object.keys(packGraph(graph).nodes)).not.toEqual(expect.arrayContaining(['copiedFromId']))
})
