import type { Database } from '@/lib/db'
import { type StoredEvent, upcast } from '@/lib/events'
import type { MarkedEvent } from '@/lib/graph'
import { eventColumns } from './rows'

/** A stretch of a chat's log, with the moves that are undone or made again in it. */
export interface MarkedLog {
  /** the position of the chat's log */
  seq: number
  /** the first position of the stretch; events before it are those of such a move */
  floor: number
  events: MarkedEvent[]
}

/** $5: events without a line in the history of moves. */
const silent = [
  ...['CheckpointCreated', 'ThreadForked', 'BranchTitled', 'ChatRenamed', 'ChatUpdated', 'AgentFollowed'],
]

/**
 * The stretch of an owner's log that ends before a position. It begins with a whole transaction, and with a
 * whole move, so that no line of the history is cut. The length of the log makes no difference.
 */
export async function readMarked(
  ask: Database['query'],
  chatId: string,
  ownerId: string,
  { before, limit }: { before?: number; limit: number },
): Promise<MarkedLog | undefined> {
  const [row] = await ask<
    Omit<MarkedLog, 'events'> & { events: (StoredEvent & { by: string | null; tx: string })[] }
  >(markedSql, [chatId, ownerId, before ?? null, limit, silent])
  if (!row) return undefined
  const events = row.events.map(({ by, tx, ...event }) => ({
    ...upcast(event),
    tx,
    ...(by !== null && { by }),
  }))
  return { ...row, events }
}

/** $1 chat, $2 owner, $3 before this position (null for the end), $4 positions at least, $5 types to leave out */
const markedSql = `
with c as materialized (
  select id, user_id, last_seq, least(coalesce($3::bigint, last_seq + 1), last_seq + 1) as ceiling from chats where id = $1 and user_id = $2
), w as materialized (
  select e.seq, e.type, e.payload, e.txid from c join events e on e.chat_id = c.id and e.seq < c.ceiling and e.seq >= c.ceiling - $4::int
), f as materialized (
  select least((select min(w.seq) from w), (select min((w.payload ->> 'first_seq')::bigint) from w where w.type = 'MoveMade'),
    (select min(e.seq) from events e where e.chat_id = $1 and e.txid = (select w.txid from w order by w.seq limit 1))) as floor
), r as materialized (
  select m.seq, (m.payload ->> 'first_seq')::bigint as first from w cross join f
  cross join lateral (select * from events m
    where m.chat_id = $1 and m.seq >= (w.payload ->> 'move_seq')::bigint order by m.seq limit 1) m
  where w.type in ('MoveUndone', 'MoveRedone') and m.seq = (w.payload ->> 'move_seq')::bigint and m.seq < f.floor
), s as (
  select e.* from f join events e on e.chat_id = $1 and e.seq >= f.floor and e.seq < (select ceiling from c)
  union
  select e.* from r join events e on e.chat_id = $1 and e.seq between r.first and r.seq
)
select c.last_seq::float8 as seq, coalesce((select floor from f), 1)::float8 as floor,
  (select coalesce(json_agg(to_json(l)), '[]') from (
    select ${eventColumns}, e.txid::text as tx, nullif(e.actor, c.user_id) as by from s e where e.type <> all ($5::text[]) order by e.seq) l) as events
from c`
