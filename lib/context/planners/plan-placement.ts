import type { Step } from '@/lib/events'
import { messagePreview } from '../fragments'
import type { BranchData, MessageData } from '../store/records'
import { type NewId, openBranch } from './plan-moves'
import { appendTo } from './plan-turn'

/**
 * One message below its parent, so that a branch always leads to it: a branch whose head is the parent
 * advances (preferably the active one), else a new one opens there. A root goes to an empty branch. Archived
 * branches stay as they are.
 *
 * @param branches all branches of the chat; with none, a new branch is opened
 */
export function planPlacement(message: MessageData, branches: BranchData[], newId: NewId): Step[] {
  const { chatId: _chat, parentId, ...rest } = message
  const messages = [{ ...rest, preview: messagePreview(message.data) }]
  const standing = branches.filter(
    ({ headMessageId, archivedAt }) => headMessageId === parentId && archivedAt === null,
  )
  const branch = standing.find(({ isActive }) => isActive) ?? standing[0]
  if (branch) return appendTo({ branchId: branch.id, headId: parentId }, { messages })
  const after = branches.find(({ isActive }) => isActive)?.name ?? 'main'
  const fork = parentId === null ? undefined : { messageId: parentId }
  const { steps, branchId } = openBranch({ after, activate: false, newId }, parentId, fork)
  return [...steps, ...appendTo({ branchId, headId: parentId }, { messages })]
}
