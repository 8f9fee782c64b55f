import type { BranchId } from '@/lib/events'
import { messagePreview } from '../fragments'
import type { AppendMessages, NewMessage, Step } from './change'
import type { BranchData, MessageData } from './records'

/**
 * The steps that add one message below its parent so that a branch always leads to it: the branch that stands at the
 * parent advances (the active one first), and where none does, a new one opens there. A root goes to an empty
 * branch. Archived branches stay as they are.
 *
 * @param branches all branches of the chat; none of them is taken to stand anywhere when `[]`
 * @param newBranchId the id of the branch that may have to be opened
 */
export function placeMessage(message: MessageData, branches: BranchData[], newBranchId: BranchId): Step[] {
  const { parentId } = message
  const standing = branches.filter(
    ({ headMessageId, archivedAt }) => headMessageId === parentId && archivedAt === null,
  )
  const branch = standing.find(({ isActive }) => isActive) ?? standing[0]
  const append: Omit<AppendMessages, 'branchId'> = {
    kind: 'append',
    expectedHead: parentId,
    messages: [newMessage(message)],
  }
  if (branch) return [{ ...append, branchId: branch.id }]
  return [
    {
      kind: 'open-branch',
      branchId: newBranchId,
      after: branches.find(({ isActive }) => isActive)?.name ?? 'main',
      at: parentId,
      ...(parentId === null ? {} : { fork: { messageId: parentId } }),
      activate: false,
    },
    { ...append, branchId: newBranchId },
  ]
}

function newMessage(message: MessageData): NewMessage {
  const { chatId: _chat, parentId: _parent, ...rest } = message
  return { ...rest, preview: messagePreview(message.data) }
}
