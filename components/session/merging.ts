import type { BranchId, MessageId } from '@/lib/events'

/** Messages to bring together: the person has not said how yet, nor where unless a target is given. */
export type Merging =
  | {
      kind: 'merge'
      sourceId: BranchId
      targetId?: BranchId
      proposal?: ReviewedProposal
      /** the remote whose side of a branch the source is: a pull found that both have gone on */
      pulledFrom?: string
    }
  | { kind: 'pick'; messageIds: readonly MessageId[]; targetId?: BranchId; proposal?: ReviewedProposal }
  /**
   * without a branch it means the branch being read, or a branch that holds the message; without a message all of the
   * branch
   */
  | { kind: 'compact'; branchId: BranchId | null; messageId: MessageId | null }

/** A proposal that is taken by it, as it was when it was opened. */
interface ReviewedProposal {
  id: string
  title: string
  /** the message that it is pinned to */
  headId: MessageId
}
