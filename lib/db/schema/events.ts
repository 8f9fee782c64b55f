import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  index,
  integer,
  jsonb,
  type PgTableExtraConfigValue,
  pgTable,
  primaryKey,
  text,
  unique,
} from 'drizzle-orm/pg-core'
import { chatId, createdAt, xid8 } from './columns'
import { chats } from './conversation'

/** The append-only log: one fact a row, numbered per chat (`seq`) and per stream (`event_number`). */
export const events = pgTable(
  'events',
  {
    chatId: chatId().references((): AnyPgColumn => chats.id, { onDelete: 'cascade' }),
    seq: bigint('seq', { mode: 'number' }).notNull(),
    streamId: text('stream_id').notNull(),
    eventNumber: integer('event_number').notNull(),
    /** stored in the same statement (`append_changes`), so no key checks it; `db:check` does */
    messageId: text('message_id'),
    txid: xid8('txid').notNull().default(sql`pg_current_xact_id()`),
    type: text('type').notNull(),
    version: integer('version').notNull().default(1),
    payload: jsonb('payload').notNull(),
    actor: text('actor'),
    createdAt: createdAt(),
  },
  (t): PgTableExtraConfigValue[] => [
    primaryKey({ name: 'events_pk', columns: [t.chatId, t.seq] }),
    unique('events_number').on(t.chatId, t.streamId, t.eventNumber),
    index('events_message').on(t.chatId, t.messageId).where(sql`${t.messageId} is not null`),
    // read by followers of all chats
    index('events_txid').on(t.txid, t.chatId, t.seq),
  ],
)
