import { type GraphIndex, indexGraph } from '@/lib/graph/graph-index'
import { placeNext } from '@/lib/graph/place-next'
import type { Graph, GraphNode } from '@/lib/protocol'
import type { Turn } from './turn'

type Writing = Pick<Turn, 'base' | 'branchId' | 'replyId' | 'startedAt'>

/**
 * The graph with a node for every reply that is still being written, where the store will most likely put it: those of
 * this page, and those begun in another tab or by a script.
 */
export function liveGraph(index: GraphIndex, turns: readonly Writing[]): Graph {
  let current = index
  for (const { base, branchId, replyId, startedAt } of [...turns, ...begunElsewhere(index.graph, turns)]) {
    if (base === null || replyId === null || !current.byId(base) || current.byId(replyId)) continue
    const { lane, depth, opens } = placeNext(current, base)
    const node: GraphNode = {
      id: replyId,
      lane,
      depth,
      role: 'assistant',
      preview: '',
      status: 'streaming',
      createdAt: startedAt,
    }
    const { graph } = current
    current = indexGraph({
      ...graph,
      nodes: [...graph.nodes, node],
      lanes: opens ? [...graph.lanes, opens] : graph.lanes,
      branches: graph.branches.map((branch) =>
        branch.id === branchId && branch.headId === base ? { ...branch, headId: replyId } : branch,
      ),
    })
  }
  return current.graph
}

function begunElsewhere({ nodes, runs }: Graph, turns: readonly Writing[]): Writing[] {
  const here = new Set(turns.map(({ replyId }) => replyId))
  const others = runs.filter(({ replyId }) => !here.has(replyId))
  if (others.length === 0) return []
  // the newest of all, so that the layout gives them what is left and moves nothing for them
  const startedAt = nodes.reduce((latest, { createdAt }) => Math.max(latest, createdAt), 0) + 1
  return others.map(({ branchId, replyTo, replyId }) => ({ branchId, base: replyTo, replyId, startedAt }))
}
