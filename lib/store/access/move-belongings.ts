import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { type Database, schema, type Transaction } from '@/lib/db'
import { isTaken } from '../writes/refusals'
import { moveUse } from './quota-records'

const { agentNodes, chats, files } = schema

/** Seals a provider's key anew for its new owner; undefined for one that is not readable. */
type Reseal = (key: { provider: string; sealed: string; baseUrl: string | null }) => string | undefined

/**
 * Gives a guest's chats, files, presets, settings of new chats, imports, provider keys, tool servers, remotes, proposals and memberships to the account that signs in on the guest's
 * browser, and deletes the guest with its keys, apps, sessions and answers to commands, in one transaction. Another person may hold a
 * key or a session of the guest, and must not get into the account with it: unless all of it was one person's before
 * (`keepsAccess`), as on a machine of one owner. A stored answer to a guest's command would count for
 * the account, under a key that both may use. If both have a chat of the same id, one of them gets a new id (`moveChats`); of
 * two keys for a provider, and of two settings of new chats, the account's stays, and a tool server or remote whose name is taken gets a number.
 *
 * @returns how many keys and sessions ended
 * @param options.reseal without it, the guest's provider keys end too
 * @param options.keepsAccess whether the guest's API keys and connected apps go along, and do not end
 */
export async function moveBelongings(
  database: Database,
  from: string,
  to: string,
  { reseal = () => undefined, keepsAccess = false }: { reseal?: Reseal; keepsAccess?: boolean } = {},
) {
  const { apiKeys, chatDefaults, contextPresets, idempotency, imports, oauthGrants, providerKeys, session } =
    schema
  return database.orm.transaction(async (tx) => {
    await lockBelongings(tx, from)
    await moveChats(tx, from, to)
    await moveUse(tx, from, to)
    await tx.update(contextPresets).set({ userId: to }).where(eq(contextPresets.userId, from))
    const defaults = await tx.select().from(chatDefaults).where(eq(chatDefaults.userId, from))
    for (const of of defaults) {
      await tx
        .insert(chatDefaults)
        .values({ ...of, userId: to })
        .onConflictDoNothing()
    }
    const sealed = await tx.select().from(providerKeys).where(eq(providerKeys.userId, from))
    for (const { userId: _guest, ...key } of sealed) {
      const anew = reseal(key)
      if (anew === undefined) continue
      await tx
        .insert(providerKeys)
        .values({ ...key, userId: to, sealed: anew })
        .onConflictDoNothing()
    }
    await moveServers(tx, schema.toolServers, from, to)
    await moveServers(tx, schema.remotes, from, to)
    await tx.update(schema.proposals).set({ authorId: to }).where(eq(schema.proposals.authorId, from))
    // of two memberships of a chat the account's stays, and the owner of a chat is no member of it
    await tx.execute(sql`delete from chat_members m using chats c where m.person_id = ${from} and c.id = m.chat_id
      and (c.user_id = ${to} or exists (select 1 from chat_members k where k.chat_id = m.chat_id and k.person_id = ${to}))`)
    await tx.execute(
      sql`delete from chat_members m using chats c where m.person_id = ${to} and c.id = m.chat_id and c.user_id = ${to}`,
    )
    await tx.update(schema.chatMembers).set({ personId: to }).where(eq(schema.chatMembers.personId, from))
    await tx.update(imports).set({ userId: to }).where(eq(imports.userId, from))
    if (keepsAccess) {
      await tx.update(apiKeys).set({ userId: to }).where(eq(apiKeys.userId, from))
      await tx.update(oauthGrants).set({ userId: to }).where(eq(oauthGrants.userId, from))
    }
    const keys = await tx.delete(apiKeys).where(eq(apiKeys.userId, from)).returning({ id: apiKeys.id })
    const sessions = await tx.delete(session).where(eq(session.userId, from)).returning({ id: session.id })
    await tx.delete(idempotency).where(eq(idempotency.userId, from))
    // a write that waits for this row, to make something new for the guest, is refused: what it makes would belong to no account
    await tx.delete(schema.user).where(eq(schema.user.id, from))
    return { keys: keys.length, sessions: sessions.length }
  })
}

