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

describe('what is drawn', () => {
  test('is every message, depth first', () => {
    expect(seen({ ...forked, branches: [branch('main', 'd'), branch('second', 'f')] })).toBe('a b c d e f')
  })

  test('leaves out what only an archived branch leads to', () => {
    const graph = { ...forked, branches: [branch('main', 'd'), archived('old', 'f')] }
    expect(seen(graph)).toBe('a b c d')
    expect(seen(graph, 'main', true)).toBe('a b c d e f')
  })

  test('keeps what another branch, a checkpoint or a running reply needs', () => {
    const branches = [branch('main', 'd'), archived('old', 'f')]
    expect(seen({ ...forked, branches: [...branches, branch('third', 'e')] })).toBe('a b c d e')
    const checkpoints = [{ id: 'k', name: 'good', messageId: 'e', createdAt: 0 }]
    expect(seen({ ...forked, branches, checkpoints })).toBe('a b c d e')
    const runs = [{ runId: 'r', branchId: 'old', replyTo: 'f', replyId: 'g' }]
    expect(seen({ ...forked, branches, runs })).toBe('a b c d e f')
  })

  test('keeps the branch being read, archived or not', () => {
    const branches = [branch('main', 'd'), archived('old', 'f')]
    expect(seen({ ...forked, branches }, 'old')).toBe('a b c d e f')
  })

  test('keeps messages no branch has reached yet', () => {
    expect(seen({ ...forked, branches: [branch('main', 'b')] })).toBe('a b c d e f')
  })

  test('counts versions among those in sight', () => {
    const branches = [branch('main', 'd'), branch('second', 'f')]
    const { byId } = visibleGraph(indexGraph({ ...forked, branches }), { branchId: 'main' })
    expect(byId.get('e')).toMatchObject({ parentId: 'b', childIds: ['f'], version: 2, versions: 2 })
    const old = [branch('main', 'd'), archived('old', 'f')]
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

  test('waits behind the message it was opened at', () => {
    expect(at('b', [branch('main', 'd'), opened('fresh', 'b')])).toBe(' | fresh')
    expect(at('d', [branch('main', 'd'), opened('fresh', 'd')])).toBe('main | fresh')
  })

  test('is shown while it is the one being read', () => {
    const branches = [branch('main', 'd'), opened('fresh', 'b'), opened('other', 'b')]
    expect(at('b', branches, 'fresh')).toBe('fresh | other')
  })

  test('is not one that others went on from', () => {
    const branches = [branch('main', 'b'), opened('second', 'e'), opened('third', 'f', 'second')]
    expect(at('e', branches)).toBe('second | ')
  })

  test('stands for the end of a line when the branch that wrote it is archived', () => {
    expect(at('f', [branch('main', 'd'), archived('old', 'f'), opened('fresh', 'f', 'old')])).toBe('fresh | ')
  })
})

describe('a reply being written', () => {
  const run = { runId: 'r', branchId: 'main', replyTo: 'd', replyId: 'g' }
  const running = { ...forked, branches: [branch('main', 'd')], runs: [run] }

  test('shows where it will stand', () => {
    const place = { lane: 0, depth: 4, status: 'streaming' }
    expect(withLiveReplies(indexGraph(running)).byId('g')).toMatchObject(place)
  })

  test('opens a lane of its own beside an earlier answer', () => {
    const again = { ...running, runs: [{ ...run, replyTo: 'c' }] }
    const index = withLiveReplies(indexGraph(again))
    expect(index.byId('g')).toMatchObject({ lane: 2, depth: 3 })
    expect(index.parentOf('g')?.id).toBe('c')
  })

  test('is what its branch is read at, until it is stored', () => {
    expect(headBeingRead(running, 'main')).toBe('g')
    expect(headBeingRead({ ...running, runs: [] }, 'main')).toBe('d')
    const stored = { ...forked, runs: [{ ...run, replyId: 'f', replyTo: 'e' }] }
    expect(withLiveReplies(indexGraph(stored)).graph).toBe(stored)
  })
})
