import { eq, sql } from 'drizzle-orm'
import { type Database, schema } from '@/lib/db'

/** Seals a provider's key anew for its new owner; undefined for one that is not readable. */
type Reseal = (key: { provider: string; sealed: string; baseUrl: string | null }) => string | undefined

/**
 * Gives a guest's chats, files, presets, settings of new chats, imports, provider keys, tool servers, remotes, proposals and memberships to the account that signs in on the guest's
 * browser, and deletes the guest with its keys, apps, sessions and answers to commands, in one transaction. Another person may hold a
 * key or a session of the guest, and must not get into the account with it: unless all of it was one person's before
 * (`keepsAccess`), as on a machine of one owner. A stored answer to a guest's command would count for
 * the account, under a key that both may use. If both have a chat of the same id, one of them gets a new id (`move_chats`); of
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
    await tx.execute(sql`select lock_person(${from})`)
    await tx.execute(sql`select move_chats(${from}, ${to}), move_quota(${from}, ${to})`)
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
    await tx.execute(
      sql`select move_servers('tool_servers', ${from}, ${to}), move_servers('remotes', ${from}, ${to})`,
    )
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
