import { describe, expect, it } from 'vitest'
import {
  type ChatAction,
  type ChatSession,
  changeChat,
  headOf,
  openChat,
} from '@/components/session/chat-session'
import type { Turn } from '@/components/session/turn'
import type { ChatMessage, Graph, GraphDelta } from '@/lib/protocol'
import { branchedGraph } from '@/testing/worlds/testing-graph'

const body = (id: string): ChatMessage => ({ id, role: 'user', parts: [{ type: 'text', text: id }] })
const open = (graph: Graph = branchedGraph(), unsaved = false) =>
  openChat({ graph, branchId: 'main', window: { messages: [body('c'), body('d')], start: 2 } }, unsaved)
const play = (state: ChatSession, ...actions: ChatAction[]) => actions.reduce(changeChat, state)

const branch = (id: string, headId: string | null) => ({
  id,
  name: id,
  headId,
  parentBranchId: null,
  createdAt: 5,
  archivedAt: null,
})
const rewound: GraphDelta = { chatId: 'chat', seq: 11, branches: [branch('third', 'b')] }

const turn = (key: string, branchId: string) =>
  ({
    key,
    branchId,
    phase: { is: 'sending' },
    base: 'd',
    user: body('u'),
    replyId: null,
    runId: null,
  }) as unknown as Turn

describe('what is shown of a branch', () => {
  it('is moved to a message, and back to the end with another branch', () => {
    const root = play(open(), { type: 'around', depth: 0 })
    expect(root).toMatchObject({ floor: 0, ceiling: null })
    const part: ChatSession = { ...root, ceiling: 1 }
    expect(play(part, { type: 'later' })).toMatchObject({ floor: 0, ceiling: null })
    expect(play(part, { type: 'end' })).toMatchObject({ floor: 0, ceiling: null })
    expect(play(part, { type: 'branch', branchId: 'other' }).ceiling).toBeNull()
  })
})

describe('a look at another branch', () => {
  const looked = () => play(open(), { type: 'look', branchId: 'other' })

  it('is over where it began, however many branches were looked at', () => {
    expect(looked()).toMatchObject({ branchId: 'other', lookedFrom: 'main' })
    const further = play(looked(), { type: 'look', branchId: 'main' }, { type: 'look', branchId: 'other' })
    expect(play(further, { type: 'look over' })).toMatchObject({ branchId: 'main', lookedFrom: null })
  })

  it('leads nowhere after a move', () => {
    const moves: ChatAction[] = [
      { type: 'branch', branchId: 'other' },
      { type: 'branch', branchId: 'main' },
      { type: 'delta', delta: rewound, goTo: 'third' },
    ]
    for (const move of moves) {
      const gone = play(looked(), move)
      expect(gone.lookedFrom).toBeNull()
      expect(play(gone, { type: 'look over' })).toBe(gone)
    }
  })
})

describe('a delta', () => {
  it.each<[string, string, ChatAction[]]>([
    ['is followed', 'third', []],
    ['does not pull a reader along who has gone elsewhere', 'other', [{ type: 'branch', branchId: 'other' }]],
  ])('is taken in, and %s', (_, branchId, before) => {
    const state = play(open(), ...before, { type: 'delta', delta: rewound, goTo: 'third', from: 'main' })
    expect(state.branchId).toBe(branchId)
    expect(headOf(state.index, 'third')).toBe('b')
  })

  it('of another chat changes nothing', () => {
    const state = open()
    const foreign = { ...rewound, chatId: 'another' }
    expect(play(state, { type: 'delta', delta: foreign }).index.graph).toBe(state.index.graph)
  })

  it('puts real branches in the place of a stand-in', () => {
    const empty = { ...branchedGraph(), seq: 0, nodes: [], lanes: [], branches: [branch('main', null)] }
    const delta = { chatId: 'chat', seq: 1, branches: [branch('real', null)], activeBranchId: 'real' }
    const state = play(open(empty, true), { type: 'delta', delta })
    expect(state.index.graph.branches.map(({ id }) => id)).toEqual(['real'])
    expect(state).toMatchObject({ branchId: 'real', unsaved: false })
  })
})

