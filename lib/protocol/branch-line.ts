import type { BranchId } from '@/lib/events'

/** A branch in a list. */
export interface BranchLine {
  id: BranchId
  /** its handle in addresses, the API and the library */
  name: string
  /** its name on the screen */
  title: string
  /** the lane its head is in, for its colour; null while it is empty */
  lane: number | null
  /** messages from the root to its head */
  count: number
  /** the beginning of its last message, as it is stored */
  preview: string
  /** when it was last written to */
  usedAt: number
  archivedAt: number | null
}
