import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { and, eq, getTableColumns, gt, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { NotFoundError } from '@/lib/context'
import { type Database, schema, type Transaction } from '@/lib/db'
import { newId } from '@/lib/events'
import { asking } from '../reads/asking'
import { hashOf, type KeyScope, textOf, withScopes } from './api-keys'
import { lockPerson } from './lock-person'

const { oauthClients, oauthGrants, oauthTokens, user } = schema

/** An app's proof that it is the one that registered: a secret, or PKCE alone. */
export const authMethods = ['none', 'client_secret_basic', 'client_secret_post'] as const
export type AuthMethod = (typeof authMethods)[number]

/** An app that has registered. Its name is what it calls itself. */
export interface OAuthApp {
  id: string
  name: string
  redirectUris: string[]
  authMethod: AuthMethod
}

/** An app that a person has let in, as the person sees it in a list. Times are milliseconds. */
export interface ConnectedApp {
  id: string
  name: string
  redirectUri: string
  scopes: KeyScope[]
  createdAt: number
  /** to the minute; null while it was never used */
  lastUsedAt: number | null
}

/** Permission that a person gives an app. */
export interface NewGrant {
  clientId: string
  scopes: readonly KeyScope[]
  /** the address that the tokens are good for */
  resource: string
  redirectUri: string
  codeChallenge: string
}

/** Tokens, told this once. */
interface IssuedTokens {
  access: string
  refresh: string
  expiresIn: number
  grantId: string
  person: string
  scopes: KeyScope[]
}

/** Tokens for a code or a refresh token; undefined when it is wrong or over. */
export type Exchange =
  | { issued: IssuedTokens }
  | { refused: 'scope' | 'resource' }
  /** it was in wrong hands, so the grant is over; `wasRedeemed` where tokens had been given for it */
  | { ended: string; person: string; wasRedeemed: boolean }
  | undefined

/** Whom an access token stands for, and how far. */
export interface TokenHolder {
  id: string
  name: string
  guest: boolean
  grantId: string
  scopes: KeyScope[]
  expiresAt: number
}

const HOUR = 3600
const DAY = 24 * HOUR
/** Lifetimes of codes and tokens, in seconds. */
const oauthLives = { code: 60, access: HOUR, refresh: 30 * DAY } as const

/** Prefix of access tokens, which tells them from API keys without a look-up. */
export const ACCESS_TOKEN = 'ro_'

/**
 * Apps that people let in by OAuth: registrations, grants, and their tokens. Codes, tokens and secrets are 256 random bits
 * each, and stored as hashes.
 */
export class OAuthApps {
  readonly #ask: Database['query']

  constructor(private readonly database: Database) {
    this.#ask = asking(database)
  }

  /** Registers an app. Its secret, for a method that needs one, is told this once. */
  async register({ name, redirectUris, authMethod }: Omit<OAuthApp, 'id'>) {
    const [id, secret] = [newId(), authMethod === 'none' ? undefined : secretOf('rs_')]
    await this.#ask(
      `insert into oauth_clients (id, name, redirect_uris, auth_method, secret_hash) values ($1, $2, $3, $4, $5)`,
      [id, name, redirectUris, authMethod, secret === undefined ? null : hashOf(secret)],
      { kind: 'write' },
    )
    return { id, secret }
  }

  async find(id: string): Promise<OAuthApp | undefined> {
    const [app] = await this.#ask<OAuthApp>(
      `select id, name, to_json(redirect_uris) as "redirectUris", auth_method as "authMethod" from oauth_clients where id = $1`,
      [id],
    )
    return app
  }

  /** True when it is the app's secret. An app without one has none that fits. */
  async hasSecret(id: string, secret: string): Promise<boolean> {
    const [app] = await this.#ask<{ hash: string | null }>(
      'select secret_hash as hash from oauth_clients where id = $1',
      [id],
    )
    return app?.hash != null && timingSafeEqual(Buffer.from(app.hash), Buffer.from(hashOf(secret)))
  }

  /**
   * Lets an app in. The code is told this once, and good for a minute.
   *
   * @param most how many apps a person may have let in; exact, however many come at once
   * @returns undefined for a guest, and where person or app does not exist (any more)
   */
  async grant(
    personId: string,
    { scopes, ...grant }: NewGrant,
    most: number,
  ): Promise<{ made: true; id: string; code: string } | { made: false; used: number } | undefined> {
    const [id, code] = [newId(), secretOf('rc_')]
    return this.database.orm.transaction(async (tx) => {
      const hasAccount = and(eq(user.isAnonymous, false), isNull(user.goneAt))
      if (!(await lockPerson(tx, personId, hasAccount))) return undefined
      const inForce = and(eq(oauthGrants.userId, personId), gt(oauthGrants.endsAt, now))
      const used = await tx.$count(oauthGrants, inForce)
      if (used >= most) return { made: false, used }
      const [app] = await tx
        .update(oauthClients)
        .set({ approvedAt: now })
        .where(eq(oauthClients.id, grant.clientId))
        .returning({ id: oauthClients.id })
      if (!app) return undefined
      await tx.insert(oauthGrants).values({
        ...grant,
        id,
        userId: personId,
        scopes: textOf(scopes),
        codeHash: hashOf(code),
        endsAt: after(oauthLives.code),
      })
      return { made: true, id, code }
    })
  }

  /**
   * Exchanges a code for tokens, once. A code that comes again, late, from another app or with another address or verifier is in
   * wrong hands: its grant ends with every token.
   */
  async redeem(
    code: string,
    given: { clientId: string; redirectUri: string; verifier: string; resource?: string | undefined },
  ): Promise<Exchange> {
    return this.database.orm.transaction(async (tx) => {
      const grant = await lockGrant(tx, eq(oauthGrants.codeHash, hashOf(code)))
      if (!grant) return undefined
      const isRight =
        grant.clientId === given.clientId &&
        grant.redirectUri === given.redirectUri &&
        grant.codeChallenge === createHash('sha256').update(given.verifier).digest('base64url') &&
        grant.resource === (given.resource ?? grant.resource)
      if (grant.redeemedAt || grant.isOver || !isRight) return endGrant(tx, grant)
      return issueTokens(tx, grant, grant.scopes)
    })
  }

  /**
   * Exchanges a refresh token for the next tokens; the old access token stays good for its hour. A token that was exchanged before
   * ends its grant: two have it. Within ten seconds it is refused alone: an app that asks twice at once is not a thief, and
   * gets nothing for the second time.
   */
  async rotate(
    token: string,
    given: { clientId: string; scopes?: readonly KeyScope[] | undefined; resource?: string | undefined },
  ): Promise<Exchange> {
    const isToken = and(eq(oauthTokens.hash, hashOf(token)), eq(oauthTokens.kind, 'refresh'))
    return this.database.orm.transaction(async (tx) => {
      const ofToken = tx.select({ id: oauthTokens.grantId }).from(oauthTokens).where(isToken)
      const grant = await lockGrant(tx, inArray(oauthGrants.id, ofToken))
      if (grant?.clientId !== given.clientId) return undefined
      // read under the lock of its grant: while that was waited for, the token may have been spent, or have gone
      const [known] = await tx
        .select({
          isOver: sql<boolean>`${oauthTokens.until} <= ${now}`,
          isSpent: sql<boolean>`${oauthTokens.spentAt} is not null`,
          isStolen: sql<boolean | null>`${oauthTokens.spentAt} < ${after(-10)}`,
        })
        .from(oauthTokens)
        .where(isToken)
      if (known?.isStolen) return endGrant(tx, grant)
      if (!known || known.isSpent || known.isOver) return undefined
      if (grant.resource !== (given.resource ?? grant.resource)) return { refused: 'resource' }
      const scopes = given.scopes ? textOf(given.scopes) : grant.scopes
      if (scopes.split(' ').some((scope) => !grant.scopes.includes(scope))) return { refused: 'scope' }
      await tx.update(oauthTokens).set({ spentAt: now }).where(isToken)
      return issueTokens(tx, grant, scopes)
    })
  }

  /**
   * The person of an access token. Records the use, once a minute: other uses take one round trip.
   *
   * @param resource the address that was asked: a token for another one is wrong
   */
  async holder(token: string, resource: string): Promise<TokenHolder | undefined> {
    const [row] = await this.#ask<Omit<TokenHolder, 'scopes'> & { scopes: string; isStale: boolean }>(
      holderSql,
      [hashOf(token), resource],
    )
    if (!row) return undefined
    const { isStale, ...holder } = row
    if (isStale)
      await this.#ask('update oauth_grants set last_used_at = now() where id = $1', [holder.grantId])
    return withScopes(holder)
  }

  /** The apps that a person has let in, newest first. */
  async list(personId: string): Promise<ConnectedApp[]> {
    const rows = await this.#ask<Omit<ConnectedApp, 'scopes'> & { scopes: string }>(
      `select g.id, c.name, g.redirect_uri as "redirectUri", g.scopes, epoch_ms(g.created_at) as "createdAt",
        epoch_ms(g.last_used_at) as "lastUsedAt"
      from oauth_grants g join oauth_clients c on c.id = g.client_id
      where g.user_id = $1 and g.redeemed_at is not null and g.ends_at > clock_timestamp()
      order by g.created_at desc, g.id desc`,
      [personId],
    )
    return rows.map(withScopes)
  }

  /** Ends a grant at once and for good. Rejects with `NotFoundError` when it is missing or someone else's. */
  async end(personId: string, id: string): Promise<void> {
    const rows = await this.#ask('delete from oauth_grants where id = $1 and user_id = $2 returning id', [
      id,
      personId,
    ])
    if (rows.length === 0) throw new NotFoundError('app', id)
  }

  /** Ends the grant of a token, where the app has it. Says whose it was. */
  async revoke(token: string, clientId: string): Promise<{ id: string; person: string } | undefined> {
    const [ended] = await this.#ask<{ id: string; person: string }>(
      `delete from oauth_grants where client_id = $2 and id = (select grant_id from oauth_tokens where hash = $1)
      returning id, user_id as person`,
      [hashOf(token), clientId],
    )
    return ended
  }

  /**
   * Forgets what is over: grants and tokens, apps that nobody let in within three days, and apps that nobody has let in any
   * more for 90 days. Returns how many those were.
   */
  async forgetOld(): Promise<number> {
    const rows = await this.#ask(
      `with grants as (delete from oauth_grants where ends_at < clock_timestamp() returning id),
      tokens as (delete from oauth_tokens where until < clock_timestamp()
        and grant_id not in (select id from grants) returning 1),
      apps as (delete from oauth_clients c where (approved_at is null and created_at < clock_timestamp() - interval '3 days')
        or (approved_at < clock_timestamp() - interval '90 days'
          and not exists (select 1 from oauth_grants g where g.client_id = c.id)) returning 1)
      select 1 from grants union all select 1 from tokens union all select 1 from apps`,
    )
    return rows.length
  }
}

