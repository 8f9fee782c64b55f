import { z } from 'zod'
import { type BranchId, type MessageId, moveKinds } from '@/lib/events'
import { id, milliseconds, named } from './fields'

const position = z.int().positive()

const moveEntry = named(
  'MoveEntry',
  z
    .object({
      seq: position.meta({ description: 'The position of its last event in the chat’s log' }),
      at: milliseconds,
      kind: z.enum(['move', 'undone', 'redone', 'turns']).meta({
        description:
          '`undone`, `redone`: a move was undone, or made again; `turns`: messages that followed each other',
      }),
      by: z.string().optional().meta({ description: 'Who moved it, unless its owner did' }),
      move: z.enum(moveKinds).optional().meta({ description: 'Of all but `turns`' }),
      moveSeq: position.optional().meta({
        description:
          'The position that names the move. A move of an old log, or of a turn, has none: Undo passes it over',
      }),
      branchId: id<BranchId>().optional(),
      fromId: id<BranchId>().optional().meta({
        description:
          'The other branch of a merge, a summary or a replay, or the one that a steered agent wrote on',
      }),
      name: z.string().optional().meta({
        description:
          'The name that was given: of a branch or a checkpoint; the remote that messages came from',
      }),
      before: z.string().optional().meta({ description: 'The name before' }),
      messageId: id<MessageId>().optional().meta({ description: 'Where it leads: the last of its messages' }),
      count: z
        .int()
        .optional()
        .meta({ description: 'Messages that were picked or received, or branches that were archived' }),
      moved: z.boolean().optional().meta({ description: 'The checkpoint stood elsewhere before' }),
      questions: z.int().optional(),
      replies: z.int().optional(),
    })
    .meta({ description: 'A line of a chat’s history' }),
)

export const movePage = named(
  'MovePage',
  z.object({
    seq: z.int().meta({ description: 'The position of the chat’s log' }),
    moves: z.array(moveEntry).meta({ description: 'The latest first' }),
    next: position
      .nullable()
      .meta({ description: '`before` for the page after this one; null after the last' }),
  }),
)

/** A line of a chat’s history: a move of a ref, an Undo or a Redo, or turns that followed each other. */
export type MoveEntry = z.infer<typeof moveEntry>

/** The lines of a stretch of a chat's log. */
export type MovePage = z.infer<typeof movePage>

/** Result of Undo or Redo on a chat. */
export interface MovedBack {
  /** the move that was taken back last */
  entry: MoveEntry
  moveSeq: number
  /** number of moves that were taken back at once */
  count: number
}
