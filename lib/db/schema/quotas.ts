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
 * What was used on one UTC day: by a person, from a network address, on the whole site. What many share is spread over
 * several rows (`stripe`), so that they do not wait for each other, and is their sum. Counted by `take_quota`; a row is
 * gone two days later.
 */
export const quotaUse = pgTable(
  'quota_use',
  {
    scope: text('scope').$type<'person' | 'address' | 'site'>().notNull(),
    /** the person's id, or the address; empty for the site */
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
    check('quota_use_scope', sql`scope in ('person', 'address', 'site')`),
  ],
)

/** What a person has stored. Without a row nothing was counted yet: the next write that counts works it out. */
export const quotaStored = pgTable('quota_stored', {
  userId: text('user_id')
    .primaryKey()
    .references(() => user.id, { onDelete: 'cascade' }),
  bytes: bigint('bytes', { mode: 'number' }).notNull(),
  chats: integer('chats').notNull(),
})

/** How far a sweep through a large table has come; its row is the lock under which it goes on. */
export const sweeps = pgTable('sweeps', {
  name: text('name').primaryKey(),
  place: text('place').notNull().default(''),
})
