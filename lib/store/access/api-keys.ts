import { createHash, randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { NotFoundError } from '@/lib/context'
import { type Database, schema } from '@/lib/db'
import { asking } from '../reads/asking'
import { lockPerson } from './lock-person'

const { apiKeys } = schema

/** Scope of a key: `read` asks, `write` changes. */
export type KeyScope = 'read' | 'write'

/** A key as its owner sees it in a list. Times are milliseconds. */
export interface ApiKeyInfo {
  id: string
  name: string
  /** its first characters, to tell keys apart */
  hint: string
  scopes: KeyScope[]
  createdAt: number
  /** null for a key that is good until it is revoked */
  expiresAt: number | null
  /** to the minute; null while it was never used */
  lastUsedAt: number | null
}

/** Whom a key stands for, and how far. */
export interface KeyHolder {
  id: string
  name: string
  guest: boolean
  keyId: string
  scopes: KeyScope[]
  expiresAt: number | null
  /** true when this is its first use from the address, of the latest 50 */
  fromNewAddress: boolean
}

export interface NewKey {
  id: string
  name: string
  scopes?: readonly KeyScope[]
  expiresAt?: number | null
}

/** Result of making a key: the key, told this once, or the number of keys at the limit. */
export type MadeKey = { made: true; key: string } | { made: false; used: number }

/** API keys: 256 random bits each, stored as a hash. */
export class ApiKeys {
  readonly #ask: Database['query']

  constructor(private readonly database: Database) {
    this.#ask = asking(database)
  }

  /**
   * Makes a key, good for reading and writing and until it is revoked unless told otherwise.
   *
   * @param most how many keys the owner may have; exact, however many are made at once
   * @returns undefined when the owner does not exist (any more)
   */
  async create(
    ownerId: string,
    { id, name, scopes = ['read', 'write'], expiresAt = null }: NewKey,
    most = Number.POSITIVE_INFINITY,
  ): Promise<MadeKey | undefined> {
    const key = `rk_${randomBytes(32).toString('base64url')}`
    return this.database.orm.transaction(async (tx) => {
      if (!(await lockPerson(tx, ownerId))) return undefined
      const used = await tx.$count(apiKeys, eq(apiKeys.userId, ownerId))
      if (used >= most) return { made: false, used }
      await tx.insert(apiKeys).values({
        id,
        userId: ownerId,
        name,
        hash: hashOf(key),
        hint: key.slice(0, 8),
        scopes: textOf(scopes),
        expiresAt: expiresAt === null ? null : new Date(expiresAt),
      })
      return { made: true, key }
    })
  }

  /** An owner's keys, newest first, expired ones included. */
  async list(ownerId: string): Promise<ApiKeyInfo[]> {
    const rows = await this.#ask<Stored<ApiKeyInfo>>(
      `select id, name, hint, scopes, epoch_ms(created_at) as "createdAt", epoch_ms(expires_at) as "expiresAt",
        epoch_ms(last_used_at) as "lastUsedAt"
      from api_keys where user_id = $1 order by created_at desc, id desc`,
      [ownerId],
    )
    return rows.map(withScopes)
  }

  /** Revokes a key at once and for good. Rejects with `NotFoundError` when it is missing or someone else's. */
  async revoke(ownerId: string, id: string): Promise<void> {
    const rows = await this.#ask('delete from api_keys where id = $1 and user_id = $2 returning id', [
      id,
      ownerId,
    ])
    if (rows.length === 0) throw new NotFoundError('key', id)
  }

  /**
   * The person of a key; undefined for a wrong, expired or revoked key. Records the use, once a minute and for each new
   * address: other uses take one round trip.
   *
   * @param address the network address it was sent from
   */
  async holder(key: string, address: string): Promise<KeyHolder | undefined> {
    const named = [hashOf(key), address]
    const [row] = await this.#ask<Stored<KeyHolder> & { isStale: boolean }>(holderSql, named)
    if (!row) return undefined
    const { isStale, ...holder } = row
    // of several first uses from one address at once, only one reports it as new: the update decides
    const isRecorded = (isStale || holder.fromNewAddress) && (await this.#ask(usedSql, named)).length > 0
    return withScopes({ ...holder, fromNewAddress: holder.fromNewAddress && isRecorded })
  }

  /** Tells whether a key was made here, by anyone. */
  async has(key: string): Promise<boolean> {
    const rows = await this.#ask('select 1 from api_keys where hash = $1', [hashOf(key)])
    return rows.length > 0
  }

  /** Forgets keys that expired more than `olderMs` milliseconds ago. Returns how many those were. */
  async forgetExpired(olderMs: number): Promise<number> {
    const rows = await this.#ask(
      `delete from api_keys where expires_at < clock_timestamp() - $1::double precision * interval '1 millisecond'
      returning 1`,
      [olderMs],
    )
    return rows.length
  }
}

