import type { Database } from '@/lib/db'

/** Sessions that one call removes, and persons it looks at, at most. */
const BATCH = 500
const LOOKED_AT = 200

/**
 * Removes sessions that have ended by themselves, and guests that own nothing and cannot come back: older than a day,
 * without a session, a chat or a key. At most a batch of each; the next call goes on where this one stopped, whichever
 * process makes it, and two at once do not do the same.
 *
 * A guest who writes its first chat in this very moment is safe: the chat's reference to it makes the database refuse.
 */
export async function forgetIdentities(database: Database): Promise<{ sessions: number; guests: number }> {
  const sessions = await database.query(
    `delete from session s using (
      select id from session where expires_at < clock_timestamp() order by expires_at limit $1 for update skip locked) ended
    where s.id = ended.id returning 1`,
    [BATCH],
  )
  return { sessions: sessions.length, guests: await forgetGuests(database) }
}

async function forgetGuests(database: Database): Promise<number> {
  try {
    const [row] = await database.query<{ count: number }>(sweepGuests, [LOOKED_AT])
    return row?.count ?? 0
  } catch (error) {
    // one of them got a chat meanwhile: the next call looks at them again
    if (isStillReferenced(error)) return 0
    throw error
  }
}

/** $1 how many; nothing while another process sweeps */
const sweepGuests = `
with sweep as materialized (select place from sweeps where name = 'guests' for update skip locked),
looked_at as materialized (
  select u.id from sweep cross join lateral (
    select id from "user" where is_anonymous and id > sweep.place order by id limit $1) u),
empty as materialized (
  select u.id from looked_at l join "user" u on u.id = l.id
  where u.created_at < clock_timestamp() - interval '1 day'
    and not exists (select 1 from session s where s.user_id = u.id and s.expires_at >= clock_timestamp())
    and not exists (select 1 from chats c where c.user_id = u.id)
    and not exists (select 1 from api_keys k where k.user_id = u.id)
  for update of u skip locked),
gone as (delete from "user" u using empty e where u.id = e.id returning 1),
moved as (
  update sweeps set place = case when (select count(*) from looked_at) < $1 then '' else (select max(id) from looked_at) end
  where name = 'guests' and exists (select 1 from sweep))
select count(*)::int as count from gone`

/** Postgres's code for a row that another one still refers to. */
function isStillReferenced(error: unknown): boolean {
  for (let e = error; e instanceof Error; e = e.cause) {
    if ('code' in e && e.code === '23503') return true
  }
  return false
}
