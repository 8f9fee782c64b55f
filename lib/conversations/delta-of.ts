import { type Change, type Committed, heldBy, type MessageData } from '@/lib/context'
import type { BranchId } from '@/lib/events'
import type { Explanation, GraphBranch, GraphDelta, GraphLane, GraphNode } from '@/lib/protocol'

/** A committed change as the delta that every client applies. */
export function deltaOf(change: Change, done: Committed): GraphDelta {
  const nodes: GraphNode[] = []
  const lanes: GraphLane[] = []
  const appends = change.steps.filter((step) => step.kind === 'append')
  done.placed.forEach((place, i) => {
    if (place.opened) lanes.push({ lane: place.lane, parentLane: place.parentLane, baseDepth: place.depth })
    appends[i]?.messages.forEach((message, offset) => {
      nodes.push({
        id: message.id,
        lane: place.lane,
        depth: place.depth + offset,
        role: message.name,
        preview: message.preview,
        status: message.status ?? 'done',
        createdAt: message.createdAt,
        ...heldIn(message.data),
        ...linksOf(message),
      })
    })
  })
  const runs = change.steps
    .filter((step) => step.kind === 'queue-run')
    .map(({ runId, branchId, replyTo, replyId, model }) => ({ runId, branchId, replyTo, replyId, model }))
  const ended = change.steps.filter((step) => step.kind === 'finish-run')
  const endedRuns = ended.map((step) => step.runId)
  // a run that ended without a message leaves its branch waiting for a reply, with a reason; other changes
  // give no reason
  const failureOf = (branchId: BranchId): Explanation | null | undefined => {
    if (ended.length > 0 && appends.length === 0) return ended.find((step) => step.error)?.error ?? null
    return runs.some((run) => run.branchId === branchId) ? null : undefined
  }
  return {
    chatId: change.chatId,
    seq: done.seq,
    moveSeq: done.moveSeq ?? undefined,
    title: done.title,
    activeBranchId: done.activeBranchId,
    nodes: filled(nodes),
    lanes: filled(lanes),
    branches: filled(done.branches.map((branch) => toGraphBranch(branch, failureOf(branch.id)))),
    checkpoints: filled(done.checkpoints.map(({ chatId: _chat, ...checkpoint }) => checkpoint)),
    removedCheckpoints: filled(done.removedCheckpoints),
    runs: filled(runs),
    endedRuns: filled(endedRuns),
  }
}

/** Origins of a message besides its parent, for the graph. */
export const linksOf = ({
  mergeParentId,
  copiedFromId,
}: Pick<MessageData, 'mergeParentId' | 'copiedFromId'>): Pick<
  GraphNode,
  'mergeParentId' | 'copiedFromId'
> => ({
  ...(mergeParentId !== undefined && { mergeParentId }),
  ...(copiedFromId !== undefined && { copiedFromId }),
})

function heldIn(data: unknown): Pick<GraphNode, 'holds'> {
  const holds = heldBy(data)
  return holds.length > 0 ? { holds } : {}
}

/** A delta has no key for things that did not change. */
const filled = <T>(list: T[]): T[] | undefined => (list.length > 0 ? list : undefined)

function toGraphBranch(
  branch: Committed['branches'][number],
  failure: Explanation | null | undefined,
): GraphBranch {
  return {
    id: branch.id,
    name: branch.name,
    title: branch.title,
    headId: branch.headMessageId,
    parentBranchId: branch.parentBranchId,
    createdAt: branch.createdAt,
    archivedAt: branch.archivedAt,
    model: branch.model,
    leftOut: branch.leftOut,
    failure,
  }
}

/**
 * Merges two deltas. It has the branches of the later one alone: the earlier heads may have moved since, and
 * would count as new under the later number.
 */
export function mergeDeltas(first: GraphDelta, second: GraphDelta): GraphDelta {
  return {
    ...second,
    runs: first.runs ?? second.runs,
    nodes: [...(first.nodes ?? []), ...(second.nodes ?? [])],
    lanes: [...(first.lanes ?? []), ...(second.lanes ?? [])],
  }
}