/** A row as the database has it: scopes as one text. */
type Stored<T extends { scopes: KeyScope[] }> = Omit<T, 'scopes'> & { scopes: string }

/** A row with its scopes as a list. */
export const withScopes = <T extends { scopes: string }>(
  row: T,
): Omit<T, 'scopes'> & { scopes: KeyScope[] } => ({
  ...row,
  scopes: row.scopes.split(' ') as KeyScope[],
})

/** Scopes as one text. */
export const textOf = (scopes: readonly KeyScope[]): string =>
  (['read', 'write'] as const).filter((scope) => scopes.includes(scope)).join(' ')

const MINUTE_AGO = "last_used_at is null or last_used_at < now() - interval '1 minute'"

/** $1 hash of the key, $2 address */
const holderSql = `
select u.id, u.name, u.is_anonymous as guest, k.id as "keyId", k.scopes, epoch_ms(k.expires_at) as "expiresAt",
  not $2 = any (k.addresses) as "fromNewAddress", ${MINUTE_AGO} as "isStale"
from api_keys k join "user" u on u.id = k.user_id
where k.hash = $1 and (k.expires_at is null or k.expires_at > now())`

/** As `holderSql`; it keeps the latest 50 addresses. */
const usedSql = `
update api_keys set last_used_at = now(), addresses = case when $2 = any (addresses) then addresses
  else addresses[greatest(1, cardinality(addresses) - 48):] || $2::text end
where hash = $1 and (expires_at is null or expires_at > now()) and (${MINUTE_AGO} or not $2 = any (addresses)) returning 1`

/** The hash by which a secret is found: the secret itself is not stored. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/**
 * The credential of a request: a browser's session, a script's key, the access that an app was given, or none at a machine of
 * one owner, where the id is the owner's.
 */
export interface Credential {
  kind: 'session' | 'key' | 'app' | 'owner'
  id: string
}

/** The right by which a stream goes on: a credential, or a membership in a chat of someone else. */
export type Held = Credential | { kind: 'member'; id: string }

/**
 * The credentials and memberships that still hold: neither ended, revoked nor expired, of a person who exists. One statement by primary
 * keys: it runs twice a second while streams are open.
 */
export async function heldCredentials(database: Database, credentials: readonly Held[]): Promise<Held[]> {
  const of = (kind: Held['kind']) => credentials.filter((c) => c.kind === kind).map(({ id }) => id)
  return database.query<Held>(heldSql, [of('session'), of('key'), of('app'), of('owner'), of('member')])
}

const heldSql = `select 'session' as kind, id from session where id = any ($1::text[]) and expires_at > now()
union all select 'key', id from api_keys where id = any ($2::text[]) and (expires_at is null or expires_at > now())
union all select 'app', id from oauth_grants where id = any ($3::text[]) and ends_at > now()
union all select 'owner', id from "user" where id = any ($4::text[]) and gone_at is null
union all select 'member', m.id from chat_members m join chats c on c.id = m.chat_id join "user" o on o.id = c.user_id
  where m.id = any ($5::text[]) and m.person_id is not null and o.gone_at is null`
