import { eq, sql } from 'drizzle-orm'
import { type Database, schema } from '@/lib/db'

/** What of a guest ended when they signed in to an account. */
export interface Ended {
  keys: number
  sessions: number
}

/**
 * Gives a guest's chats to the account that signs in on the guest's browser, and ends the guest's keys, sessions and
 * answers to commands, at once or not at all. A key or a session of the guest may be in other hands, and must not become
 * a way into the account. An answer to a guest's command would answer for the account, under a key that both may use.
 * Of two chats that both call by one id, one is called by another from now on (`move_chats`).
 */
export async function moveBelongings(database: Database, from: string, to: string): Promise<Ended> {
  const { apiKeys, idempotency, session } = schema
  return database.orm.transaction(async (tx) => {
    // no key is made meanwhile
    await tx.execute(sql`select 1 from "user" where id = ${from} for no key update`)
    await tx.execute(sql`select move_chats(${from}, ${to}), move_quota(${from}, ${to})`)
    const keys = await tx.delete(apiKeys).where(eq(apiKeys.userId, from)).returning({ id: apiKeys.id })
    const sessions = await tx.delete(session).where(eq(session.userId, from)).returning({ id: session.id })
    await tx.delete(idempotency).where(eq(idempotency.userId, from))
    return { keys: keys.length, sessions: sessions.length }
  })
}
