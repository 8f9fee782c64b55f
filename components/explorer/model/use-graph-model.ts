'use client'

import { useMemo, useState } from 'react'
import type { BranchId, MessageId } from '@/lib/events'
import { indexGraph, longStretches } from '@/lib/graph'
import type { Graph } from '@/lib/protocol'
import { type GraphModel, graphModel, stretchAround } from './graph-model'

/** Folding and unfolding. Each answers the message to keep the eyes on. */
export interface Folding {
  /** whether anything is folded, or could be */
  state: 'folded' | 'foldable' | 'none'
  unfold(ids: readonly MessageId[]): void
  /** folds the stretch around a message; its first message, or null where there is nothing to fold */
  foldAround(id: MessageId): MessageId | null
  toggleAll(): void
}

/** The model of a graph that changes, and what of it is folded. */
export function useGraphModel(
  graph: Graph,
  branchId: BranchId,
  selectedId: MessageId | null,
): [GraphModel, Folding] {
  const current = indexGraph(graph)
  const [folded, setFolded] = useState<ReadonlySet<MessageId>>()
  // asked only where it matters: a selection alone lays out nothing anew
  const hidden = selectedId !== null && folded?.has(selectedId) ? selectedId : null
  // said here, where the compiler cannot see it: nothing is laid out anew unless one of these has changed
  const model = useMemo(
    () => graphModel(current, { branchId, selectedId: hidden, ...(folded && { folded }) }),
    [current, branchId, hidden, folded],
  )
  // what has come into sight stays in sight
  if (model.folded !== folded) setFolded(model.folded)

  const state = () => {
    if (model.folded.size > 0) return 'folded'
    return longStretches(model.visible, (id) => id === model.headId).size > 0 ? 'foldable' : 'none'
  }
  return [
    model,
    {
      state: state(),
      unfold(ids) {
        const rest = new Set(model.folded)
        for (const id of ids) rest.delete(id)
        setFolded(rest)
      },
      foldAround(id) {
        const stretch = stretchAround(model, id)
        if (stretch.length === 0) return null
        setFolded(new Set([...model.folded, ...stretch]))
        return stretch[0] ?? null
      },
      toggleAll() {
        setFolded(
          model.folded.size > 0 ? new Set() : longStretches(model.visible, (other) => other === model.headId),
        )
      },
    },
  ]
}
