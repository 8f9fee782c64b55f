import type { BranchId, MessageId } from '@/lib/events'
import type { Graph, GraphLane, GraphNode } from '@/lib/protocol'
import { extendIndex, type GraphIndex } from './graph-index'

/** Place of the next message, and the lane it opens there, if any. */
export interface NextPlace {
  lane: number
  depth: number
  opens: GraphLane | null
}

/**
 * Predicts the place the store will give the next message under a parent (`null`: a new root): the first reply
 * stays in its parent's lane, every later one opens a lane. Right as long as nothing else is written first.
 * An unknown parent counts as none.
 */
export function placeNext(index: GraphIndex, parentId: MessageId | null): NextPlace {
  const parent = parentId === null ? undefined : index.byId(parentId)
  const depth = parent ? parent.depth + 1 : 0
  if (parent && !index.at(parent.lane, depth)) return { lane: parent.lane, depth, opens: null }
  const lane = index.nextLane
  return { lane, depth, opens: { lane, parentLane: parent?.lane ?? null, baseDepth: depth } }
}

/** A reply on its way: the message it answers, and its id, each null until it is known. */
export interface Writing {
  branchId: BranchId
  base: MessageId | null
  replyId: MessageId | null
  startedAt: number
}

/**
 * The index with a node for every reply that is still being written, where the store will most likely put it, and its
 * branch ending on it: the replies given, and the runs the graph knows besides.
 */
export function withLiveReplies(index: GraphIndex, writing: readonly Writing[] = []): GraphIndex {
  let grown = index
  for (const { base, branchId, replyId, startedAt } of [...writing, ...otherRuns(index.graph, writing)]) {
    if (base === null || replyId === null || !grown.byId(base) || grown.byId(replyId)) continue
    const { lane, depth, opens } = placeNext(grown, base)
    const stands = { id: replyId, lane, depth, createdAt: startedAt }
    const node: GraphNode = { ...stands, role: 'assistant', preview: '', status: 'streaming' }
    const { graph } = grown
    grown = extendIndex(grown, {
      ...graph,
      nodes: [...graph.nodes, node],
      lanes: opens ? [...graph.lanes, opens] : graph.lanes,
      branches: graph.branches.map((branch) =>
        branch.id === branchId && branch.headId === base ? { ...branch, headId: replyId } : branch,
      ),
    })
  }
  return grown
}

function otherRuns({ nodes, runs }: Graph, writing: readonly Writing[]): Writing[] {
  const known = new Set(writing.map(({ replyId }) => replyId))
  const others = runs.filter(({ replyId }) => !known.has(replyId))
  if (others.length === 0) return []
  // the newest of all: the layout gives them the room that is left, and moves nothing for them
  const startedAt = nodes.reduce((latest, { createdAt }) => Math.max(latest, createdAt), 0) + 1
  return others.map(({ branchId, replyTo, replyId }) => ({ branchId, base: replyTo, replyId, startedAt }))
}
