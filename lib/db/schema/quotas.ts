import { sql } from 'drizzle-orm'
import {
  bigint,
  check,
  date,
  index,
  integer,
  type PgTableExtraConfigValue,
  pgTable,
  primaryKey,
  text,
} from 'drizzle-orm/pg-core'
import { user } from './auth'

const count = (name: string) => integer(name).notNull().default(0)
const sum = (name: string) => bigint(name, { mode: 'number' }).notNull().default(0)

/**
 * The use of one UTC day: of a network address, and of the whole site. A sum over several rows (`stripe`): writes of
 * different persons do not wait for each other. Counted by `take_quota`; a row is deleted two days later.
 */
export const quotaUse = pgTable(
  'quota_use',
  {
    scope: text('scope').$type<'address' | 'site'>().notNull(),
    /** the address; empty for the site */
    key: text('key').notNull(),
    day: date('day').notNull(),
    stripe: count('stripe'),
    messages: count('messages'),
    calls: count('calls'),
    tokens: sum('tokens'),
    bytes: sum('bytes'),
    chats: count('chats'),
    guests: count('guests'),
  },
  (t): PgTableExtraConfigValue[] => [
    primaryKey({ name: 'quota_use_pk', columns: [t.scope, t.key, t.day, t.stripe] }),
    index('quota_use_day').on(t.day),
    check('quota_use_scope', sql`scope in ('address', 'site')`),
  ],
)

/**
 * A person's stored sums, and the use of `day`, the last day with any. The sums are null where they are unknown: the next
 * counted write works them out.
 */
export const quotaPerson = pgTable('quota_person', {
  userId: text('user_id')
    .primaryKey()
    .references(() => user.id, { onDelete: 'cascade' }),
  bytes: bigint('bytes', { mode: 'number' }),
  chats: integer('chats'),
  day: date('day'),
  messages: count('messages'),
  calls: count('calls'),
  tokens: sum('tokens'),
})

/** The place of a sweep through a large table; its row is the sweep's lock. */
export const sweeps = pgTable('sweeps', {
  name: text('name').primaryKey(),
  place: text('place').notNull().default(''),
})
