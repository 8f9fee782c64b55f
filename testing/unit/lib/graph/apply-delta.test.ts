import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Graph, GraphDelta } from '@/lib/protocol'
import { applyDelta } from '@/lib/protocol'
import { branch, sketchGraph } from '@/testing/worlds/sketch-graph'

const delta = (seq: number, change: Partial<GraphDelta>): GraphDelta => ({ chatId: 'chat', seq, ...change })
const whole = sketchGraph('a', 'a>b', 'b>c', 'a>d')
const [a, b, c, d] = whole.nodes.map((node) => [node])
const [firstLane, secondLane] = whole.lanes.map((lane) => [lane])
const flag = (name: string, messageId: string) => ({
  id: `${name} ${messageId}`,
  name,
  messageId,
  createdAt: 0,
})
const run = { runId: 'r', branchId: 'main', replyTo: 'a', replyId: 'b' }
const empty = sketchGraph()

/** One chat's story, write by write. */
const story: GraphDelta[] = [
  delta(1, { nodes: a, lanes: firstLane, branches: [branch('main', 'a')], runs: [run] }),
  delta(2, { nodes: b, branches: [branch('main', 'b')], endedRuns: ['r'], title: 'A chat' }),
  delta(3, { checkpoints: [flag('good', 'b')] }),
  delta(4, { nodes: c, branches: [branch('main', 'c')] }),
  delta(5, { branches: [branch('second', 'a')], activeBranchId: 'second', removedCheckpoints: ['good'] }),
  delta(6, {
    nodes: d,
    lanes: secondLane,
    branches: [branch('second', 'd')],
    checkpoints: [flag('best', 'b')],
  }),
  delta(7, { checkpoints: [flag('best', 'd')], title: 'A better name' }),
]
const sorted = (graph: Graph) => ({
  ...graph,
  nodes: [...graph.nodes].sort((x, y) => x.createdAt - y.createdAt),
  lanes: [...graph.lanes].sort((x, y) => x.lane - y.lane),
  branches: [...graph.branches].sort((x, y) => x.name.localeCompare(y.name)),
})

describe('a delta', () => {
  const told = story.reduce(applyDelta, empty)

  test('brings what a write changed', () => {
    expect(told).toMatchObject({ seq: 7, title: 'A better name', activeBranchId: 'second', runs: [] })
    expect(told.nodes.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd'])
    expect(told.branches.map(({ headId }) => headId)).toEqual(['c', 'd'])
    expect(told.checkpoints).toEqual([flag('best', 'd')])
  })

  test('changes nothing the second time', () => {
    for (const again of story) expect(applyDelta(told, again)).toBe(told)
  })

  test('that gives a branch another model leaves it the reason why its reply failed; a new try or another head ends it', () => {
    const failure = { kind: 'overloaded' as const, message: 'Full.', advice: 'Wait.' }
    const reason = (...deltas: GraphDelta[]) => deltas.reduce(applyDelta, empty).branches[0]?.failure
    const failed = delta(1, { nodes: a, branches: [branch('main', 'a', { failure })] })
    const other = delta(2, { branches: [branch('main', 'a', { model: 'demo:demo' })] })
    expect(reason(failed, other)).toEqual(failure)
    expect(reason(failed, delta(2, { branches: [branch('main', 'a', { failure: null })] }))).toBeNull()
    expect(reason(failed, delta(2, { nodes: b, branches: [branch('main', 'b')] }))).toBeUndefined()
  })

  test('may come in any order, and twice', () => {
    const anyOrder = fc.shuffledSubarray([...story, ...story], { minLength: 14 })
    fc.assert(
      fc.property(anyOrder, (deltas) => {
        expect(sorted(deltas.reduce(applyDelta, empty))).toEqual(sorted(told))
      }),
    )
  })

  test('of before the graph was loaded moves nothing back', () => {
    const loaded: Graph = { ...told }
    expect(applyDelta(loaded, delta(2, { branches: [branch('main', 'b')], title: 'A chat' }))).toEqual(told)
    expect(applyDelta(loaded, delta(3, { checkpoints: [flag('good', 'b')], runs: [run] }))).toEqual(told)
  })

  test('leaves the arrays it does not touch as they are', () => {
    const next = applyDelta(told, delta(8, { branches: [branch('main', 'd')] }))
    for (const key of ['nodes', 'lanes', 'checkpoints', 'runs'] as const) expect(next[key]).toBe(told[key])
    expect(next.branches).not.toBe(told.branches)
    expect(told.branches[0]?.headId).toBe('c')
  })

  test('puts the stored message in the place of the one still streaming', () => {
    const writing = whole.nodes.map((node) => ({
      ...node,
      status: node.id === 'b' ? ('streaming' as const) : node.status,
    }))
    const next = applyDelta({ ...whole, nodes: writing }, delta(1, { nodes: b }))
    expect(next.nodes.find(({ id }) => id === 'b')?.status).toBe('done')
    expect(applyDelta(whole, delta(1, { nodes: writing })).nodes).toBe(whole.nodes)
  })

  test('of the position the graph was loaded at may tell of a run that began without an event', () => {
    const loaded: Graph = { ...told }
    const anew = { ...run, runId: 'anew', replyId: 'e' }
    const begun = applyDelta(loaded, delta(7, { runs: [anew] }))
    expect(begun.runs).toEqual([anew])
    expect(applyDelta(begun, delta(7, { runs: [anew] })).runs).toBe(begun.runs)
  })

  const toldAgain = (graph: Graph) =>
    [1, 2, 3].map((seq) => applyDelta(graph, delta(seq, { runs: [run] })).runs.length)

  test('that tells of a run’s end is the last word on it', () => {
    const ended = applyDelta(empty, delta(2, { runs: [run], endedRuns: ['r'] }))
    expect([ended.runs, toldAgain(ended)]).toEqual([[], [0, 0, 0]])
  })

  test('that brings a run’s reply ends the run, and no later word of the run begins it again', () => {
    const writing = applyDelta(empty, delta(1, { nodes: a, runs: [run] }))
    const stored = applyDelta(writing, delta(2, { nodes: b }))
    expect([writing.runs, stored.runs, toldAgain(stored)]).toEqual([[run], [], [0, 0, 0]])
  })

  test('of another chat is none of its business', () => {
    expect(applyDelta(told, { ...delta(9, { title: 'Not mine' }), chatId: 'other' })).toBe(told)
  })
})
