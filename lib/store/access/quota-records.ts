import { and, eq, gt, lt, sql } from 'drizzle-orm'
import { type Database, schema, type Transaction } from '@/lib/db'
import { today as day } from './quota'

const { quotaUse } = schema

const today = sql.raw(day)

/** Days that what was used is kept for; only the current one counts. */
const KEEP_DAYS = 2
/** Rows that one call removes at most. */
const BATCH = 1000

/** Lets another guest of an address begin; false when it has had as many as it may today. */
export async function takeGuest(database: Database, address: string, allowed: number): Promise<boolean> {
  if (allowed < 1) return false
  const taken = await database.orm
    .insert(quotaUse)
    .values({ scope: 'address', key: address, day: today, guests: 1 })
    .onConflictDoUpdate({
      target: [quotaUse.scope, quotaUse.key, quotaUse.day, quotaUse.stripe],
      set: { guests: sql`${quotaUse.guests} + 1` },
      setWhere: lt(quotaUse.guests, allowed),
    })
    .returning({ guests: quotaUse.guests })
  return taken.length > 0
}

/** Takes back a guest of an address that did not begin after all. */
export async function giveGuestBack(database: Database, address: string): Promise<void> {
  await database.orm
    .update(quotaUse)
    .set({ guests: sql`${quotaUse.guests} - 1` })
    .where(
      and(
        eq(quotaUse.scope, 'address'),
        eq(quotaUse.key, address),
        eq(quotaUse.stripe, 0),
        gt(quotaUse.guests, 0),
        eq(quotaUse.day, today),
      ),
    )
}

/** Adds today's use of one person to that of another. The stored sums follow the chats by themselves (`stored_elsewhere`). */
export async function moveUse(tx: Transaction, from: string, to: string): Promise<void> {
  const sum = (of: 'messages' | 'calls' | 'tokens') =>
    sql.raw(`${of} = excluded.${of} + case when p.day = excluded.day then p.${of} else 0 end`)
  await tx.execute(sql`insert into quota_person as p (user_id, day, messages, calls, tokens)
    select ${to}, day, messages, calls, tokens from quota_person where user_id = ${from} and day = ${today}
    on conflict (user_id) do update set day = excluded.day, ${sum('messages')}, ${sum('calls')}, ${sum('tokens')}`)
}

/** Forgets what was used on days long gone. Returns how many rows those were. */
export async function forgetOldUse(database: Database): Promise<number> {
  const rows = await database.query(
    `delete from quota_use u using (
      select scope, key, day, stripe from quota_use
      where day < ${day} - $1::int
      order by day limit $2 for update skip locked) old
    where (u.scope, u.key, u.day, u.stripe) = (old.scope, old.key, old.day, old.stripe) returning 1`,
    [KEEP_DAYS - 1, BATCH],
  )
  return rows.length
}

/** Forgets what persons have stored: nothing counts it here, so it would not stay true. It is worked out again when needed. */
export async function forgetStored(database: Database): Promise<void> {
  await database.query('update quota_person set bytes = null, chats = null where bytes is not null')
}

/**
 * Compares what is noted of persons' stored bytes and chats with what is there, and forgets what is wrong, to be worked out
 * by the next write. Returns whose that was.
 *
 * @param options.dry only looks
 */
export async function recountStored(
  database: Database,
  { dry = false }: { dry?: boolean } = {},
): Promise<string[]> {
  const wrong = await database.query<{ person: string }>(
    `select s.user_id as person from quota_person s left join lateral (
      select coalesce(sum(chat_bytes(c.id)), 0) + file_bytes(s.user_id) as bytes, count(*) as chats
      from chats c where c.user_id = s.user_id) t on true
    where s.bytes is not null and (s.bytes, s.chats) is distinct from (t.bytes, t.chats) order by 1`,
  )
  const people = wrong.map(({ person }) => person)
  if (!dry && people.length > 0) {
    await database.query(
      'update quota_person set bytes = null, chats = null where user_id in (select json_array_elements_text($1::json))',
      [JSON.stringify(people)],
    )
  }
  return people
}
