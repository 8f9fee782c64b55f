import { describe, expect, it } from 'vitest'
import { modelOfBranch, placeOf, readChoices, withChoice } from '@/components/session/branch-model'
import { indexGraph } from '@/lib/graph'
import type { Graph, GraphAgent, GraphReplay } from '@/lib/protocol'
import { branch, sketchGraph } from '@/testing/worlds/sketch-graph'

const graph = {
  ...sketchGraph('a', 'a>b', 'b>c', 'b>d'),
  branches: [
    branch('main', 'b'),
    { ...branch('child', 'c'), parentBranchId: 'main' },
    { ...branch('grandchild', 'd'), parentBranchId: 'child' },
  ],
}
const index = indexGraph(graph)
const replay: GraphReplay = {
  ...{ replayId: 'r', branchId: 'child', sourceBranchId: 'main', fromId: 'a', asked: 1, total: 2 },
  ...{ model: 'two', status: 'running', reason: null, version: 1 },
}
const agent: GraphAgent = {
  ...{ branchId: 'child', messageId: 'c', client: 'OpenAI/JS', key: 'laptop', calledAt: 1 },
  ...{ model: 'two', steering: null },
}
/** The model of a branch where `choices` were made; that of main is kept for the chat. */
const on = (branchId: string, choices: Record<string, string>, more: Partial<Graph> = {}) =>
  modelOfBranch(
    indexGraph({ ...graph, ...more }),
    branchId,
    Object.entries(choices).map(([at, model]) => [at === 'main' ? graph.chatId : at, model]),
    (id) => ['one', 'two'].includes(id),
    'default',
  )

describe('the model of a branch', () => {
  it('given the first branch of a chat, then its choice is kept for the chat: it has another id once it is stored', () => {
    expect(placeOf(index, 'main')).toBe(graph.chatId)
    expect(placeOf(index, 'not stored yet')).toBe(graph.chatId)
    expect(placeOf(index, 'child')).toBe('child')
  })

  it.each<[string, string, Record<string, string>, string, Partial<Graph>?]>([
    ['a choice on a branch: there', 'child', { child: 'one' }, 'one'],
    ['a choice on a branch: on what came from it', 'grandchild', { child: 'one' }, 'one'],
    ['a choice on a branch: not elsewhere', 'main', { child: 'one' }, 'default'],
    ['choices on both: the nearer', 'grandchild', { grandchild: 'two', main: 'one' }, 'two'],
    ['the branch of a replay: its model', 'child', { main: 'one' }, 'two', { replays: [replay] }],
    ['the branch of a replay: one that is chosen', 'child', { child: 'one' }, 'one', { replays: [replay] }],
    ['a branch that an agent writes on: its model', 'child', {}, 'two', { agents: [agent] }],
    [
      'a branch that an agent writes on: one that is chosen',
      'child',
      { child: 'one' },
      'one',
      { agents: [agent] },
    ],
    ['a branch beside that of an agent', 'main', {}, 'default', { agents: [agent] }],
    ['a model that is gone: the next choice', 'grandchild', { grandchild: 'gone', main: 'one' }, 'one'],
    ['a model that is gone, and no other choice', 'grandchild', { grandchild: 'gone' }, 'default'],
    ['a branch that is not known', 'elsewhere', { child: 'one' }, 'default'],
  ])('given %s', (_, branchId, choices, model, more) => {
    expect(on(branchId, choices, more)).toBe(model)
  })

  it('given more than 200 choices, then the oldest is forgotten; a later choice on a branch takes the place of its first', () => {
    const many = Array.from({ length: 200 }, (_, at): [string, string] => [`b${at}`, 'one'])
    expect(withChoice(many, 'new', 'two')).toHaveLength(200)
    expect(withChoice(many, 'new', 'two')).not.toContainEqual(['b0', 'one'])
    const two: [string, string][] = ['a', 'b'].map((at) => [at, 'one'])
    expect(withChoice(two, 'a', 'two')).toEqual([two[1], ['a', 'two']])
  })

  it.each(['', '{', '{}', '[1]', '[["a"]]', '[["a", 1]]'])(
    'given %j where choices are kept, then there are none',
    (stored) => {
      expect(readChoices(stored)).toEqual([])
    },
  )
})
