import { describe, expect, test } from 'vitest'
import { indexGraph } from '@/lib/graph/graph-index'
import { Timeline } from '@/lib/graph/history/timeline'
import type { Movement } from '@/lib/protocol'
import { sketchGraph } from '@/testing/worlds/sketch-graph'

// a ─ b ─ c        main
//      └─ d        side, later called trip
const graph = sketchGraph('a', 'a>b', 'b>c', 'b>d')

type Told = Movement extends infer M ? (M extends Movement ? Omit<M, 'seq' | 'at'> : never) : never
const log = (...told: Told[]): Movement[] =>
  told.map((movement, at) => ({ ...movement, seq: 10 * (at + 1), at: 1000 * (at + 1) }) as Movement)
const said = (branchId: string, lane: number, depth: number): Told => ({
  kind: 'message',
  branchId,
  place: { lane, depth },
})

const movements = log(
  /* 1 */ { kind: 'opened', branchId: 'main', name: 'main', from: null, place: null },
  /* 2 */ said('main', 0, 0),
  /* 3 */ said('main', 0, 1),
  /* 4 */ said('main', 0, 2),
  /* 5 */ { kind: 'saved', name: 'good', checkpointId: 'k1', place: { lane: 0, depth: 1 } },
  /* 6 */ { kind: 'opened', branchId: 's', name: 'side', from: 'main', place: { lane: 0, depth: 1 } },
  /* 7 */ { kind: 'switched', branchId: 's' },
  /* 8 */ said('s', 1, 2),
  /* 9 */ { kind: 'renamed', branchId: 's', name: 'trip' },
  /* 10 */ { kind: 'moved', name: 'good', place: { lane: 0, depth: 2 } },
  /* 11 */ { kind: 'archived', branchId: 'main' },
  /* 12 */ { kind: 'removed', name: 'good' },
  /* 13 */ { kind: 'restored', branchId: 'main' },
)
const timeline = new Timeline(indexGraph(graph), movements)

/** A graph in a line: its messages, branches with their heads, flags, and where it opens. */
function drawn(position: number): string {
  const { nodes, branches, checkpoints, activeBranchId } = timeline.graphAt(position)
  const refs = branches.map(
    ({ name, headId, archivedAt }) => `${archivedAt === null ? '' : '-'}${name}:${headId ?? ''}`,
  )
  const flags = checkpoints.map(({ name, messageId }) => `${name}@${messageId}`)
  return [nodes.map(({ id }) => id).join(''), ...refs, ...flags, `*${activeBranchId}`].join(' ')
}

describe('the graph as it was', () => {
  test('given a chat with everything that moves, when it is looked at after each, then it is as it was then', () => {
    expect(Array.from({ length: 13 }, (_, at) => drawn(at + 1))).toEqual([
      ' main: *main',
      'a main:a *main',
      'ab main:b *main',
      'abc main:c *main',
      'abc main:c good@b *main',
      'abc main:c side:b good@b *main',
      'abc main:c side:b good@b *s',
      'abcd main:c side:d good@b *s',
      'abcd main:c trip:d good@b *s',
      'abcd main:c trip:d good@c *s',
      'abcd -main:c trip:d good@c *s',
      'abcd -main:c trip:d *s',
      'abcd main:c trip:d *s',
    ])
  })

  test('given any order of looking, then each position answers the same; beyond the ends there is nothing new', () => {
    const there = Array.from({ length: 14 }, (_, at) => timeline.graphAt(at))
    const back = Array.from({ length: 14 }, (_, at) => timeline.graphAt(13 - at)).reverse()
    expect(back).toEqual(there)
    expect(timeline.graphAt(99)).toEqual(there[13])
    expect(timeline.graphAt(-1)).toMatchObject({ seq: 0, nodes: [], branches: [], lanes: [] })
  })

  test('given its messages, then they are those of today, and a lane is there with its first', () => {
    const { seq, nodes, lanes } = timeline.graphAt(8)
    expect(seq).toBe(80)
    expect(nodes.every((node) => graph.nodes.includes(node))).toBe(true)
    expect(lanes.map(({ lane }) => lane)).toEqual([0, 1])
    expect(timeline.graphAt(7).lanes.map(({ lane }) => lane)).toEqual([0])
  })

  test('given what kept a name through its moves, then it keeps its id, and says when it moved last', () => {
    expect(timeline.graphAt(10).checkpoints).toEqual([
      { id: 'k1', name: 'good', messageId: 'c', createdAt: 10_000 },
    ])
    expect(timeline.graphAt(12).branches[0]).toMatchObject({ archivedAt: 11_000, createdAt: 1000 })
  })

  test('given more movements than are kept apart, then each is followed', () => {
    const named = (at: number): Told => ({ kind: 'renamed', branchId: 'main', name: `n${at + 1}` })
    const opened: Told = { kind: 'opened', branchId: 'main', name: 'n0', from: null, place: null }
    const many = log(opened, ...Array.from({ length: 200 }, (_, at) => named(at)))
    const renamed = new Timeline(indexGraph(graph), many)
    const names = Array.from({ length: 201 }, (_, at) => renamed.graphAt(at + 1).branches[0]?.name)
    expect(names).toEqual(Array.from({ length: 201 }, (_, at) => `n${at}`))
  })
})

test('given a movement, then the graph is read on the branch that got something, else where the chat opened', () => {
  const reading = Array.from({ length: 8 }, (_, at) => timeline.readingAt(at + 1))
  expect(reading).toEqual(['main', 'main', 'main', 'main', 'main', 's', 's', 's'])
  expect(timeline.readingAt(11)).toBe('s')
  const elsewhere = log(...movements.slice(0, 6), said('s', 1, 2))
  expect(new Timeline(indexGraph(graph), elsewhere).readingAt(7)).toBe('s')
})

test('given where branches opened and checkpoints stood, then no stretch is folded across them', () => {
  expect([...timeline.marked].sort()).toEqual(['b', 'c'])
})

test('given movements of messages that are not there yet, then they change nothing', () => {
  const early = new Timeline(indexGraph(sketchGraph('a', 'a>b')), movements)
  expect(early.graphAt(13).branches.map(({ headId }) => headId)).toEqual(['b', 'b'])
  expect(early.graphAt(13).nodes.map(({ id }) => id)).toEqual(['a', 'b'])
})

test('given heads that moved without a message, when the graph is looked at then, then the branch stands where it stood', () => {
  const before = movements.slice(0, 4).map(({ seq: _, at: __, ...told }) => told as Told)
  const headed = [{ lane: 0, depth: 1 }, null].map(
    (place): Told => ({ kind: 'headed', branchId: 'main', place }),
  )
  const moved = new Timeline(indexGraph(graph), log(...before, ...headed))
  const heads = [4, 5, 6].map((position) => moved.refsAt(position).branches.get('main')?.headId)
  expect(heads).toEqual(['c', 'b', null])
  expect(moved.graphAt(5).nodes).toHaveLength(3)
  expect(moved.readingAt(5)).toBe('main')
})
