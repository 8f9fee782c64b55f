'use client'

import { useMemo, useState } from 'react'
import type { BranchId, MessageId } from '@/lib/events'
import {
  drawnGraph,
  foldsBeyond,
  type GraphIndex,
  indexGraph,
  longRuns,
  placeNodes,
  type Timeline,
  visibleGraph,
  type WholeDrawing,
} from '@/lib/graph'
import { type GraphModel, graphModel, stretchAround } from '../model/graph-model'
import type { Folding } from '../model/use-graph-model'

/**
 * The model of the graph at a position of its timeline, and what of it is folded. Apart from what the reader folds and
 * unfolds, every position has the same folds in the same places. Null without a timeline.
 *
 * What each step needs is said apart from what all share, so that a step costs one drawing.
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
  const opensFolded = live.folded.size > 0 || live.visible.nodes.length > foldsBeyond
  const folded = chosen ?? (opensFolded ? foldable : none)
  const whole = useMemo(() => timeline && wholeDrawing(live, folded), [live, timeline, folded])
  const model = useMemo(() => {
    if (!timeline || !whole) return null
    const options = { folded, whole, selectedId }
    return position === null ? presentModel(live, options) : pastModel(timeline, position, options)
  }, [live, timeline, whole, folded, position, selectedId])
  if (!model) return null
  return [
    model,
    {
      state: folded.size > 0 ? 'folded' : foldable.size > 0 ? 'foldable' : 'none',
      unfold(ids) {
        const rest = new Set(folded)
        for (const id of ids) rest.delete(id)
        setChosen(rest)
      },
      foldAround(id) {
        const stretch = stretchAround(model, id)
        if (stretch.length > 0) setChosen(new Set([...folded, ...stretch]))
        return stretch[0] ?? null
      },
      toggleAll: () => setChosen(folded.size > 0 ? none : foldable),
    },
  ]
}

const none: ReadonlySet<MessageId> = new Set()

/**
 * What of a graph can be folded at any time of its past: a stretch that nothing ever hung on. So a fold grows and
 * shrinks with time, and never breaks up.
 */
function foldableEver(live: GraphModel, timeline: Timeline): ReadonlySet<MessageId> {
  const { marked } = timeline
  return longRuns(everything(live.index, live.branchId), (id) => id === live.headId || marked.has(id))
}

/** Where everything stands that was ever to be seen, what is archived now included. */
function wholeDrawing(live: GraphModel, folded: ReadonlySet<MessageId>): WholeDrawing {
  const drawn = drawnGraph(everything(live.index, live.branchId), folded)
  return { drawn, placement: placeNodes(drawn) }
}

interface AtOptions {
  folded: ReadonlySet<MessageId>
  whole: WholeDrawing
  selectedId: MessageId | null
}

/** The drawing of the graph as it was after so many movements, to be looked at only; nothing stands elsewhere than now. */
function pastModel(timeline: Timeline, position: number, options: AtOptions): GraphModel {
  const index = indexGraph(timeline.graphAt(position))
  return { ...graphModel(index, { branchId: timeline.readingAt(position), ...options }), past: true }
}

/** The drawing of the graph as it is, with room for what was. */
function presentModel(live: GraphModel, options: AtOptions): GraphModel {
  return graphModel(live.index, { branchId: live.branchId, ...options })
}

const everything = (index: GraphIndex, branchId: BranchId) =>
  visibleGraph(index, { branchId, showArchived: true })
