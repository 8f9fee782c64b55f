import { type MergeBase, type MessageOfChain, NotFoundError } from '@/lib/context'
import type { Database } from '@/lib/db'
import { messageColumns } from './chain-sql'
import { type MessageRow, toMessage } from './rows'

/** The lanes of a chain, from that of the message `parameter` up to its root's. */
export const chainLanes = (parameter: string): string => `
  select g.lane, g.parent_lane, g.base_depth, h.depth as top
    from messages h join lanes g on g.chat_id = $1 and g.lane = h.lane where h.chat_id = $1 and h.id = ${parameter}
  union all
  select q.* from s cross join lateral (
    select g.lane, g.parent_lane, g.base_depth, s.base_depth - 1 from lanes g
    where g.chat_id = $1 and g.lane = s.parent_lane limit 1) q`

/**
 * The messages that a head reaches are closed upwards, so the deepest one of each lane stands for the rest.
 * The search goes from a lane to the lane above, and to the merge parents of its merges, for which a chat has
 * an index. The length of the chains makes no difference.
 *
 * $1 chat, $2 source head, $3 target head (null = nothing is reached)
 */
const mergeBaseSql = `with recursive merges as materialized (
  select m.lane, m.depth, p.lane as to_lane, p.depth as to_depth from messages m
  join messages p on p.chat_id = m.chat_id and p.id = m.merge_parent_id
  where m.chat_id = $1 and m.merge_parent_id is not null
), s as (${chainLanes('$2')}
), t as (
  select h.lane, h.depth as top from messages h where h.chat_id = $1 and h.id = $3
  union
  select q.* from t cross join lateral (
    select g.parent_lane, g.base_depth - 1 from lanes g
      where g.chat_id = $1 and g.lane = t.lane and g.parent_lane is not null
    union all
    select x.to_lane, x.to_depth from merges x where x.lane = t.lane and x.depth <= t.top) q
)
select h.depth - coalesce(b.depth, -1) as own, b.id as "baseId", $3::text is null or exists (select 1 from t) as known
from messages h left join lateral (
  select m.id, m.depth from (
    select s.lane, least(s.top, t.top) as depth from s join t on t.lane = s.lane and t.top >= s.base_depth
    order by 2 desc limit 1) d
  join messages m on m.chat_id = $1 and m.lane = d.lane and m.depth = d.depth) b on true
where h.chat_id = $1 and h.id = $2`

/** Base of a merge; see `ContextStore.getMergeBase`. */
export async function mergeBase(
  ask: Database['query'],
  chatId: string,
  sourceHead: string,
  targetHead: string | null,
): Promise<MergeBase> {
  const [row] = await ask<MergeBase & { known: boolean }>(mergeBaseSql, [chatId, sourceHead, targetHead])
  if (!row?.known) throw new NotFoundError('message', row && targetHead !== null ? targetHead : sourceHead)
  return { baseId: row.baseId, own: row.own }
}

/** $1 chat, $2 ids, $3 head of the chain (null = no chain) */
const messagesSql = `with recursive s as (${chainLanes('$3')}
)
select ${messageColumns}, exists (select 1 from s where s.lane = m.lane and m.depth <= s.top) as "isOnChain"
from messages m where m.chat_id = $1 and m.id = any ($2::text[])`

/** The stored ones among some messages of a chat. */
export async function messagesById(
  ask: Database['query'],
  chatId: string,
  ids: readonly string[],
  headId: string | null,
): Promise<MessageOfChain[]> {
  const rows = await ask<MessageRow & { isOnChain: boolean }>(messagesSql, [chatId, ids, headId])
  return rows.map(({ isOnChain, ...row }) => ({ ...toMessage(chatId, row), isOnChain }))
}
