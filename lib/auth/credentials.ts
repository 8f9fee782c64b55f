import { randomUUID } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { type Database, schema, type Transaction } from '@/lib/db'
import { type Account, lockAccount, takeLink } from './links'

/** An account and the hash of its password, null without one; undefined without such a person. */
export async function readAccount({ query }: Database, person: string) {
  const [row] = await query<Account & { hash: string | null }>(
    `select u.id as person, u.generation, a.password as hash
    from "user" u left join account a on a.user_id = u.id and a.provider_id = 'credential'
    where u.id = $1 and u.gone_at is null`,
    [person],
  )
  return row
}

/**
 * Changes the password of an account, unless a credential has changed since the account was read: then the present
 * password that was shown may be a former one.
 *
 * @param endsAccess true when sessions, API keys and connected apps end with it
 * @returns false when it has changed
 */
export async function changePassword(
  { orm }: Database,
  account: Account,
  hash: string,
  endsAccess: boolean,
): Promise<boolean> {
  return orm.transaction(async (tx) => {
    if (!(await lockAccount(tx, account))) return false
    await setPassword(tx, account.person, hash)
    if (endsAccess) {
      await endSessions(tx, account.person)
      await endKeysAndApps(tx, account.person)
    }
    return true
  })
}

/**
 * Sets the password of an account by the link of a letter, and ends every session.
 *
 * @param endsAccess true when API keys, connected apps and passkeys end with it
 * @returns the person; undefined for a link that works no longer
 */
export async function resetPassword(
  { orm }: Database,
  token: string,
  hash: string,
  endsAccess: boolean,
): Promise<string | undefined> {
  return orm.transaction(async (tx) => {
    const link = await takeLink(tx, 'reset-password', token)
    if (!link) return undefined
    await setPassword(tx, link.person, hash)
    await endSessions(tx, link.person)
    if (endsAccess) {
      await endKeysAndApps(tx, link.person)
      await tx.delete(schema.passkey).where(eq(schema.passkey.userId, link.person))
    }
    return link.person
  })
}

/**
 * Gives an account the address that the link of a letter was sent to.
 *
 * @param isVerified true when a letter has shown that the address is the person's
 * @returns undefined for a link that works no longer, and for an address that another account has by now
 */
export async function confirmAddress({ orm }: Database, token: string, isVerified: boolean) {
  const { user } = schema
  return orm.transaction(async (tx) => {
    const link = await takeLink(tx, 'change-email', token)
    if (!link) return undefined
    const { person, email } = link
    const changed = await tx
      .update(user)
      .set({ email, emailVerified: isVerified, updatedAt: new Date() })
      .where(and(eq(user.id, person), sql`not exists (select 1 from "user" o where o.email = ${email})`))
      .returning({ id: user.id })
    return changed.length > 0 ? link : undefined
  })
}

async function setPassword(tx: Transaction, person: string, password: string): Promise<void> {
  const { account } = schema
  const own = and(eq(account.userId, person), eq(account.providerId, 'credential'))
  const set = await tx
    .update(account)
    .set({ password, updatedAt: new Date() })
    .where(own)
    .returning({ id: account.id })
  if (set.length > 0) return
  const row = { id: randomUUID(), accountId: person, providerId: 'credential', userId: person, password }
  await tx.insert(account).values(row)
}

const endSessions = (tx: Transaction, person: string) =>
  tx.delete(schema.session).where(eq(schema.session.userId, person))

async function endKeysAndApps(tx: Transaction, person: string): Promise<void> {
  await tx.delete(schema.apiKeys).where(eq(schema.apiKeys.userId, person))
  await tx.delete(schema.oauthGrants).where(eq(schema.oauthGrants.userId, person))
}
