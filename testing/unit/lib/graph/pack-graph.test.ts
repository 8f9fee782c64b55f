import { expect, test } from 'vitest'
import { packGraph, unpackGraph } from '@/lib/graph/pack-graph'
import type { Graph } from '@/lib/protocol'
import { sketchGraph } from '@/testing/worlds/sketch-graph'

// a ─ b ─ d
//  └─ c
const graph = sketchGraph('a', 'a>b', 'a>c', 'b>d')

test('given a graph, when it is packed and unpacked, then it is the same', () => {
  const nodesWith = (...changes: Partial<Graph['nodes'][number]>[]) => ({
    ...graph,
    nodes: graph.nodes.map((node, at) => ({ ...node, ...changes[at] })),
  })
  const stopped = nodesWith({}, {}, { status: 'stopped' })
  const graphs = [graph, { ...graph, nodes: [] }, { ...stopped, nodes: stopped.nodes.toReversed() }]
  const held = nodesWith({}, { holds: ['file'] })
  const linked = nodesWith({}, { copiedFromId: 'c' }, {}, { mergeParentId: 'c', copiedFromId: 'a' })
  for (const one of [...graphs, held, linked]) {
    expect(unpackGraph(JSON.parse(JSON.stringify(packGraph(one))))).toEqual(one)
  }
})

test('given a graph of which a part is missing, then it is refused, not read as another', () => {
  const packed = packGraph(graph)
  const cut = { ...packed, nodes: { ...packed.nodes, status: packed.nodes.status.slice(1) } }
  expect(() => unpackGraph(cut)).toThrow('Message "d" is not in every column')
})

test('given a graph without merges and copies, then nothing is sent for them', () => {
  const columns = Object.keys(packGraph(graph).nodes)
  expect(columns.filter((name) => ['mergeParentId', 'copiedFromId'].includes(name))).toEqual([])
})
