import { describe, expect, it } from 'vitest'
import type { GraphNode } from '@/lib/protocol'
import { branch, sketchGraph } from '@/testing/worlds/sketch-graph'
import { drawnGraph } from './drawn-graph'
import { stepRuns } from './fold-stretches'
import { foldedSteps } from './folded-steps'
import { indexGraph } from './graph-index'
import { outlineRows } from './outline/outline-rows'
import { lineHeirs, outlineTree } from './outline/outline-tree'
import { visibleGraph } from './visible-graph'

/** A chain of messages whose names say what they are: `s…` steps, `t…` answers of tools, `c…` added context, `w…` words with a call, else words. */
function chain(headId: string, ...messages: string[]) {
  const graph = sketchGraph(...messages)
  graph.branches = [branch('main', headId)]
  graph.nodes = graph.nodes.map((node): GraphNode => {
    if (node.id.startsWith('c')) return { ...node, role: 'system', holds: ['context'] }
    if (node.id.startsWith('t')) return { ...node, role: 'tool', holds: ['tool', 'step'] }
    if (/^w\d/.test(node.id)) return { ...node, role: 'assistant', holds: ['tool'] }
    return node.id.startsWith('s') ? { ...node, role: 'assistant', holds: ['tool', 'step'] } : node
  })
  return graph
}
const runsOf = (...given: Parameters<typeof chain>) => [
  ...stepRuns(visibleGraph(indexGraph(chain(...given)), { branchId: 'main' })),
]

describe('steps of agents that open folded', () => {
  it('given calls and answers between words, then those in a row fold, and the words stay', () => {
    // q ─ s1 ─ t1 ─ s2 ─ t2 ─ words ─ s3 ─ t3 ─ end
    const line = ['q', 'q>s1', 's1>t1', 't1>s2', 's2>t2', 't2>words', 'words>s3', 's3>t3', 't3>end']
    expect(runsOf('end', ...line)).toEqual(['s1', 't1', 's2', 't2', 's3', 't3'])
  })

  it('given context that an agent has added, then it folds with the steps beside it', () => {
    // q ─ c1 ─ s1 ─ t1 ─ c2 ─ s2 ─ t2 ─ words ─ c3 ─ end
    const line = ['q', 'q>c1', 'c1>s1', 's1>t1', 't1>c2', 'c2>s2', 's2>t2', 't2>words', 'words>c3', 'c3>end']
    expect(runsOf('end', ...line)).toEqual(['c1', 's1', 't1', 'c2', 's2', 't2'])
  })

  it('given words with three calls in a row, then all of it folds; of fewer the words stay', () => {
    // q ─ w1 ─ t1 ─ s2 ─ t2 ─ w3 ─ t3 ─ words ─ w4 ─ t4 ─ end
    const line = ['q', 'q>w1', 'w1>t1', 't1>s2', 's2>t2', 't2>w3', 'w3>t3', 't3>words']
    const rest = ['words>w4', 'w4>t4', 't4>end']
    expect(runsOf('end', ...line, ...rest)).toEqual(
      expect.arrayContaining(['w1', 't1', 's2', 't2', 'w3', 't3']),
    )
    expect(runsOf('end', ...line, ...rest)).toHaveLength(6)
  })

  it('given a fork, or the end of a branch, then the messages there stay', () => {
    // q ─ s1 ─ t1 ─ s2 ─ t2
    //           └── other
    const line = ['q', 'q>s1', 's1>t1', 't1>s2', 's2>t2', 't1>other']
    expect(runsOf('t2', ...line)).toEqual([])
  })

  it('given one step alone, then it stays a message', () => {
    expect(runsOf('end', 'q', 'q>s1', 's1>end')).toEqual([])
  })
})

describe('the rows of an outline that is not folded', () => {
  const rowsOf = (headId: string, ...messages: string[]) => {
    const index = indexGraph(chain(headId, ...messages))
    const visible = visibleGraph(index, { branchId: 'main' })
    const lit = new Set(index.chainTo(headId).map(({ id }) => id))
    const tree = outlineTree(drawnGraph(visible), lineHeirs(index))
    return outlineRows(tree, visible, { lit, branchId: 'main', opened: new Set() }).map(({ id }) => id)
  }

  it('given a call and its answer, then they are one row', () => {
    expect(rowsOf('end', 'q', 'q>s1', 's1>t1', 't1>s2', 's2>t2', 't2>end')).toEqual(['q', 't1', 't2', 'end'])
  })

  it('given a call that a branch leaves or ends at, then it has a row', () => {
    expect(rowsOf('t1', 'q', 'q>s1', 's1>t1', 's1>other')).toContain('s1')
    expect(rowsOf('s1', 'q', 'q>s1')).toEqual(['q', 's1'])
  })
})

describe('what folded steps did', () => {
  const node = (role: string, preview: string, holds: GraphNode['holds'] = ['tool', 'step']): GraphNode => ({
    id: preview,
    role,
    preview,
    holds,
    lane: 0,
    depth: 0,
    status: 'done',
    createdAt: 0,
  })

  it('given a call and its answer, then it is the line of the answer', () => {
    const call = node('assistant', 'edit lease22.ts')
    expect(foldedSteps([call, node('tool', 'edit lease22.ts ✕ locked')])).toBe('edit lease22.ts ✕ locked')
    expect(foldedSteps([node('tool', 'edit a.ts ✓'), call])).toBe('2 edits')
  })

  it('given many, then it is their sum; of other messages there is none', () => {
    const edits = [
      node('assistant', '2 edits'),
      node('tool', '2 edits, 1 failed'),
      node('assistant', 'Edit a.ts ✓'),
    ]
    expect(foldedSteps(edits)).toBe('3 edits, 1 failed')
    expect(foldedSteps([...edits, node('assistant', 'I am done.', [])])).toBeNull()
    const added = node('system', 'Use the task tools.', ['context'])
    expect(foldedSteps([...edits, added])).toBe('3 edits, 1 failed')
    expect(foldedSteps([added, added])).toBe('Context the agent added')
  })
})

describe('a tool that waits for a person', () => {
  it('given the end of a branch, then it waits; once the chat goes on, it does not', () => {
    const graph = sketchGraph('q', 'q>a', 'a>b')
    graph.nodes = graph.nodes.map((each) =>
      each.id === 'a' ? { ...each, holds: ['tool', 'question'] } : each,
    )
    graph.branches = [branch('main', 'b'), branch('other', 'a'), branch('empty', null)]
    const index = indexGraph(graph)
    expect(graph.branches.map((each) => index.waits(each))).toEqual([false, true, false])
    expect(['q', 'a', 'b', 'nowhere'].map((id) => index.asksAt(id))).toEqual([false, true, false, false])
  })
})