const secretOf = (kind: string): string => `${kind}${randomBytes(32).toString('base64url')}`

const now = sql`clock_timestamp()`

const after = (seconds: number): SQL<Date> => sql`clock_timestamp() + ${seconds}::int * interval '1 second'`

/** A grant, locked until the transaction ends. */
async function lockGrant(tx: Transaction, which: SQL) {
  const [grant] = await tx
    .select({ ...getTableColumns(oauthGrants), isOver: sql<boolean>`${oauthGrants.endsAt} <= ${now}` })
    .from(oauthGrants)
    .where(which)
    .for('update')
  return grant
}

type Grant = NonNullable<Awaited<ReturnType<typeof lockGrant>>>

async function endGrant(tx: Transaction, { id, userId, redeemedAt }: Grant): Promise<Exchange> {
  await tx.delete(oauthGrants).where(eq(oauthGrants.id, id))
  return { ended: id, person: userId, wasRedeemed: redeemedAt !== null }
}

/** Makes an access token and a refresh token of a grant, which lasts as long as the latter. */
async function issueTokens(tx: Transaction, { id, userId }: Grant, scopes: string): Promise<Exchange> {
  const [access, refresh] = [secretOf(ACCESS_TOKEN), secretOf('rr_')]
  const [ofGrant, endsAt] = [{ grantId: id, scopes }, after(oauthLives.refresh)]
  await tx.insert(oauthTokens).values([
    { ...ofGrant, hash: hashOf(access), kind: 'access', until: after(oauthLives.access) },
    { ...ofGrant, hash: hashOf(refresh), kind: 'refresh', until: endsAt },
  ])
  const redeemedAt = sql`coalesce(${oauthGrants.redeemedAt}, ${now})`
  await tx.update(oauthGrants).set({ endsAt, redeemedAt }).where(eq(oauthGrants.id, id))
  return {
    issued: {
      ...withScopes({ grantId: id, person: userId, scopes }),
      access,
      refresh,
      expiresIn: oauthLives.access,
    },
  }
}

/** $1 hash of the token, $2 address */
const holderSql = `
select u.id, u.name, u.is_anonymous as guest, g.id as "grantId", t.scopes, epoch_ms(t.until) as "expiresAt",
  g.last_used_at is null or g.last_used_at < now() - interval '1 minute' as "isStale"
from oauth_tokens t join oauth_grants g on g.id = t.grant_id join "user" u on u.id = g.user_id
where t.hash = $1 and t.kind = 'access' and t.until > clock_timestamp() and g.resource = $2`