/**
 * Locks what a person has, and the person, until the transaction ends: then no chat is written to, no import goes on, and nothing
 * new is made, since each refers to the person's row. Imports, chats by their ids, the person: whatever locks more than one
 * of these does it in this order. A statement after this one sees what those before it have written.
 *
 * @returns false without such a person
 */
export async function lockBelongings(tx: Transaction, person: string): Promise<boolean> {
  const { imports, user } = schema
  await tx.execute(
    sql`select count(*) from (select from ${imports} where user_id = ${person} order by id for update) own`,
  )
  await tx.execute(
    sql`select count(*) from (select from ${chats} where user_id = ${person} order by id for no key update) own`,
  )
  const isThere = and(eq(user.id, person), isNull(user.goneAt))
  const rows = await tx.select({ id: user.id }).from(user).where(isThere).for('update')
  return rows.length > 0
}

/**
 * Moves all chats of one user to another, with the names that agents have for their messages, and the files: under their ids,
 * by which the messages name them. Where both have a chat with one id, the new owner's keeps it and the moved one goes by its
 * key; unless the id is the moved chat's key, which cannot change: then the new owner's goes by its own key.
 */
export const moveChats = (tx: Transaction, from: string, to: string): Promise<void> =>
  untilFree(tx, async (tx) => {
    const pair = sql`(${from}, ${to})`
    await tx.execute(sql`update chats k set alias = null from chats o
      where k.alias is not null and k.user_id in ${pair} and o.user_id in ${pair} and o.user_id <> k.user_id
        and coalesce(o.alias, o.id) = k.alias and (k.user_id = ${from} or o.alias is null)`)
    await tx.update(chats).set({ userId: to }).where(eq(chats.userId, from))
    // of what both have said to a model, the new owner's is found; another call of the same meanwhile ends as below
    const known = tx.select({ hash: agentNodes.hash }).from(agentNodes).where(eq(agentNodes.ownerId, to))
    await tx.delete(agentNodes).where(and(eq(agentNodes.ownerId, from), inArray(agentNodes.hash, known)))
    await tx.update(agentNodes).set({ ownerId: to }).where(eq(agentNodes.ownerId, from))
    await tx.update(files).set({ ownerId: to }).where(eq(files.ownerId, from))
  })

/** Moves servers to another user. One whose name the new owner has goes by the name and the lowest free number. */
const moveServers = (
  tx: Transaction,
  servers: typeof schema.toolServers | typeof schema.remotes,
  from: string,
  to: string,
): Promise<void> =>
  untilFree(tx, async (tx) => {
    const { id, userId, name, createdAt } = servers
    const rows = await tx
      .select({ id, userId, name })
      .from(servers)
      .where(inArray(userId, [from, to]))
      .orderBy(createdAt, id)
    const taken = new Set(rows.filter((row) => row.userId === to).map((row) => row.name.toLowerCase()))
    const moved = rows
      .filter((row) => row.userId === from)
      .map((row) => ({ ...row, name: freeName(row.name, taken) }))
    await tx.execute(sql`update ${servers} s set user_id = ${to}, name = x.name
      from json_to_recordset(${JSON.stringify(moved)}::json) x(id text, name text) where s.id = x.id`)
  })

/** A name, or the most letters of it that leave room for the lowest free number; taken from then on. */
function freeName(name: string, taken: Set<string>): string {
  let free = name
  for (let number = 2; taken.has(free.toLowerCase()); number += 1)
    free = `${name.slice(0, 31 - `${number}`.length)}-${number}`
  taken.add(free.toLowerCase())
  return free
}

/** Does something again where the new owner has made a row meanwhile that it meets: the next look sees it. */
async function untilFree(tx: Transaction, work: (tx: Transaction) => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await tx.transaction(work)
    } catch (error) {
      if (!isTaken(error)) throw error
    }
  }
}
