'use client'

import { useMemo, useState } from 'react'
import type { BranchId, MessageId } from '@/lib/events'
import { type GraphIndex, longStretches, type Timeline, visibleGraph, WholeDrawing } from '@/lib/graph'
import { type GraphModel, partModel } from '../model/graph-model'
import { type Folding, foldingOf } from '../model/use-graph-model'

/**
 * The model of the graph at a position of its timeline, and its folding. Apart from what the reader folds and unfolds,
 * every position has the same folds in the same places. Null without a timeline.
 *
 * Each `useMemo` holds what several positions share, so that a step in time lays out one drawing.
 *
 * @param position null for now
 */
export function useTimeModel(
  live: GraphModel,
  timeline: Timeline | null,
  position: number | null,
  selectedId: MessageId | null,
): [GraphModel, Folding] | null {
  const [chosen, setChosen] = useState<ReadonlySet<MessageId>>()
  if (!timeline && chosen) setChosen(undefined)
  const foldable = useMemo(() => (timeline ? foldableEver(live, timeline) : none), [live, timeline])
  const folded = chosen ?? (live.folded.size > 0 ? foldable : none)
  const whole = useMemo(
    () => timeline && new WholeDrawing(everything(live.index, live.branchId), folded),
    [live, timeline, folded],
  )
  const model = useMemo(() => {
    if (!timeline || !whole) return null
    if (position === null) return partModel(live.index, { branchId: live.branchId, selectedId, whole })
    const branchId = timeline.readingAt(position)
    return { ...partModel(timeline.indexAt(position), { branchId, selectedId, whole }), past: true }
  }, [live, timeline, whole, position, selectedId])
  if (!model) return null
  return [model, foldingOf(model, folded, () => foldable, setChosen)]
}

const none: ReadonlySet<MessageId> = new Set()

/**
 * The messages that can be folded at any time of the past: stretches that no branch or checkpoint ever hung on. So a
 * fold grows and shrinks with time, and never breaks up.
 */
function foldableEver(live: GraphModel, timeline: Timeline): ReadonlySet<MessageId> {
  const { marked } = timeline
  return longStretches(everything(live.index, live.branchId), (id) => id === live.headId || marked.has(id))
}

/** All messages that were ever in sight, archived branches included. */
const everything = (index: GraphIndex, branchId: BranchId) =>
  visibleGraph(index, { branchId, showArchived: true })
