import type { BranchId, CompactNote, MessageId, Step } from '@/lib/events'
import { summaryText } from '../merging/merge-text'
import { saidBy } from './plan-merge'
import { asMove, type NewId, openBranch, type Plan } from './plan-moves'
import { addTo } from './plan-pick'
import type { BranchHead } from './plan-turn'

/**
 * Opens a branch that begins with a summary of another one, in the other one's context, and switches to it. The original
 * stays; the summary's second parent is the last message that it stands for.
 *
 * @param input.untilId on the branch's chain
 * @param input.count number of messages that the summary stands for
 * @param input.at in milliseconds
 */
export function planCompact({
  branch,
  name,
  untilId,
  count,
  summary,
  at,
  newId,
}: {
  branch: BranchHead
  /** the branch's name, for the text of the summary */
  name: string
  untilId: MessageId
  count: number
  summary: string
  at: number
  newId: NewId
}): Plan & { messageId: MessageId } {
  const contextId = branch.context?.id
  const fork = { messageId: untilId, before: true }
  const { steps, branchId } = openBranch({ after: branch.branchName, contextId, newId }, null, fork)
  const note: CompactNote = { sourceBranchId: branch.branchId, sourceBranch: name, untilId, count }
  const line = saidBy(newId(), at, summaryText(name, count, summary), { compact: note }, untilId)
  const opened = { branchId, branchName: '', headId: null }
  return {
    steps: asMove('compact', [...steps, ...addTo(opened, [line]), recordCompact(branchId, line.id, note)]),
    branchId,
    messageId: line.id,
  }
}

/** Records in the log which messages a summary stands for. */
export const recordCompact = (
  branchId: BranchId,
  messageId: MessageId,
  { sourceBranchId, untilId }: CompactNote,
): Step => ({
  kind: 'record',
  branchId,
  fact: {
    type: 'ThreadCompacted',
    payload: { message_id: messageId, source_thread_id: sourceBranchId, until_message_id: untilId },
  },
})
