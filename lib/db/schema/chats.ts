import { sql } from 'drizzle-orm'
import {
  bigint,
  check,
  foreignKey,
  integer,
  jsonb,
  type PgTableExtraConfigValue,
  pgTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { user } from './auth'
import { createdAt, instant } from './columns'
import { branches } from './refs'

/**
 * One conversation. Its row is the lock under which everything inside it is written, and it holds the
 * counters that the lock protects. There is always exactly one active branch: the column is NOT NULL.
 * No index on `updated_at`: that keeps the update at every turn a heap-only one, and one person's chats
 * are few enough to sort.
 */
export const chats = pgTable(
  'chats',
  {
    /** what everything in the chat refers to; mostly what the owner calls it, too */
    id: text('id').primaryKey(),
    /** what the owner calls it where another person's chat has that key; null where it is the key */
    alias: text('alias'),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'restrict' }),
    title: text('title'),
    metadata: jsonb('metadata').$type<Record<string, unknown>>().notNull().default({}),
    activeBranchId: text('active_branch_id').notNull(),
    nextLane: integer('next_lane').notNull().default(0),
    lastSeq: bigint('last_seq', { mode: 'number' }).notNull().default(0),
    createdAt: createdAt(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t): PgTableExtraConfigValue[] => [
    // what a chat is called is its owner's alone: two people may call theirs the same
    uniqueIndex('chats_public_id').on(t.userId, sql`coalesce(${t.alias}, ${t.id})`),
    check('chats_id_length', sql`length(id) between 1 and 128`),
    check('chats_alias_length', sql`length(alias) between 1 and 128`),
    // deferrable in the migration: a chat and its first branch are born in one statement
    foreignKey({
      name: 'chats_active_branch',
      columns: [t.id, t.activeBranchId],
      foreignColumns: [branches.chatId, branches.id],
    }),
  ],
)
