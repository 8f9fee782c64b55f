import type { BranchId, MessageId } from '@/lib/events'

/** What is to be brought together, before a person has said how, and where unless a target is given. */
export type Merging =
  | { kind: 'merge'; sourceId: BranchId; targetId?: BranchId }
  | { kind: 'pick'; messageIds: readonly MessageId[]; targetId?: BranchId }
  /** without a branch the one being read, or one that holds the message; without a message all of the branch */
  | { kind: 'compact'; branchId: BranchId | null; messageId: MessageId | null }
