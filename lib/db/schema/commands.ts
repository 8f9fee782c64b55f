import { sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  type PgTableExtraConfigValue,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { user } from './auth'
import { createdAt, instant, rawJson } from './columns'

const ofUser = () =>
  text('user_id')
    .notNull()
    .references(() => user.id, { onDelete: 'cascade' })

/** Answers to commands, by the caller's key: the same command sent again gets the same answer. */
export const idempotency = pgTable(
  'idempotency',
  {
    userId: ofUser(),
    key: text('key').notNull(),
    route: text('route').notNull(),
    /** SHA-256 of the body: the same key with another body is refused */
    bodyHash: text('body_hash').notNull(),
    /** null only within the transaction that makes it */
    answer: rawJson('answer'),
    createdAt: createdAt(),
  },
  (t): PgTableExtraConfigValue[] => [
    primaryKey({ name: 'idempotency_pk', columns: [t.userId, t.key] }),
    index('idempotency_age').on(t.createdAt),
    check('idempotency_key_length', sql`length(key) between 1 and 255`),
  ],
)

/** Keys of people's scripts and agents. The key itself is shown once and kept as a hash. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: text('id').primaryKey(),
    userId: ofUser(),
    name: text('name').notNull(),
    /** SHA-256 of the key, which holds 256 random bits */
    hash: text('hash').notNull().unique(),
    /** its first characters, to tell keys apart */
    hint: text('hint').notNull(),
    createdAt: createdAt(),
    lastUsedAt: instant('last_used_at'),
    /** the key's scopes: `read`, `write` or both, with a space between */
    scopes: text('scopes').notNull().default('read write'),
    /** null for a key that is good until it is revoked */
    expiresAt: instant('expires_at'),
    /** the network addresses it was used from, the latest at the end */
    addresses: text('addresses').array().notNull().default(sql`'{}'`),
  },
  (t): PgTableExtraConfigValue[] => [
    index('api_keys_user').on(t.userId),
    index('api_keys_expiry').on(t.expiresAt).where(sql`${t.expiresAt} is not null`),
    check('api_keys_name_length', sql`length(name) between 1 and 100`),
    check('api_keys_scopes', sql`${t.scopes} in ('read', 'write', 'read write')`),
  ],
)

/** People's keys for model providers, sealed: `lib/store/access/seal.ts`. */
export const providerKeys = pgTable(
  'provider_keys',
  {
    userId: ofUser(),
    provider: text('provider').notNull(),
    /** the key, encrypted for this person, provider and address */
    sealed: text('sealed').notNull(),
    /** the last characters of the key, to tell keys apart */
    hint: text('hint').notNull(),
    /** address of a server that speaks OpenAI's protocol; null for the other providers */
    baseUrl: text('base_url'),
    /** longest silence of its models, in ms; null for the server's default */
    silenceMs: integer('silence_ms'),
    /** the models that the provider listed when the key was saved */
    models: rawJson('models').notNull(),
    savedAt: instant('saved_at').notNull().defaultNow(),
  },
  (t): PgTableExtraConfigValue[] => [
    primaryKey({ name: 'provider_keys_pk', columns: [t.userId, t.provider] }),
    check(
      'provider_keys_lengths',
      sql`length(sealed) <= 2000 and length(hint) <= 8 and length(base_url) <= 500`,
    ),
    check('provider_keys_models', sql`length(models::text) <= 500000`),
    check('provider_keys_silence', sql`silence_ms between 1000 and 86400000`),
  ],
)

/** Contexts that a person has saved under a name, to apply them to any branch. */
export const contextPresets = pgTable(
  'context_presets',
  {
    id: text('id').primaryKey(),
    userId: ofUser(),
    name: text('name').notNull(),
    /** fragments, renderer, settings and tools, as `presetContent` of lib/protocol says */
    content: rawJson('content').notNull(),
    createdAt: createdAt(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t): PgTableExtraConfigValue[] => [
    index('context_presets_user').on(t.userId),
    check('context_presets_name_length', sql`length(name) between 1 and 100`),
    check('context_presets_content', sql`length(content::text) <= 400000`),
  ],
)

/** Each person's defaults for new chats: one row for a person who has set anything. */
export const chatDefaults = pgTable(
  'chat_defaults',
  {
    userId: ofUser().primaryKey(),
    instructions: text('instructions').notNull().default(''),
    /** `provider:model`; null for the server's choice */
    model: text('model'),
    /** approvals by the name of the tool, as `chatDefaults` of lib/protocol says */
    tools: rawJson('tools').notNull().default({}),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (): PgTableExtraConfigValue[] => [
    check(
      'chat_defaults_lengths',
      sql`length(instructions) <= 20000 and length(model) <= 300 and length(tools::text) <= 20000`,
    ),
  ],
)

/** People's servers of tools (MCP, Streamable HTTP). A token is sealed: `lib/store/access/seal.ts`. */
export const toolServers = pgTable(
  'tool_servers',
  {
    id: text('id').primaryKey(),
    userId: ofUser(),
    /** the first part of the names of its tools */
    name: text('name').notNull(),
    url: text('url').notNull(),
    /** the token, encrypted for this server and address; null for a server that asks for none */
    sealed: text('sealed'),
    createdAt: createdAt(),
  },
  (t): PgTableExtraConfigValue[] => [
    uniqueIndex('tool_servers_name').on(t.userId, sql`lower(${t.name})`),
    check(
      'tool_servers_lengths',
      sql`length(name) between 1 and 32 and length(url) between 1 and 500 and length(sealed) <= 8000`,
    ),
  ],
)