describe('what is written in another tab', () => {
  const elsewhere: GraphDelta = {
    ...branchedGraph(),
    seq: 20,
    activeBranchId: 'third',
    nodes: [{ ...branchedGraph().nodes[0], id: 'f', lane: 0, depth: 4 }] as GraphDelta['nodes'],
    branches: [
      { ...branch('main', 'f'), createdAt: 0 },
      { ...branch('other', 'e'), name: 'renamed', createdAt: 0 },
      branch('third', 'b'),
    ],
    runs: [{ runId: 'run', branchId: 'third', replyTo: 'b', replyId: 'r' }],
  }
  const reading = () => play(open(), { type: 'branch', branchId: 'other' }, { type: 'select', id: 'b' })

  it('and is known already, changes nothing to be seen', () => {
    const once = play(reading(), { type: 'delta', delta: elsewhere })
    const state = play(once, { type: 'delta', complete: true, delta: elsewhere })
    expect(state).toEqual({ ...once, readTo: 20 })
    expect(state.index).toBe(once.index)
  })
})

describe('bodies', () => {
  it('stay when branches are switched', () => {
    const state = play(
      open(),
      { type: 'branch', branchId: 'other' },
      { type: 'bodies', bodies: [body('e')] },
      { type: 'branch', branchId: 'main' },
    )
    expect([...state.bodies.keys()].sort()).toEqual(['c', 'd', 'e'])
  })
})

describe('a turn', () => {
  it('ends with its delta and its reply, in one step', () => {
    const delta = { chatId: 'chat', seq: 12, title: 'Named' }
    const began = play(open(), { type: 'turn', turn: turn('t', 'main') })
    const ended = { ...turn('t', 'main'), phase: { is: 'ended' as const, delta, bodies: [body('r')] } }
    const state = play(began, { type: 'turn', turn: ended })
    expect(state.turns).toEqual([])
    expect(state.index.graph.title).toBe('Named')
    expect(state.bodies.has('r')).toBe(true)
  })

  it('on one branch leaves that of another alone', () => {
    const state = play(
      open(),
      { type: 'turn', turn: turn('t', 'main') },
      { type: 'turn', turn: turn('s', 'other') },
      { type: 'turn', turn: { ...turn('t', 'main'), runId: 'run' } },
      { type: 'turn', turn: { ...turn('s', 'other'), phase: { is: 'ended' } } },
    )
    expect(state.turns).toMatchObject([{ key: 't', runId: 'run' }])
  })
})

describe('how far up the thread goes', () => {
  const long = (length: number): Graph => {
    const at = (depth: number) => ({ ...branchedGraph().nodes[0], id: `m${depth}`, depth })
    const nodes = Array.from({ length }, (_, depth) => at(depth)) as Graph['nodes']
    return {
      ...branchedGraph(),
      nodes,
      branches: [branch('main', `m${length - 1}`), branch('start', 'm9'), branch('mid', 'm499')],
    }
  }
  it.each([
    ['opens a shorter branch on its end', 950, 'mid', 450],
    ['opens a short branch whole', 950, 'start', 0],
    ['stays where the reader had got to', 420, 'mid', 420],
    ['does not load a whole long branch because a short one was read whole', 0, 'mid', 300],
  ])('%s', (_, floor, to, expected) => {
    expect(play({ ...open(long(1000)), floor }, { type: 'branch', branchId: to }).floor).toBe(expected)
  })

  it('never goes above the first message', () => {
    expect(play(open(), { type: 'earlier' }).floor).toBe(0)
  })
})

it('given writes of this page, when the rest is asked for, then it is asked for from where all was read', () => {
  const written = play(open(), { type: 'delta', delta: { chatId: 'chat', seq: 40 } })
  expect(written.readTo).toBe(open().readTo)
  const read = play(written, { type: 'delta', complete: true, delta: { chatId: 'chat', seq: 41 } })
  expect(read.readTo).toBe(41)
})
