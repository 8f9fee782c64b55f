import { describe, expect, it } from 'vitest'
import { type Graph, type GraphBranch, type GraphNode, indexGraph } from '@/lib/graph'
import { comparedBranch } from './compared-branch'

const node = (id: string, lane: number, depth: number): GraphNode => ({
  ...{ id, lane, depth, role: depth % 2 === 0 ? 'user' : 'assistant', preview: id },
  ...{ status: 'done', createdAt: depth + lane * 10 },
})
const branch = (id: string, headId: string, archivedAt: number | null = null): GraphBranch => ({
  ...{ id, name: id, headId, archivedAt, parentBranchId: null, createdAt: 0 },
})

// a ─ b ─ d
//  └─ c
const graph = (...branches: GraphBranch[]): Graph => ({
  ...{ chatId: 'chat', seq: 1, title: null, activeBranchId: 'main', checkpoints: [], runs: [], branches },
  nodes: [node('a', 0, 0), node('b', 0, 1), node('d', 0, 2), node('c', 1, 1)],
  lanes: [
    { lane: 0, parentLane: null, baseDepth: 0 },
    { lane: 1, parentLane: 0, baseDepth: 1 },
  ],
})
const compared = (id: string, branchId: string, ...branches: GraphBranch[]) =>
  comparedBranch({ index: indexGraph(graph(...branches)), branchId }, id)?.id

describe('the branch a message stands for', () => {
  const main = branch('main', 'd')
  const other = branch('other', 'c')

  it('is the one it is the head of, else the one being read, else the one that holds it', () => {
    expect(compared('d', 'other', main, other)).toBe('main')
    expect(compared('a', 'other', main, other)).toBe('other')
    expect(compared('a', 'main', main, other)).toBe('main')
    expect(compared('b', 'other', main, other)).toBe('main')
  })

  it('is the one being read, of several with one head', () => {
    expect(compared('d', 'twin', main, branch('twin', 'd'))).toBe('twin')
    expect(compared('d', 'other', main, branch('twin', 'd'), other)).toBe('main')
  })

  it('is one that was put away only where no other leads', () => {
    expect(compared('b', 'main', branch('old', 'b', 5), main)).toBe('main')
    expect(compared('d', 'other', branch('old', 'd', 5), main, other)).toBe('main')
    expect(compared('c', 'main', main, branch('old', 'c', 5))).toBe('old')
    expect(compared('c', 'main', main)).toBeUndefined()
  })
})
