import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { NotFoundError } from '@/lib/context'
import type { Database } from '@/lib/db'
import { newId } from '@/lib/events'
import { asking } from '../reads/asking'
import { hashOf, type KeyScope, withScopes } from './api-keys'

/** How an app proves to be the one that registered: by a secret, or by nothing but PKCE. */
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

/** What a person lets an app do. */
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

/** What came of a code or a refresh token: nothing where it is wrong or over. */
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
/** How long codes and tokens are good for, in seconds. */
const oauthLives = { code: 60, access: HOUR, refresh: 30 * DAY } as const

/** How an access token begins: it is told apart from an API key without a look-up. */
export const ACCESS_TOKEN = 'ro_'

/**
 * Apps that people let in by OAuth: registrations, grants, and their tokens. Codes, tokens and secrets are 256 random bits
 * each, and stored as hashes.
 */
export class OAuthApps {
  readonly #ask: Database['query']

  constructor(database: Database) {
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
    const row = {
      ...grant,
      id,
      userId: personId,
      scopes: textOf(scopes),
      codeHash: hashOf(code),
      codeSeconds: oauthLives.code,
      most: Number.isFinite(most) ? most : null,
    }
    const [answer] = await this.#ask<{ used: number | null }>(
      'select make_oauth_grant($1::json) as used',
      [JSON.stringify(row)],
      { kind: 'write' },
    )
    const used = answer?.used ?? null
    if (used === null) return undefined
    return used < most ? { made: true, id, code } : { made: false, used }
  }

  /** Exchanges a code for tokens. Any fault ends it for good. */
  async redeem(
    code: string,
    given: { clientId: string; redirectUri: string; verifier: string; resource?: string | undefined },
  ): Promise<Exchange> {
    const { verifier, ...rest } = given
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    return this.#exchange('redeem_oauth_code', { ...rest, challenge, code: hashOf(code) })
  }

  /** Exchanges a refresh token for the next tokens; the old access token stays good for its hour. */
  async rotate(
    token: string,
    given: { clientId: string; scopes?: readonly KeyScope[] | undefined; resource?: string | undefined },
  ): Promise<Exchange> {
    const scopes = given.scopes && textOf(given.scopes)
    return this.#exchange('rotate_oauth_token', { ...given, scopes, token: hashOf(token) })
  }

  async #exchange(by: 'redeem_oauth_code' | 'rotate_oauth_token', given: object): Promise<Exchange> {
    const [access, refresh] = [secretOf(ACCESS_TOKEN), secretOf('rr_')]
    const asked = {
      ...given,
      access: hashOf(access),
      refresh: hashOf(refresh),
      accessSeconds: oauthLives.access,
      refreshSeconds: oauthLives.refresh,
    }
    type Told =
      | { grantId: string; person: string; scopes: string }
      | Exclude<Exchange, { issued: IssuedTokens } | undefined>
    const [row] = await this.#ask<{ told: Told | null }>(
      `select ${by}($1::json) as told`,
      [JSON.stringify(asked)],
      { kind: 'write' },
    )
    const told = row?.told
    if (!told) return undefined
    if (!('grantId' in told)) return told
    return { issued: { ...withScopes(told), access, refresh, expiresIn: oauthLives.access } }
  }

  /**
   * Whom an access token stands for, and that it was used. One round trip.
   *
   * @param resource the address that was asked: a token for another one is wrong
   */
  async holder(token: string, resource: string): Promise<TokenHolder | undefined> {
    const [row] = await this.#ask<{ used: (Omit<TokenHolder, 'scopes'> & { scopes: string }) | null }>(
      'select use_oauth_token($1, $2) as used',
      [hashOf(token), resource],
    )
    return row?.used ? withScopes(row.used) : undefined
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

const textOf = (scopes: readonly KeyScope[]): string =>
  (['read', 'write'] as const).filter((scope) => scopes.includes(scope)).join(' ')
