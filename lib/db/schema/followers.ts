import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  date,
  foreignKey,
  integer,
  type PgTableExtraConfigValue,
  pgTable,
  primaryKey,
  text,
} from 'drizzle-orm/pg-core'
import { chatId, instant, xid8 } from './columns'
import { branches, chats } from './conversation'

/**
 * Place of each follower in the log: transaction, then chat and place in it. Moved in the transaction of its
 * effects, and never past the oldest transaction that is still running.
 */
export const followers = pgTable('followers', {
  name: text('name').primaryKey(),
  txid: xid8('txid').notNull().default(sql`'0'::xid8`),
  atChat: text('at_chat').notNull().default(''),
  atSeq: bigint('at_seq', { mode: 'number' }).notNull().default(0),
  updatedAt: instant('updated_at').notNull().defaultNow(),
})

/** Usage of the replies recorded on a branch. A shared prefix counts once: on the branch that recorded it. */
export const usage = pgTable(
  'usage',
  {
    chatId: chatId().references((): AnyPgColumn => chats.id, { onDelete: 'cascade' }),
    branchId: text('branch_id').notNull(),
    model: text('model').notNull(),
    replies: integer('replies').notNull().default(0),
    inputTokens: bigint('input_tokens', { mode: 'number' }).notNull().default(0),
    cachedTokens: bigint('cached_tokens', { mode: 'number' }).notNull().default(0),
    cacheWriteTokens: bigint('cache_write_tokens', { mode: 'number' }).notNull().default(0),
    outputTokens: bigint('output_tokens', { mode: 'number' }).notNull().default(0),
  },
  (t): PgTableExtraConfigValue[] => [
    primaryKey({ name: 'usage_pk', columns: [t.chatId, t.branchId, t.model] }),
    foreignKey({
      name: 'usage_of_branch',
      columns: [t.chatId, t.branchId],
      foreignColumns: [branches.chatId, branches.id],
    }),
  ],
)

/** Usage of a chat's replies on each day, in UTC. */
export const usageDays = pgTable(
  'usage_days',
  {
    chatId: chatId().references((): AnyPgColumn => chats.id, { onDelete: 'cascade' }),
    day: date('day').notNull(),
    model: text('model').notNull(),
    replies: integer('replies').notNull().default(0),
    inputTokens: bigint('input_tokens', { mode: 'number' }).notNull().default(0),
    /** tokens of the input that were read from the provider's cache */
    cachedTokens: bigint('cached_tokens', { mode: 'number' }).notNull().default(0),
    /** tokens of the input that were written into it */
    cacheWriteTokens: bigint('cache_write_tokens', { mode: 'number' }).notNull().default(0),
    outputTokens: bigint('output_tokens', { mode: 'number' }).notNull().default(0),
  },
  (t): PgTableExtraConfigValue[] => [
    primaryKey({ name: 'usage_days_pk', columns: [t.chatId, t.day, t.model] }),
  ],
)
