import { expect, test } from 'vitest'
import { movementWords } from '@/components/explorer/time/movement-words'
import { indexGraph, Timeline } from '@/lib/graph'
import type { GraphNode, Movement } from '@/lib/protocol'
import { branch } from '@/testing/worlds/sketch-graph'

const node = (depth: number, role: string, preview: string, over: Partial<GraphNode> = {}): GraphNode => ({
  id: `m${depth}`,
  lane: 0,
  depth,
  role,
  preview,
  status: 'done',
  createdAt: depth,
  ...over,
})
const branches = [branch('main', 'm3', { id: 'b' }), branch('trip', 'm0', { id: 's' })]
const graph = {
  chatId: 'c',
  seq: 0,
  title: null,
  activeBranchId: 'b',
  branches,
  checkpoints: [],
  runs: [],
  lanes: [{ lane: 0, parentLane: null, baseDepth: 0 }],
  nodes: [
    node(0, 'user', 'what is **2+2**'),
    node(1, 'assistant', `It is 4, ${'and so on, '.repeat(9)}`),
    node(2, 'user', 'and?'),
    node(3, 'assistant', 'Well', { status: 'stopped' }),
  ],
}
const at = (depth: number) => ({ place: { lane: 0, depth } })

const movements = [
  { kind: 'opened', branchId: 'b', name: 'main', from: null, place: null },
  { kind: 'message', branchId: 'b', ...at(0) },
  { kind: 'message', branchId: 'b', ...at(1) },
  { kind: 'opened', branchId: 's', name: 'side', from: 'b', ...at(0) },
  { kind: 'renamed', branchId: 's', name: 'trip' },
  { kind: 'switched', branchId: 's' },
  { kind: 'archived', branchId: 'b' },
  { kind: 'restored', branchId: 'b' },
  { kind: 'saved', name: 'good', checkpointId: 'k', ...at(0) },
  { kind: 'moved', name: 'good', ...at(2) },
  { kind: 'removed', name: 'good' },
  { kind: 'message', branchId: 'b', ...at(3) },
].map((movement, place) => ({ ...movement, seq: place + 1, at: 0 })) as Movement[]

test('given everything that moves, then each is said in a sentence, its branches by their titles', () => {
  const index = indexGraph(graph)
  const timeline = new Timeline(index, movements)
  expect(movements.map((_, before) => movementWords(timeline, index, before + 1))).toEqual([
    'Began on Main line',
    'You asked “what is 2+2” on Main line',
    'Assistant said “It is 4, and so on, and so on, and so on, and so…” on Main line',
    'Opened side at “what is 2+2”',
    'Renamed side to trip',
    'Went to trip',
    'Archived Main line',
    'Brought Main line back',
    'Saved checkpoint “good” at “what is 2+2”',
    'Moved checkpoint “good” to “and?”',
    'Removed checkpoint “good”',
    'Assistant was stopped at “Well” on Main line',
  ])
  expect(movementWords(timeline, index, 0)).toBe('Nothing yet')
})
