import { describe, expect, it } from 'vitest'
import { modelOfBranch, placeOf, readChoices, withChoice } from '@/components/session/branch-model'
import { indexGraph } from '@/lib/graph'
import type { GraphAgent, GraphReplay } from '@/lib/protocol'
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
const on = (branchId: string, choices: [string, string][], offered = ['one', 'two']) =>
  modelOfBranch(
    index,
    branchId,
    choices.map(([at, model]) => [at === 'main' ? graph.chatId : at, model]),
    (id) => offered.includes(id),
    'default',
  )

describe('the model of a branch', () => {
  it('given a choice on a branch, then it holds there and on what came from it, and nowhere else', () => {
    expect(on('child', [['child', 'one']])).toBe('one')
    expect(on('grandchild', [['child', 'one']])).toBe('one')
    expect(on('main', [['child', 'one']])).toBe('default')
  })

  it('given the first branch of a chat, then its choice is kept for the chat: it has another id once it is stored', () => {
    expect(placeOf(index, 'main')).toBe(graph.chatId)
    expect(placeOf(index, 'not stored yet')).toBe(graph.chatId)
    expect(placeOf(index, 'child')).toBe('child')
  })

  it('given choices on both, then the nearer one holds', () => {
    expect(
      on('grandchild', [
        ['grandchild', 'two'],
        ['main', 'one'],
      ]),
    ).toBe('two')
  })

  it('given a branch of a replay with another model, then that one holds there, unless one is chosen', () => {
    const replay: GraphReplay = {
      ...{ replayId: 'r', branchId: 'child', sourceBranchId: 'main', fromId: 'a', asked: 1, total: 2 },
      ...{ model: 'two', status: 'running', reason: null, version: 1 },
    }
    const replayed = indexGraph({ ...graph, replays: [replay] })
    const onChild = (choices: [string, string][]) =>
      modelOfBranch(replayed, 'child', choices, (id) => ['one', 'two'].includes(id), 'default')
    expect(onChild([[graph.chatId, 'one']])).toBe('two')
    expect(onChild([['child', 'one']])).toBe('one')
  })

  it('given a branch that an agent writes on, then a person goes on with its model, unless one is chosen', () => {
    const agent: GraphAgent = {
      ...{ branchId: 'child', messageId: 'c', client: 'OpenAI/JS', key: 'laptop', calledAt: 1 },
      ...{ model: 'two', steering: null },
    }
    const called = indexGraph({ ...graph, agents: [agent] })
    const onChild = (choices: [string, string][]) =>
      modelOfBranch(called, 'child', choices, (id) => ['one', 'two'].includes(id), 'default')
    expect(onChild([])).toBe('two')
    expect(onChild([['child', 'one']])).toBe('one')
    expect(modelOfBranch(called, 'main', [], () => true, 'default')).toBe('default')
  })

  it('given a model that is not offered any more, then the next choice holds', () => {
    expect(
      on('grandchild', [
        ['grandchild', 'gone'],
        ['main', 'one'],
      ]),
    ).toBe('one')
    expect(on('grandchild', [['grandchild', 'gone']])).toBe('default')
  })

  it('given a branch that is not known, then its default', () => {
    expect(on('elsewhere', [['child', 'one']])).toBe('default')
  })

  it('given more than 200 choices, then the oldest is forgotten; a later choice on a branch takes the place of its first', () => {
    const many = Array.from({ length: 200 }, (_, at): [string, string] => [`b${at}`, 'one'])
    expect(withChoice(many, 'new', 'two')).toHaveLength(200)
    expect(withChoice(many, 'new', 'two')).not.toContainEqual(['b0', 'one'])
    expect(
      withChoice(
        [
          ['a', 'one'],
          ['b', 'one'],
        ],
        'a',
        'two',
      ),
    ).toEqual([
      ['b', 'one'],
      ['a', 'two'],
    ])
  })

  it.each(['', '{', '{}', '[1]', '[["a"]]', '[["a", 1]]'])(
    'given %j where choices are kept, then there are none',
    (stored) => {
      expect(readChoices(stored)).toEqual([])
    },
  )
})
