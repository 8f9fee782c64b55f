import { type CheckpointData, type MovesOptions, movesAtOnce, type StoredMove } from '@/lib/context'
import type { Database } from '@/lib/db'
import { type StoredEvent, upcast } from '@/lib/events'
import { type BranchRow, toBranch } from './rows'

type MoveRow = { seq: number; activeBranchId: string } & (
  | { moveSeq: null }
  | (Omit<StoredMove, 'facts' | 'branches' | 'checkpoints'> & {
      facts: StoredEvent[]
      branches: (BranchRow & Pick<StoredMove['branches'][number], 'busy' | 'steeredTo'>)[]
      checkpoints: CheckpointData[]
    })
)

/** The moves for Undo (Redo) in a chat, the next one first; undefined when there is no such chat. */
export async function storedMoves(
  ask: Database['query'],
  chatId: string,
  { which, ownerId, after }: MovesOptions,
): Promise<StoredMove[] | undefined> {
  const most = after === undefined ? 1 : movesAtOnce
  const rows = await ask<{ row: MoveRow }>('select moves_to_undo($1, $2, $3, $4, $5) as row', [
    chatId,
    ownerId ?? null,
    which === 'undo',
    after ?? 0,
    most,
  ])
  if (rows.length === 0) return undefined
  return rows.flatMap(({ row }) => {
    if (row.moveSeq === null) return []
    const { facts, branches, ...move } = row
    return [
      {
        ...move,
        facts: facts.map(upcast),
        branches: branches.map(({ busy, steeredTo, ...branch }) => ({
          ...toBranch(branch),
          busy,
          steeredTo,
        })),
      },
    ]
  })
}
