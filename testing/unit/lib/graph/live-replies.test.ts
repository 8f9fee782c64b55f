import fc from 'fast-check'
import { expect, test } from 'vitest'
import { indexGraph } from '@/lib/graph/graph-index'
import { placeNext, withLiveReplies } from '@/lib/graph/live-replies'
import { messagesFrom, sketchGraph } from '@/testing/worlds/sketch-graph'
import { branchedGraph } from '@/testing/worlds/testing-graph'

test('foretells every place of a graph as it was stored', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 30 }), (picks) => {
      const messages = messagesFrom(picks)
      const stored = sketchGraph(...messages)
      for (const [at, message] of messages.entries()) {
        const [parent, reply] = message.split('>')
        const before = indexGraph(sketchGraph(...messages.slice(0, at)))
        const next = placeNext(before, reply === undefined ? null : (parent ?? null))
        expect(next).toMatchObject({ lane: stored.nodes[at]?.lane, depth: stored.nodes[at]?.depth })
        expect(next.opens).toEqual(before.graph.lanes[next.lane] ? null : stored.lanes[next.lane])
      }
    }),
  )
})

const index = indexGraph(branchedGraph())
const turn = { branchId: 'main', base: 'd', replyId: 'r', startedAt: 99 }

test('draws a reply below what it answers, and the branch with it', () => {
  const { graph } = withLiveReplies(index, [turn])
  expect(graph.nodes.at(-1)).toMatchObject({ id: 'r', lane: 0, depth: 4, status: 'streaming' })
  expect(graph.branches[0]?.headId).toBe('r')
  expect(graph.lanes).toHaveLength(2)
})

test('opens a lane for a second reply', () => {
  const { graph } = withLiveReplies(index, [{ ...turn, branchId: 'new', base: 'c' }])
  expect(graph.nodes.at(-1)).toMatchObject({ lane: 2, depth: 3 })
  expect(graph.lanes.at(-1)).toEqual({ lane: 2, parentLane: 0, baseDepth: 3 })
})

test('gives two replies at once a place each', () => {
  const { graph } = withLiveReplies(index, [turn, { ...turn, branchId: 'x', base: 'c', replyId: 'r2' }])
  expect(graph.nodes.slice(-2).map(({ lane, depth }) => `${lane} ${depth}`)).toEqual(['0 4', '2 3'])
})

test.each([
  ['has no name yet', { ...turn, replyId: null }],
  ['answers nothing known', { ...turn, base: 'unknown' }],
  ['is stored already', { ...turn, replyId: 'e' }],
])('leaves the graph alone when a reply %s', (_, given) => {
  expect(withLiveReplies(index, [given]).graph).toBe(index.graph)
})

test('draws replies begun in another tab like those of this page, and each only once', () => {
  const elsewhere = (runId: string, branchId: string, replyTo: string) => ({
    runId,
    branchId,
    replyTo,
    replyId: runId,
  })
  const runs = [elsewhere('r', 'main', 'd'), elsewhere('s', 'other', 'e')]
  const { graph } = withLiveReplies(indexGraph({ ...index.graph, runs }), [turn])
  expect(graph.nodes.slice(-2)).toMatchObject([
    { id: 'r', lane: 0, depth: 4, status: 'streaming' },
    { id: 's', lane: 1, depth: 3, status: 'streaming' },
  ])
  expect(graph.branches.map(({ headId }) => headId)).toEqual(['r', 's'])
})
