import type { BranchData, CheckpointData } from '@/lib/context'
import type { Database } from '@/lib/db'
import { messageAt } from './chain-sql'
import { type BranchRow, toBranch } from './rows'

const branchSelect = `select branch_json(b, h.id) as branch, b.id = c.active_branch_id as active
  from branches b join chats c on c.id = b.chat_id
  left join ${messageAt('b.chat_id', 'b.head_lane', 'b.head_depth')} h on true
  where b.chat_id = $1`

/** The branches of a chat, the oldest first. */
export async function branchesOf(ask: Database['query'], chatId: string): Promise<BranchData[]> {
  const rows = await ask<BranchRow>(`${branchSelect} order by b.created_at, b.id`, [chatId])
  return rows.map(toBranch)
}

/** Finds a branch by name, else by id. */
export async function branchCalled(
  ask: Database['query'],
  chatId: string,
  nameOrId: string,
): Promise<BranchData | undefined> {
  const [row] = await ask<BranchRow>(
    `${branchSelect} and (b.name = $2 or b.id = $2) order by b.name = $2 desc limit 1`,
    [chatId, nameOrId],
  )
  return row && toBranch(row)
}

/** The branch that a chat opens on. */
export async function activeBranch(ask: Database['query'], chatId: string): Promise<BranchData | undefined> {
  const [row] = await ask<BranchRow>(`${branchSelect} and b.id = c.active_branch_id`, [chatId])
  return row && toBranch(row)
}

/** The checkpoints of a chat, the oldest first; with a name that one alone. */
export async function checkpointsOf(
  ask: Database['query'],
  chatId: string,
  name?: string,
): Promise<CheckpointData[]> {
  const rows = await ask<{ checkpoint: CheckpointData }>(
    `select checkpoint_json(k, m.id) as checkpoint from checkpoints k
    cross join ${messageAt('k.chat_id', 'k.lane', 'k.depth')} m
    where k.chat_id = $1 and ($2::text is null or k.name = $2) order by k.created_at, k.id`,
    [chatId, name ?? null],
  )
  return rows.map((row) => row.checkpoint)
}
