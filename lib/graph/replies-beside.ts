import type { BranchId, MessageId } from '@/lib/events'
import type { GraphBranch, GraphNode, LiveRun } from '@/lib/protocol'
import type { GraphIndex } from './graph-index'

/** A reply to a message, at the end of a branch of its own: stored, being written, or failed before its first word. */
export interface ReplyBeside {
  branch: GraphBranch
  node: GraphNode | null
  run: LiveRun | null
}

/** Replies to one message that were asked for at the same time. */
export interface RepliesBeside {
  messageId: MessageId
  /** two or more, in the order of their branches */
  replies: ReplyBeside[]
}

/**
 * The replies that stand beside the one a branch ends on, because they were asked for together; null where there is none,
 * and once something was said below it. Replies belong together when none of them was there before the last of their
 * branches was opened: another try at a reply that was read stands alone, so its versions are turned over as ever.
 * Archived branches are left out.
 */
export function repliesBeside(index: GraphIndex, branchId: BranchId): RepliesBeside | null {
  const headId = index.branch(branchId)?.headId ?? null
  const head = headId === null ? undefined : index.byId(headId)
  const asked = head?.role === 'user' ? head : head && index.parentOf(head.id)
  if (asked?.role !== 'user') return null
  const messageId = asked.id
  const all = repliesAt(index, messageId)
  if (!all.some(({ branch }) => branch.id === branchId)) return null
  const groups = [...new Set(all.map(({ branch }) => branch.createdAt))].map((opened) =>
    all.filter(
      ({ branch, node }) => branch.createdAt <= opened && (node === null || node.createdAt >= opened),
    ),
  )
  const replies = groups
    .filter((group) => group.length > 1 && group.some(({ branch }) => branch.id === branchId))
    .sort((one, other) => other.length - one.length)[0]
  return replies ? { messageId, replies } : null
}

/** Every branch that ends on a reply to a message, or at the message while its reply is written or is missing. */
function repliesAt(index: GraphIndex, messageId: MessageId): ReplyBeside[] {
  const { branches, runs } = index.graph
  const answers = new Map(index.childrenOf(messageId).map((node) => [node.id, node]))
  return branches.flatMap((branch): ReplyBeside[] => {
    if (branch.archivedAt !== null || branch.headId === null) return []
    const node = answers.get(branch.headId)
    if (node) return node.role === 'assistant' ? [{ branch, node, run: null }] : []
    if (branch.headId !== messageId) return []
    const run = runs.find((live) => live.branchId === branch.id && live.replyTo === messageId) ?? null
    return run || branch.failure ? [{ branch, node: null, run }] : []
  })
}
