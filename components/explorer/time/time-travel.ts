import type { BranchId, MessageId } from '@/lib/events'
import type { History } from '@/lib/protocol'

/** Which time the graph is looked at, and what the explorer asks its parent for while it is. */
export interface TimeTravel {
  /** the history is laid out below the graph */
  isOpen: boolean
  /** how many movements had been made; null for now */
  position: number | null
  /** null until it has been read */
  history: History | null
  failed: boolean
  onOpen(isOpen: boolean): void
  onGo(position: number | null): void
  onReadAgain(): void
  /** a message of the past was picked: it is shown in the thread, and nothing is changed; `andRead` goes there */
  onLook(id: MessageId, andRead: boolean): void
  /** opens a branch at a message, named after the branch it is seen on; answers whether it could be had */
  onBranchFrom(id: MessageId, branchId: BranchId): Promise<boolean>
}
