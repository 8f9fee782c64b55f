import { eq, sql } from 'drizzle-orm'
import { type Database, schema } from '@/lib/db'

/**
 * Gives a guest's chats and presets to the account that signs in on the guest's browser, and ends the guest's keys, sessions and
 * answers to commands, in one transaction. Another person may hold a key or a session of the guest, and must not get into
 * the account with it. A stored answer to a guest's command would count for the account, under a key that both may use.
 * If both have a chat of the same id, one of them gets a new id (`move_chats`). Returns how many keys and sessions ended.
 */
export async function moveBelongings(database: Database, from: string, to: string) {
  const { apiKeys, contextPresets, idempotency, session } = schema
  return database.orm.transaction(async (tx) => {
    // no key is created meanwhile
    await tx.execute(sql`select 1 from "user" where id = ${from} for no key update`)
    await tx.execute(sql`select move_chats(${from}, ${to}), move_quota(${from}, ${to})`)
    await tx.update(contextPresets).set({ userId: to }).where(eq(contextPresets.userId, from))
    const keys = await tx.delete(apiKeys).where(eq(apiKeys.userId, from)).returning({ id: apiKeys.id })
    const sessions = await tx.delete(session).where(eq(session.userId, from)).returning({ id: session.id })
    await tx.delete(idempotency).where(eq(idempotency.userId, from))
    return { keys: keys.length, sessions: sessions.length }
  })
}
