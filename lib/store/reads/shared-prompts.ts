import type { Database } from '@/lib/db'
import { idAt, type MessageId } from '@/lib/events'
import { messageAt, messageCalled } from './chain-sql'
import { chainLanes } from './merge-base'

/**
 * A lane begins where a chain parted: below its parent's message. The chain comes from one at each lane it crosses, and
 * other lanes leave it. One look into an index for each lane of the chain.
 *
 * $1 chat, $2 head
 */
const branchPointSql = `with recursive s as (${chainLanes('$2')}),
h as (select depth from messages where chat_id = $1 and id = $2)
select m.id from (
  select s.lane, f.depth from s cross join h cross join lateral (
    select l.parent_depth as depth from lanes l
    where l.chat_id = $1 and l.parent_lane = s.lane and l.parent_depth <= least(s.top, h.depth - 2)
    order by l.parent_depth desc limit 1) f
  order by f.depth desc limit 1) p
cross join ${messageAt('$1', 'p.lane', 'p.depth')} m`

/**
 * The deepest message above a question and its continuation that begins more than one branch; undefined
 * without one.
 */
export async function branchPoint(
  ask: Database['query'],
  chatId: string,
  questionId: MessageId,
): Promise<MessageId | undefined> {
  const [row] = await ask<{ id: MessageId }>(branchPointSql, [chatId, questionId])
  return row?.id
}

/** $1 chat, $2 the least id of a run that counts, $3 model */
const askedSinceSql = `select m.id, m.parent_id as "parentId" from (
  select reply_to from runs where chat_id = $1 and id >= $2 and model = $3 and status <> 'queued'
  order by id desc limit 100) r
cross join ${messageCalled('$1', 'r.reply_to')} m`

/** The last hundred questions that a model was asked since a moment, in ms, and the messages before them. */
export const askedSince = (
  ask: Database['query'],
  chatId: string,
  { model, since }: { model: string; since: number },
): Promise<{ id: MessageId; parentId: MessageId | null }[]> =>
  ask(askedSinceSql, [chatId, idAt(since), model])
