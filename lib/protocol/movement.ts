import { z } from 'zod'
import type { BranchId, ChatId, CheckpointId } from '@/lib/events'
import { named } from './fields'

/** The place of a message in the graph. */
export interface Place {
  lane: number
  depth: number
}

/**
 * A movement in a chat: of a branch, a checkpoint or the active branch, or of a branch's head to a new message. Changes of
 * titles and settings are not movements.
 */
export type Movement = {
  /** the position of its event in the chat's log */
  seq: number
  /** milliseconds since 1970 */
  at: number
} & (
  | { kind: 'message'; branchId: BranchId; place: Place }
  /** the branch stands elsewhere, without a new message: Undo or Redo of a merge or a pick */
  | { kind: 'headed'; branchId: BranchId; place: Place | null }
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
  /** the position of the log up to which it is complete */
  seq: number
  movements: readonly Movement[]
}

const wholes = z.array(z.int())

export const packedHistory = named(
  'History',
  z
    .object({
      chatId: z.string(),
      seq: z.int().meta({ description: 'It holds every movement up to this position of the chat’s log' }),
      kinds: z.string().meta({
        description:
          'A letter for each movement: `m` message, `o` branch opened at a message, `e` branch opened empty, `h` moved to another message, `z` to before the first, `n` renamed, `a` archived, `r` restored, `s` switched to; `k` checkpoint saved, `v` moved, `x` removed',
      }),
      seqs: wholes.meta({ description: 'Positions in the log, each as the distance from the one before' }),
      times: wholes.meta({ description: 'Milliseconds since 1970, as distances too' }),
      places: wholes.meta({ description: 'Of `m o h k v`: lane and depth of the message, as distances too' }),
      refs: wholes.meta({
        description:
          'Positions in `ids`, -1 for none: the branch (of `o e` the one it was opened from too), of `k` the checkpoint',
      }),
      ids: z.array(z.string()),
      names: z.array(z.string()).meta({ description: 'Of `o e n k v x`' }),
    })
    .meta({ description: 'Every movement of a chat’s branches and checkpoints, in columns' }),
)

/**
 * A history for the wire, in columns: of 10,000 messages some tens of kilobytes are left once it is compressed. Numbers
 * that grow are kept as the distance from the one before, ids once each. A message has only its place: the reader of a
 * history has the graph already.
 */
export type PackedHistory = z.infer<typeof packedHistory>
