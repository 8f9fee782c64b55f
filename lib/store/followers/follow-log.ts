import { sql } from 'drizzle-orm'
import type { Database } from '@/lib/db'
import { type LoggedEvent, type StoredEvent, upcast } from '@/lib/events'
import { eventColumns } from '../reads/rows'

/** Events taken in at a time: enough to make the price of a write small, few enough to end soon. */
const BATCH = 1000

/** Reads the log of all chats and keeps a read model up to date (DESIGN.md §9). */
export interface Follower {
  /** names its place in the log, for good */
  readonly name: string
  /**
   * The effect of the next events; undefined when they have none. Nothing is written yet, and it may be
   * called again for the same events.
   *
   * Some of a transaction's events may come now and the rest later. Events of one chat mostly come in the
   * order of their `seq`, but not always: a transaction may begin first and write second. Chats may have been
   * deleted since.
   */
  effect(events: readonly LoggedEvent[], ask: Database['query']): Promise<Effect | undefined>
  /** A statement that undoes everything it did, before the whole log is read again; undefined for nothing. */
  readonly undo?: string
}

/**
 * One statement: its effect and the follower's new place are committed together. It does something only where `moved`
 * has its row, reads `rows` from `$1::json`, and answers with the `chat`s it has written to, if that is any news to them.
 */
interface Effect {
  sql: string
  rows: readonly object[]
}

/** The result of one batch. */
export interface Followed {
  /** events taken in */
  events: number
  /** chats that were written to */
  chats: string[]
  /** there may be more to take in */
  more: boolean
}

const nothing: Followed = { events: 0, chats: [], more: false }

/** The log was written on another server, and its events cannot be told from this one's by age. */
class MovedLogError extends Error {
  override readonly name = 'MovedLogError'

  constructor() {
    super(
      'The database was restored from another server: run `npm run db:rebuild` once, then its log is followed again',
    )
  }
}

/** A place in the log of all chats: every event at or before it was taken in, and none after it. */
interface Place {
  txid: string
  chat: string
  seq: number
}

/**
 * Has a follower take in the next events. Its effect and its new place are one statement: after an error both are as they
 * were. When another process has taken in the same events meanwhile, the place has moved and nothing is done.
 *
 * Events come in the order of their transactions, and none of a transaction that began after the oldest one still running:
 * its rows come before theirs and would be skipped (DESIGN.md §9). So a transaction that
 * stays open, in any database of the server, holds followers up.
 *
 * @param batch events at most
 * @throws MovedLogError, and the follower's own errors
 */
export async function followLog(
  database: Database,
  follower: Follower,
  { batch = BATCH }: { batch?: number } = {},
): Promise<Followed> {
  const place = await placeOf(database, follower)
  const rows = await database.query<StoredEvent & { txid: string }>(nextSql, [
    ...[place.txid, place.chat, place.seq],
    batch,
  ])
  const last = rows.at(-1)
  if (!last) return nothing
  const events: LoggedEvent[] = rows.map(({ txid: _txid, ...event }) => upcast(event))
  const effect = await follower.effect(events, database.query)
  const to: Place = { txid: last.txid, chat: last.chatId, seq: last.seq }
  const chats = await move(database, follower, { from: place, to, effect })
  return chats ? { events: rows.length, chats, more: rows.length === batch } : nothing
}

/**
 * The followers with something to take in. Asked first: while nothing happens, nothing else is read or written.
 */
export async function whoIsBehind(database: Database, followers: readonly Follower[]): Promise<Follower[]> {
  const rows = await database.query<{ name: string }>(behindSql, [
    JSON.stringify(followers.map(({ name }) => name)),
  ])
  const behind = new Set(rows.map(({ name }) => name))
  return followers.filter(({ name }) => behind.has(name))
}

/**
 * Undoes a follower's effects and sends it to the beginning of the log. Its place is reset first, in a
 * statement of its own, which waits for a process that is taking events in; the effect of those is undone
 * too.
 */
export async function resetFollower(database: Database, { name, undo }: Follower): Promise<void> {
  await database.orm.transaction(async (tx) => {
    await tx.execute(sql`insert into followers (name) values (${name})
      on conflict (name) do update set txid = '0', at_chat = '', at_seq = 0, updated_at = clock_timestamp()`)
    if (undo !== undefined) await tx.execute(sql.raw(undo))
  })
}

