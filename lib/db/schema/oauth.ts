import { sql } from 'drizzle-orm'
import { check, index, type PgTableExtraConfigValue, pgTable, text } from 'drizzle-orm/pg-core'
import { user } from './auth'
import { createdAt, instant } from './columns'

// Codes, tokens and secrets hold 256 random bits, and stand here as SHA-256 in hex.

/** Apps that have registered to ask people for access (RFC 7591). Anyone may register one: a row gives no right. */
export const oauthClients = pgTable(
  'oauth_clients',
  {
    id: text('id').primaryKey(),
    /** the name the app gives itself */
    name: text('name').notNull(),
    redirectUris: text('redirect_uris').array().notNull(),
    /** `none`, `client_secret_basic` or `client_secret_post` */
    authMethod: text('auth_method').notNull(),
    /** null for `none` */
    secretHash: text('secret_hash'),
    createdAt: createdAt(),
    /** time of a person's last approval; null before the first */
    approvedAt: instant('approved_at'),
  },
  (t): PgTableExtraConfigValue[] => [
    index('oauth_clients_unused').on(t.createdAt).where(sql`${t.approvedAt} is null`),
    check('oauth_clients_name_length', sql`length(name) between 1 and 100`),
    check('oauth_clients_redirects', sql`cardinality(redirect_uris) between 1 and 10`),
    check(
      'oauth_clients_secret',
      sql`auth_method in ('none', 'client_secret_basic', 'client_secret_post') and (auth_method = 'none') = (secret_hash is null)`,
    ),
  ],
)

/** Access that people have given to apps. A grant begins with a code that the app redeems within a minute, once. */
export const oauthGrants = pgTable(
  'oauth_grants',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    clientId: text('client_id')
      .notNull()
      .references(() => oauthClients.id, { onDelete: 'cascade' }),
    /** `read`, `write` or both, with a space between */
    scopes: text('scopes').notNull(),
    /** the address that its tokens are good for */
    resource: text('resource').notNull(),
    redirectUri: text('redirect_uri').notNull(),
    codeHash: text('code_hash').notNull().unique(),
    /** SHA-256 of the verifier that the app shows with the code, in base64url (PKCE) */
    codeChallenge: text('code_challenge').notNull(),
    createdAt: createdAt(),
    /** null while the code waits */
    redeemedAt: instant('redeemed_at'),
    /** to the minute; null while it was never used */
    lastUsedAt: instant('last_used_at'),
    /** the end of the code, then of the last refresh token */
    endsAt: instant('ends_at').notNull(),
  },
  (t): PgTableExtraConfigValue[] => [
    index('oauth_grants_user').on(t.userId),
    index('oauth_grants_client').on(t.clientId),
    index('oauth_grants_end').on(t.endsAt),
    check('oauth_grants_scopes', sql`${t.scopes} in ('read', 'write', 'read write')`),
    check('oauth_grants_code_hash', sql`code_hash ~ '^[0-9a-f]{64}$'`),
    check('oauth_grants_challenge', sql`code_challenge ~ '^[A-Za-z0-9_-]{43}$'`),
  ],
)

/**
 * Tokens of grants. A spent refresh token stays to its end: when it comes again, two clients have it, and the
 * grant ends.
 */
export const oauthTokens = pgTable(
  'oauth_tokens',
  {
    hash: text('hash').primaryKey(),
    grantId: text('grant_id')
      .notNull()
      .references(() => oauthGrants.id, { onDelete: 'cascade' }),
    /** `access` or `refresh` */
    kind: text('kind').notNull(),
    scopes: text('scopes').notNull(),
    until: instant('until').notNull(),
    /** when a refresh token was exchanged for the next one */
    spentAt: instant('spent_at'),
  },
  (t): PgTableExtraConfigValue[] => [
    index('oauth_tokens_grant').on(t.grantId),
    index('oauth_tokens_until').on(t.until),
    check('oauth_tokens_kind', sql`kind in ('access', 'refresh')`),
    check('oauth_tokens_hash', sql`hash ~ '^[0-9a-f]{64}$'`),
    check('oauth_tokens_scopes', sql`${t.scopes} in ('read', 'write', 'read write')`),
  ],
)
