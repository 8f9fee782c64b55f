'use client'

import { useMemo, useState } from 'react'
import type { BranchId, MessageId } from '@/lib/events'
import { indexGraph } from '@/lib/graph'
import type { Graph } from '@/lib/protocol'
import { foldable, type GraphModel, graphModel, stretchAround } from './graph-model'

/** Folding and unfolding stretches of messages. */
export interface Folding {
  /** true when anything is folded, or could be */
  state: 'folded' | 'foldable' | 'none'
  unfold(ids: readonly MessageId[]): void
  /** folds the stretch around a message; its first message, or null where there is nothing to fold */
  foldAround(id: MessageId): MessageId | null
  toggleAll(): void
}

/**
 * Folding as a choice of the messages that are folded.
 *
 * @param all the messages that can be folded; asked for only while none is
 */
export function foldingOf(
  model: GraphModel,
  folded: ReadonlySet<MessageId>,
  all: () => ReadonlySet<MessageId>,
  choose: (folded: ReadonlySet<MessageId>) => void,
): Folding {
  return {
    state: folded.size > 0 ? 'folded' : all().size > 0 ? 'foldable' : 'none',
    unfold(ids) {
      const shown = new Set(ids)
      choose(new Set([...folded].filter((id) => !shown.has(id))))
    },
    foldAround(id) {
      const stretch = stretchAround(model, id)
      if (stretch.length > 0) choose(new Set([...folded, ...stretch]))
      return stretch[0] ?? null
    },
    toggleAll: () => choose(folded.size > 0 ? new Set() : all()),
  }
}

const none: ReadonlySet<MessageId> = new Set()

/**
 * The model of a graph that changes, and its folding.
 *
 * @param opensWhole nothing is folded when it opens: a map shows how long a line is
 */
export function useGraphModel(
  graph: Graph,
  branchId: BranchId,
  selectedId: MessageId | null,
  opensWhole: boolean,
): [GraphModel, Folding] {
  const current = indexGraph(graph)
  const [opened, setOpened] = useState(opensWhole)
  const [chosen, setFolded] = useState<ReadonlySet<MessageId> | undefined>(opensWhole ? none : undefined)
  const isOther = opened !== opensWhole
  const folded = isOther ? (opensWhole ? none : undefined) : chosen
  if (isOther) {
    setOpened(opensWhole)
    setFolded(folded)
  }
  // only a folded selection counts: others lay out nothing anew
  const hidden = selectedId !== null && folded?.has(selectedId) ? selectedId : null
  // the compiler cannot see that the layout depends on these alone
  const model = useMemo(
    () => graphModel(current, { branchId, selectedId: hidden, folded }),
    [current, branchId, hidden, folded],
  )
  // a message that was unfolded by a selection stays unfolded
  if (model.folded !== folded) setFolded(model.folded)

  return [model, foldingOf(model, model.folded, () => foldable(model), setFolded)]
}
