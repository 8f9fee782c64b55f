import type { BranchId, MessageId } from '@/lib/events'
import type { Graph } from '@/lib/graph'

export interface ConversationGraphProps {
  graph: Graph
  /** the branch being read */
  branchId: BranchId
  selectedId: MessageId | null
  /** a click, Enter or Space on a message */
  onSelect(id: MessageId): void
  /** Enter on the selected message, or "Open" */
  onOpen(id: MessageId): void
  /** a double click, `b`, or "Branch from here" */
  onBranchFrom(id: MessageId): void
  onCheckpoint(id: MessageId): void
  onSwitch(branchId: BranchId): void
  onRestore(checkpointName: string): void
  /** "Compare with current" is offered only if given */
  onCompare?: (id: MessageId) => void
  /** a move is on its way */
  pending?: boolean
}
