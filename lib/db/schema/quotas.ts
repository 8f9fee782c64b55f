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
 * What was used on one UTC day from a network address and on the whole site. Spread over several rows (`stripe`), so that
 * those who share it do not wait for each other: it is their sum. Counted by `take_quota`; a row is gone two days later.
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
 * A person's: what is stored, and what was used on `day`, the last one there was any. What is stored is null where nobody
 * has counted it: the next write that counts works it out.
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

/** How far a sweep through a large table has come; its row is the lock under which it goes on. */
export const sweeps = pgTable('sweeps', {
  name: text('name').primaryKey(),
  place: text('place').notNull().default(''),
})
