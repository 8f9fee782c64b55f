import type { MessageId } from '@/lib/events'
import type { GraphBranch } from '@/lib/protocol'
import type { GraphModel } from './model/graph-model'

/**
 * The branch a message stands for when it is compared: the one it is the head of, of several the one being read, else
 * one in use; any other message stands for the branch to open it on. Undefined when no branch leads to it.
 */
export function comparedBranch(
  { index, branchId }: Pick<GraphModel, 'index' | 'branchId'>,
  id: MessageId,
): GraphBranch | undefined {
  const at = index.branchesAt(id)
  return (
    at.find((branch) => branch.id === branchId) ??
    at.find((branch) => branch.archivedAt === null) ??
    index.branchHolding(id, branchId)
  )
}
