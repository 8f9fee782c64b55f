'use client'

import { useMemo, useState } from 'react'
import type { BranchId, MessageId } from '@/lib/events'
import {
  drawnGraph,
  type GraphIndex,
  indexGraph,
  longStretches,
  placeWhole,
  type Timeline,
  visibleGraph,
  type WholeMap,
} from '@/lib/graph'
import { type GraphModel, graphModel } from '../model/graph-model'
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
  const whole = useMemo(() => timeline && wholeMap(live, folded), [live, timeline, folded])
  const model = useMemo(() => {
    if (!timeline || !whole) return null
    const options = { folded, whole, selectedId }
    if (position === null) return graphModel(live.index, { branchId: live.branchId, ...options })
    const index = indexGraph(timeline.graphAt(position))
    return { ...graphModel(index, { branchId: timeline.readingAt(position), ...options }), past: true }
  }, [live, timeline, whole, folded, position, selectedId])
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

/** The places of all messages that were ever in sight, archived branches included: no message moves with time. */
function wholeMap(live: GraphModel, folded: ReadonlySet<MessageId>): WholeMap {
  return placeWhole(drawnGraph(everything(live.index, live.branchId), folded))
}

const everything = (index: GraphIndex, branchId: BranchId) =>
  visibleGraph(index, { branchId, showArchived: true })