/**
 * Makes a log that was restored from another server's dump one of this server. Its events keep the numbers of
 * the transactions that wrote them there. Followers go by these numbers, and would pass over new events until
 * as many transactions have run. Restored events become older than any transaction of this server, and
 * followers begin anew.
 *
 * This is the only place that rewrites anything of an event: its transaction on a server that is gone, never
 * its content. Writers wait meanwhile. Needs the rights of the tables' owner.
 *
 * @returns true when the log came from another server; otherwise nothing was done
 */
export async function adoptLog(database: Database, followers: readonly Follower[]): Promise<boolean> {
  const [row] = await database.query<{ moved: boolean }>(`select (${isMovedSql}) as moved`)
  if (!row?.moved) return false
  // the last step ends the matter: broken off before it, all of it is done again
  for (const follower of followers) await resetFollower(database, follower)
  await database.query(renumberSql)
  return true
}

async function placeOf(database: Database, { name }: Follower): Promise<Place> {
  const find = () => database.query<Place & { moved: boolean }>(placeSql, [name])
  let [place] = await find()
  if (!place) {
    await database.query('insert into followers (name) values ($1) on conflict do nothing', [name])
    place = (await find())[0]
  }
  if (!place) throw new Error(`Follower "${name}" has no place`)
  if (place.moved) {
    // kept until the log is adopted: this server's transactions may reach those of the other one
    await database.query(`update followers set txid = '${NEVER}' where name = $1 and txid <> '${NEVER}'`, [
      name,
    ])
    throw new MovedLogError()
  }
  return place
}

/** The chats written to; undefined when the follower is not, or no longer, where these events begin. */
async function move(
  database: Database,
  { name }: Follower,
  { from, to, effect }: { from: Place; to: Place; effect: Effect | undefined },
): Promise<string[] | undefined> {
  const { sql, rows } = effect ?? noEffect
  const [row] = await database.query<{ moved: boolean; chats: string[] }>(moveSql(sql), [
    ...[JSON.stringify(rows), name],
    ...[from.txid, from.chat, from.seq, to.txid, to.chat, to.seq],
  ])
  return row?.moved ? row.chats : undefined
}

const noEffect: Effect = { sql: 'select null as chat from moved where $1::json is null', rows: [] }

/** The last transaction any server will ever run. */
const NEVER = '18446744073709551615'

/**
 * True when an event was written by a transaction that this server has not reached, and thus on another
 * server. The same holds for the place of a follower.
 */
const isMovedSql = ['events', 'followers']
  .map((rows) => `exists (select 1 from ${rows} m where m.txid >= pg_snapshot_xmax(pg_current_snapshot()))`)
  .join(' or ')

/** $1 name */
const placeSql = `select txid::text as txid, at_chat as chat, at_seq::float8 as seq, (${isMovedSql}) as moved
  from followers where name = $1`

/** $1 transaction, $2 chat and $3 number to begin after, $4 how many */
const nextSql = `select e.txid::text as txid, ${eventColumns} from events e
  where (e.txid, e.chat_id, e.seq) > ($1::xid8, $2, $3::bigint) and e.txid < pg_snapshot_xmin(pg_current_snapshot())
  order by e.txid, e.chat_id, e.seq limit $4`

/**
 * $1 names. The next event is asked for in its order: Postgres takes a mere `exists` for something that it finds soon, and
 * reads the whole log where there is nothing to find.
 */
const behindSql = `select w.name from json_array_elements_text($1::json) w(name) left join followers f on f.name = w.name
  where (${isMovedSql}) or (select e.seq from events e
    where (e.txid, e.chat_id, e.seq) > (coalesce(f.txid, '0'), coalesce(f.at_chat, ''), coalesce(f.at_seq, 0))
      and e.txid < pg_snapshot_xmin(pg_current_snapshot())
    order by e.txid, e.chat_id, e.seq limit 1) is not null`

/** $1 rows of the effect, $2 name, $3 to $5 the place to move from, $6 to $8 the place to move to */
const moveSql = (effect: string): string => `with here as (
  select f.name from followers f where f.name = $2
    and (f.txid, f.at_chat, f.at_seq) = ($3::xid8, $4, $5::bigint) for update skip locked
), moved as (
  update followers f set txid = $6::xid8, at_chat = $7, at_seq = $8::bigint, updated_at = clock_timestamp()
  from here where f.name = here.name returning f.name
), done as (${effect})
select exists (select 1 from moved) as moved,
  coalesce((select json_agg(distinct chat) filter (where chat is not null) from done), '[]') as chats`

const renumberSql = `do $$ begin
  alter table events disable trigger events_no_change;
  update events set txid = '0' where txid >= pg_snapshot_xmax(pg_current_snapshot());
  alter table events enable trigger events_no_change;
end $$`
