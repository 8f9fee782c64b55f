import type { Graph, GraphNode } from '@/lib/graph'
import { type GraphIndex, indexGraph } from '@/lib/graph/graph-index'
import { placeNext } from '@/lib/graph/place-next'
import type { Turn } from './turn'

/** The graph with a node for every reply that is still being written, where the store will most likely put it. */
export function liveGraph(
  index: GraphIndex,
  turns: readonly Pick<Turn, 'base' | 'branchId' | 'replyId' | 'startedAt'>[],
): Graph {
  let current = index
  for (const { base, branchId, replyId, startedAt } of turns) {
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
