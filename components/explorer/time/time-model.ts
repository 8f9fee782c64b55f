import type { BranchId, MessageId } from '@/lib/events'
import {
  drawnGraph,
  type GraphIndex,
  indexGraph,
  longStretches,
  placeNodes,
  type Timeline,
  visibleGraph,
  type WholeDrawing,
} from '@/lib/graph'
import { type GraphModel, graphModel } from '../model/graph-model'

/**
 * What of a graph can be folded at any time of its past: a stretch that nothing ever hung on. So a fold grows and
 * shrinks with time, and never breaks up.
 */
export function foldableEver(live: GraphModel, timeline: Timeline): ReadonlySet<MessageId> {
  const { marked } = timeline
  return longStretches(everything(live.index, live.branchId), (id) => id === live.headId || marked.has(id))
}

/** Where everything stands that was ever to be seen, what is archived now included. */
export function wholeDrawing(live: GraphModel, folded: ReadonlySet<MessageId>): WholeDrawing {
  const drawn = drawnGraph(everything(live.index, live.branchId), folded)
  return { drawn, placement: placeNodes(drawn) }
}

interface AtOptions {
  folded: ReadonlySet<MessageId>
  whole: WholeDrawing
  selectedId: MessageId | null
}

/** The drawing of the graph as it was after so many movements, to be looked at only; nothing stands elsewhere than now. */
export function pastModel(timeline: Timeline, position: number, options: AtOptions): GraphModel {
  const index = indexGraph(timeline.graphAt(position))
  return { ...graphModel(index, { branchId: timeline.readingAt(position), ...options }), past: true }
}

/** The drawing of the graph as it is, with room for what was. */
export function presentModel(live: GraphModel, options: AtOptions): GraphModel {
  return graphModel(live.index, { branchId: live.branchId, ...options })
}

const everything = (index: GraphIndex, branchId: BranchId) =>
  visibleGraph(index, { branchId, showArchived: true })
