import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { type Database, schema } from '@/lib/db'

const HOUR = 3_600_000

type LinkKind = 'reset-password' | 'change-email'

/** An account as its credentials are: each change of one raises the generation (`raise_generation`). */
export interface Account {
  person: string
  generation: number
}

/** A transaction of the database. */
export type Transaction = Parameters<Parameters<Database['orm']['transaction']>[0]>[0]

/** A link in its stored form; a link that changes the address also has the new one. */
interface Stored extends Account {
  email?: string
}

/**
 * Makes the link of a letter: it works once, for an hour, and only for the generation of the account that was read before
 * the link was asked for. Stored is the hash of the token.
 *
 * @returns the token, told this once
 */
export async function makeLink(
  { orm }: Pick<Database, 'orm'>,
  kind: LinkKind,
  { person, generation, email }: Stored,
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await orm.delete(schema.verification).where(sql`expires_at < clock_timestamp()`)
  await orm.insert(schema.verification).values({
    id: randomUUID(),
    identifier: identifierOf(kind, token),
    value: JSON.stringify({ person, generation, email } satisfies Stored),
    expiresAt: new Date(Date.now() + HOUR),
  })
  return token
}

/**
 * Uses a link up, and locks its person until the transaction ends.
 *
 * @returns undefined for a link that was used, is too old, or was asked for before a credential of the account changed
 */
export async function takeLink(tx: Transaction, kind: LinkKind, token: string) {
  const [found] = await tx
    .delete(schema.verification)
    .where(sql`identifier = ${identifierOf(kind, token)} and expires_at > clock_timestamp()`)
    .returning({ value: schema.verification.value })
  if (!found) return undefined
  const { email = '', ...account } = JSON.parse(found.value) as Stored
  const present = await lockAccount(tx, account)
  return present && { ...account, from: present.email, email }
}

/** Locks a person until the transaction ends; undefined when a credential has changed since the account was read. */
export async function lockAccount(tx: Transaction, { person, generation }: Account) {
  const [row] = await tx
    .select({ email: schema.user.email })
    .from(schema.user)
    .where(sql`id = ${person} and generation = ${generation} and gone_at is null`)
    .for('update')
  return row
}

const identifierOf = (kind: LinkKind, token: string): string =>
  createHash('sha256').update(`${kind}:${token}`).digest('base64url')
