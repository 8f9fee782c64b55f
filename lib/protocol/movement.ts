import type { BranchId, ChatId, CheckpointId } from '@/lib/events'

/** Where a message stands; what is drawn there is known from the graph. */
export interface Place {
  lane: number
  depth: number
}

/**
 * One thing that moved in a chat: a ref (a branch, a checkpoint, the branch the chat opens on), or a branch with the
 * message it got. Titles and settings of a chat move nothing.
 */
export type Movement = {
  /** the position of its event in the chat's log */
  seq: number
  /** milliseconds since 1970 */
  at: number
} & (
  | { kind: 'message'; branchId: BranchId; place: Place }
  | { kind: 'opened'; branchId: BranchId; name: string; from: BranchId | null; place: Place | null }
  | { kind: 'renamed'; branchId: BranchId; name: string }
  | { kind: 'archived' | 'restored' | 'switched'; branchId: BranchId }
  /** `checkpointId` is null where the log does not know it */
  | { kind: 'saved'; name: string; checkpointId: CheckpointId | null; place: Place }
  | { kind: 'moved'; name: string; place: Place }
  | { kind: 'removed'; name: string }
)

/** The movements of a chat, or those after some event, in the order of the log. */
export interface History {
  chatId: ChatId
  /** it holds every movement up to this position of the log */
  seq: number
  movements: readonly Movement[]
}
