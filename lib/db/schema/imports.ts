import { sql } from 'drizzle-orm'
import {
  bigint,
  check,
  index,
  integer,
  type PgTableExtraConfigValue,
  pgTable,
  primaryKey,
  text,
} from 'drizzle-orm/pg-core'
import { user } from './auth'
import { bytea, createdAt, instant, rawJson } from './columns'

export type ImportStatus = 'uploading' | 'queued' | 'running' | 'done' | 'cancelled' | 'failed'

const count = (name: string) => bigint(name, { mode: 'number' }).notNull().default(0)

/**
 * An export of another program that becomes chats. The file is stored until it is done, so any server goes on with it; how far
 * it has come is written in the statement that writes the chats (`Imports.advance`).
 */
export const imports = pgTable(
  'imports',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    /** the file's name, as it was uploaded */
    name: text('name').notNull(),
    size: bigint('size', { mode: 'number' }).notNull(),
    /** the program that wrote the file */
    source: text('source').notNull(),
    status: text('status').$type<ImportStatus>().notNull(),
    /** why it failed, in words */
    reason: text('reason'),
    /** number of finished items of the file; it continues after them */
    place: integer('place').notNull().default(0),
    chatsImported: count('chats_imported'),
    chatsUnchanged: count('chats_unchanged'),
    /** chats that were not chosen */
    chatsLeft: count('chats_left'),
    /** the chosen chats of the file; null: all */
    choice: rawJson('choice'),
    messagesFound: count('messages_found'),
    messagesImported: count('messages_imported'),
    messagesSkipped: count('messages_skipped'),
    /** the first problems: `{chat, chat_id?, reason}` */
    problems: rawJson('problems').notNull().default(sql`'[]'`),
    problemCount: integer('problem_count').notNull().default(0),
    /** some of the chats, the latest first: `{chat_id, title}` */
    chats: rawJson('chats').notNull().default(sql`'[]'`),
    /** the file cannot be asked for twice: times that a process died on it since it last got on */
    attempts: integer('attempts').notNull().default(0),
    leaseUntil: instant('lease_until'),
    /** raised by every claim; a process that wakes late holds a smaller one and is refused */
    fence: integer('fence').notNull().default(0),
    createdAt: createdAt(),
    endedAt: instant('ended_at'),
  },
  (t): PgTableExtraConfigValue[] => [
    index('imports_user').on(t.userId, t.createdAt),
    // open imports of all persons, which are few: they are looked at every second
    index('imports_open').on(t.createdAt).where(sql`ended_at is null`),
    check('imports_status', sql`status in ('uploading', 'queued', 'running', 'done', 'cancelled', 'failed')`),
    check('imports_ended', sql`(status in ('uploading', 'queued', 'running')) = (ended_at is null)`),
    check('imports_name_length', sql`length(name) between 1 and 255`),
  ],
)

/** The file of an import, in pieces, as long as it is needed. */
export const importPieces = pgTable(
  'import_pieces',
  {
    importId: text('import_id')
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    /** from 0 */
    number: integer('number').notNull(),
    bytes: bytea('bytes').notNull(),
  },
  (t): PgTableExtraConfigValue[] => [
    primaryKey({ name: 'import_pieces_pk', columns: [t.importId, t.number] }),
  ],
)
