import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { indexGraph } from '@/lib/graph/graph-index'
import { withLiveReplies } from '@/lib/graph/live-replies'
import { headBeingRead, visibleGraph } from '@/lib/graph/visible-graph'
import type { Graph, GraphBranch } from '@/lib/protocol'
import { branch, messagesFrom, sketchGraph } from '@/testing/worlds/sketch-graph'

// a ─ b ─ c ─ d
//      └─ e ─ f
const forked = sketchGraph('a', 'a>b', 'b>c', 'c>d', 'b>e', 'e>f')
const archived = (name: string, headId: string): GraphBranch => branch(name, headId, { archivedAt: 1 })
const seen = (graph: Graph, branchId = 'main', showArchived = false): string =>
  visibleGraph(indexGraph(graph), { branchId, showArchived })
    .nodes.map(({ node }) => node.id)
    .join(' ')

const old = [branch('main', 'd'), archived('old', 'f')]
const two = [branch('main', 'd'), branch('second', 'f')]

describe('what is drawn', () => {
  const checkpoints = [{ id: 'k', name: 'good', messageId: 'e', createdAt: 0 }]
  const runs = [{ runId: 'r', branchId: 'old', replyTo: 'f', replyId: 'g' }]
  test.each<[string, Partial<Graph>, string]>([
    ['is every message, depth first', { branches: two }, 'a b c d e f'],
    ['leaves out what only an archived branch leads to', { branches: old }, 'a b c d'],
    ['keeps what another branch needs', { branches: [...old, branch('third', 'e')] }, 'a b c d e'],
    ['keeps what a checkpoint needs', { branches: old, checkpoints }, 'a b c d e'],
    ['keeps what a running reply needs', { branches: old, runs }, 'a b c d e f'],
    ['keeps messages no branch has reached yet', { branches: [branch('main', 'b')] }, 'a b c d e f'],
  ])('%s', (_, over, messages) => {
    expect(seen({ ...forked, ...over })).toBe(messages)
  })

  test('has what is archived where it is being read, or asked for', () => {
    expect(seen({ ...forked, branches: old }, 'old')).toBe('a b c d e f')
    expect(seen({ ...forked, branches: old }, 'main', true)).toBe('a b c d e f')
  })

  test('counts versions among those in sight', () => {
    const { byId } = visibleGraph(indexGraph({ ...forked, branches: two }), { branchId: 'main' })
    expect(byId.get('e')).toMatchObject({ parentId: 'b', childIds: ['f'], version: 2, versions: 2 })
    const hidden = visibleGraph(indexGraph({ ...forked, branches: old }), { branchId: 'main' })
    expect(hidden.byId.get('c')).toMatchObject({ version: 1, versions: 1 })
  })

  test('is the whole graph whatever its shape, a parent before its replies', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 40 }), (picks) => {
        const { nodes } = visibleGraph(indexGraph(sketchGraph(...messagesFrom(picks))), { branchId: 'main' })
        const met = new Set<string>()
        for (const { node, parentId } of nodes) {
          if (parentId !== null) expect(met.has(parentId)).toBe(true)
          met.add(node.id)
        }
        expect(met.size).toBe(picks.length)
      }),
    )
  })

  test('is the same whether or not another part of these messages was drawn before', () => {
    const heads = fc.array(fc.record({ head: fc.nat(), isArchived: fc.boolean() }), { maxLength: 4 })
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 20 }), fc.array(heads), (picks, states) => {
        const drawn = sketchGraph(...messagesFrom(picks))
        for (const state of states) {
          const branches = state.map(({ head, isArchived }, at) =>
            (isArchived ? archived : branch)(`b${at}`, drawn.nodes[head % drawn.nodes.length]?.id ?? ''),
          )
          const graph = { ...drawn, branches }
          for (const reading of ['main', 'b0', 'b1']) {
            const anew = { ...graph, nodes: [...graph.nodes] }
            expect(seen(graph, reading)).toBe(seen(anew, reading))
            expect(seen(graph, reading, true)).toBe(seen(anew, reading, true))
          }
        }
      }),
    )
  })
})

test('labels hang where branches and checkpoints point, a fresh branch at its fork', () => {
  const graph = {
    ...forked,
    branches: [branch('main', 'd'), branch('fresh', 'b'), branch('empty', null)],
    checkpoints: [{ id: 'k', name: 'good', messageId: 'b', createdAt: 0 }],
  }
  const { labels, emptyBranches } = visibleGraph(indexGraph(graph), { branchId: 'main' })
  expect(labels.get('d')?.branches.map(({ name }) => name)).toEqual(['main'])
  expect(labels.get('b')?.branches.map(({ name }) => name)).toEqual(['fresh'])
  expect(labels.get('b')?.checkpoints.map(({ name }) => name)).toEqual(['good'])
  expect(emptyBranches.map(({ name }) => name)).toEqual(['empty'])
})

describe('a branch with nothing of its own', () => {
  // a ─ b ─ c ─ d
  //      └─ e ─ f
  const opened = (name: string, headId: string, from = 'main') =>
    branch(name, headId, { parentBranchId: from })
  const at = (id: string, branches: GraphBranch[], branchId = 'main') => {
    const labels = visibleGraph(indexGraph({ ...forked, branches }), { branchId }).labels.get(id)
    const names = (all: GraphBranch[] = []) => all.map(({ name }) => name).join(' ')
    return `${names(labels?.branches)} | ${names(labels?.waiting)}`
  }

  test.each([
    ['waits behind the message it was opened at', 'b', 'main', [opened('fresh', 'b')], ' | fresh'],
    ['waits behind a head too', 'd', 'main', [opened('fresh', 'd')], 'main | fresh'],
    [
      'is shown while it is the one being read',
      ...['b', 'fresh'],
      [opened('fresh', 'b'), opened('other', 'b')],
      'fresh | other',
    ],
    [
      'is not one that others went on from',
      ...['e', 'main'],
      [opened('second', 'e'), opened('third', 'f', 'second')],
      'second | ',
    ],
    [
      'stands for the end of a line when the branch that wrote it is archived',
      ...['f', 'main'],
      [archived('old', 'f'), opened('fresh', 'f', 'old')],
      'fresh | ',
    ],
  ] as [string, string, string, GraphBranch[], string][])('%s', (_, id, read, branches, names) => {
    expect(at(id, [branch('main', 'd'), ...branches], read)).toBe(names)
  })
})

test('a reply being written is what its branch is read at, until it is stored', () => {
  const run = { runId: 'r', branchId: 'main', replyTo: 'd', replyId: 'g' }
  const running = { ...forked, branches: [branch('main', 'd')], runs: [run] }
  expect(headBeingRead(running, 'main')).toBe('g')
  expect(headBeingRead({ ...running, runs: [] }, 'main')).toBe('d')
  const stored = { ...forked, runs: [{ ...run, replyId: 'f', replyTo: 'e' }] }
  expect(withLiveReplies(indexGraph(stored)).graph).toBe(stored)
})
