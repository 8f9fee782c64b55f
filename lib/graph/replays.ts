import type { BranchId } from '@/lib/events'
import type { Graph, GraphReplay } from '@/lib/protocol'
import { steeringMark } from './agents'
import { branchTitle } from './branch-title'
import type { GraphIndex } from './graph-index'

/** The latest replay that goes on, or has gone on, on a branch. */
export const replayOn = (
  { replays = [] }: Pick<Graph, 'replays'>,
  branchId: BranchId,
): GraphReplay | undefined => replays.findLast((replay) => replay.branchId === branchId)

/** Progress of the replay on a branch: `7 of 20`; null without one that is under way. */
export function replayMark(graph: Pick<Graph, 'replays'>, branchId: BranchId): string | null {
  const replay = replayOn(graph, branchId)
  const isOpen = replay?.status === 'running' || replay?.status === 'paused'
  return isOpen ? `${replay.asked} of ${replay.total}` : null
}

/** Mark on a branch's label: the progress of its replay, or that an agent goes on there; null for most. */
export const labelMark = (index: GraphIndex, branchId: BranchId): string | null =>
  replayMark(index.graph, branchId) ?? steeringMark(index.graph, branchId)

/** The words on a branch's label: its title, and its mark before it. */
export function labelTitle(index: GraphIndex, branchId: BranchId): string {
  const mark = labelMark(index, branchId)
  const title = branchTitle(index, branchId)
  return mark === null ? title : `${mark} · ${title}`
}
