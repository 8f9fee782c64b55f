'use client'

import { useState } from 'react'
import type { BranchId } from '@/lib/events'
import {
  extendIndex,
  type Graph,
  headBeingRead,
  indexGraph,
  placeNodes,
  visibleGraph,
  withLiveReplies,
} from '@/lib/graph'

/** Everything the drawing is made of that follows from the graph and the branch being read. */
export function useGraphModel(graph: Graph, branchId: BranchId) {
  const [stored, setStored] = useState(() => indexGraph(graph))
  // the index grows from the one before it, instead of from nothing
  const current = extendIndex(stored, graph)
  if (current !== stored) setStored(current)

  const index = withLiveReplies(current)
  const visible = visibleGraph(index, { branchId })
  const placement = placeNodes(visible)
  const headId = headBeingRead(index.graph, branchId)
  const lit = new Set(headId === null ? [] : index.chainTo(headId).map((node) => node.id))
  return { index, visible, placement, headId, lit }
}

export type GraphModel = ReturnType<typeof useGraphModel>
