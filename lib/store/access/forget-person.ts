import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { type Database, schema, type Transaction } from '@/lib/db'
import { newId } from '@/lib/events'
import { lockBelongings, moveChats } from './move-belongings'

const { chats, quotaPerson, runs, user } = schema

/** A guest who was not here for so long is deleted. */
const SILENT = '30 days'
/** Guests that one call looks at, and chats and files that it deletes, at most. */
const LOOKED_AT = 200
const CHATS = 20
const FILES = 50

/**
 * Deletes a person for good, in one transaction: sessions, keys and settings at once; the chats and files are out of
 * reach from then on, and `forgetGone` deletes them. Answers of models that are being written stop.
 *
 * @returns false where there is no such person (any more)
 */
export async function forgetPerson(database: Database, personId: string): Promise<boolean> {
  return database.orm.transaction(async (tx) => {
    if (!(await lockBelongings(tx, personId))) return false
    await forgetLocked(tx, personId)
    return true
  })
}

/** The chats and files go to a row of their own that has no way in. */
async function forgetLocked(tx: Transaction, personId: string): Promise<void> {
  const gone = newId()
  const now = sql`clock_timestamp()`
  const own = tx.select({ id: chats.id }).from(chats).where(eq(chats.userId, personId))
  const isLive = and(inArray(runs.status, ['queued', 'running']), isNull(runs.stopAt))
  await tx
    .update(runs)
    .set({ stopAt: now })
    .where(and(inArray(runs.chatId, own), isLive))
  // sums that are unknown are not kept while the chats move: each chat would be measured
  await tx.update(quotaPerson).set({ bytes: null, chats: null }).where(eq(quotaPerson.userId, personId))
  const email = `${gone}@deleted.invalid`
  await tx.insert(user).values({ id: gone, name: 'Deleted', email, isAnonymous: true, goneAt: now })
  await moveChats(tx, personId, gone)
  await tx.delete(user).where(eq(user.id, personId))
}

/**
 * Deletes the guests who were not here for 30 days: by then their sessions have ended by themselves. At most a batch is looked at; the next call goes on where this one
 * stopped, whichever process makes it.
 */
export async function forgetSilentGuests(database: Database): Promise<number> {
  await database.query(`insert into sweeps (name) values ('silent guests') on conflict do nothing`)
  const silent = await database.query<{ id: string }>(sweepSilent, [LOOKED_AT])
  let gone = 0
  for (const { id } of silent) {
    await database.orm.transaction(async (tx) => {
      // looked at again, in a statement after the locks: the guest may have written meanwhile
      await lockBelongings(tx, id)
      const silent = await tx.$count(user, and(eq(user.id, id), sql.raw(isSilent('"user"'))))
      if (silent > 0) await forgetLocked(tx, id)
      gone += silent
    })
  }
  return gone
}

const after = (at: string): string => `${at} >= clock_timestamp() - interval '${SILENT}'`

/** @param u the name of the person's row */
const isSilent = (
  u: string,
): string => `${u}.is_anonymous and ${u}.gone_at is null and not (${after(`${u}.created_at`)})
  and not exists (select 1 from session s where s.user_id = ${u}.id and s.expires_at >= clock_timestamp())
  and not exists (select 1 from chats c where c.user_id = ${u}.id and ${after('c.updated_at')})
  and not exists (select 1 from imports i where i.user_id = ${u}.id and ${after('i.created_at')})
  and not exists (select 1 from files f where f.owner_id = ${u}.id and ${after('f.uploaded_at')})
  and not exists (select 1 from context_presets p where p.user_id = ${u}.id and ${after('p.updated_at')})
  and not exists (select 1 from chat_defaults d where d.user_id = ${u}.id and ${after('d.updated_at')})
  and not exists (select 1 from provider_keys k where k.user_id = ${u}.id and ${after('k.saved_at')})
  and not exists (select 1 from tool_servers t where t.user_id = ${u}.id and ${after('t.created_at')})
  and not exists (select 1 from remotes r where r.user_id = ${u}.id and ${after('r.created_at')})
  and not exists (select 1 from api_keys a where a.user_id = ${u}.id and ${after('coalesce(a.last_used_at, a.created_at)')})`

/** $1 how many; nothing while another process sweeps */
const sweepSilent = `
with sweep as materialized (select place from sweeps where name = 'silent guests' for update skip locked),
looked_at as materialized (
  select u.id from sweep cross join lateral (
    select id from "user" where is_anonymous and id > sweep.place order by id limit $1) u),
moved as (
  update sweeps set place = case when (select count(*) from looked_at) < $1 then '' else (select max(id) from looked_at) end
  where name = 'silent guests' and exists (select 1 from sweep))
select u.id from looked_at l join "user" u on u.id = l.id where ${isSilent('u')}`

/**
 * Deletes some of the chats and files that deleted people have left; when none is left, the row that held them. A call
 * that is cut off leaves the rest for the next one.
 *
 * @param onDeleted told of each chat
 */
export async function forgetGone(database: Database, onDeleted: (chatId: string) => void): Promise<number> {
  const chats = await database.query<{ id: string }>(
    `delete from chats d using (
      select c.id from "user" u join chats c on c.user_id = u.id where u.gone_at is not null
      order by c.id limit $1 for update of c skip locked) left_behind
    where d.id = left_behind.id returning d.id`,
    [CHATS],
  )
  for (const { id } of chats) onDeleted(id)
  if (chats.length > 0) return chats.length
  const files = await database.query(
    `delete from files d using (
      select f.id from "user" u join files f on f.owner_id = u.id where u.gone_at is not null
        and not exists (select 1 from chat_files h where h.file_id = f.id)
      order by f.id limit $1 for update of f skip locked) left_behind
    where d.id = left_behind.id returning d.id`,
    [FILES],
  )
  if (files.length > 0) return files.length
  const people = await database.query(
    `delete from "user" u where gone_at is not null
      and not exists (select 1 from chats c where c.user_id = u.id)
      and not exists (select 1 from files f where f.owner_id = u.id) returning 1`,
  )
  return people.length
}
