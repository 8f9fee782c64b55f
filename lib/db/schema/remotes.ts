import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  check,
  foreignKey,
  index,
  type PgTableExtraConfigValue,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { user } from './auth'
import { chatId, createdAt, instant } from './columns'
import { chats, messages } from './conversation'

/** Other Ramify servers that a person exchanges chats with. A key is sealed: `lib/store/access/seal.ts`. */
export const remotes = pgTable(
  'remotes',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    /** the first part of the names of its refs */
    name: text('name').notNull(),
    url: text('url').notNull(),
    /** the API key, encrypted for this remote and address; null for a server that asks for none */
    sealed: text('sealed'),
    createdAt: createdAt(),
  },
  (t): PgTableExtraConfigValue[] => [
    uniqueIndex('remotes_name').on(t.userId, sql`lower(${t.name})`),
    check(
      'remotes_lengths',
      sql`length(name) between 1 and 32 and length(url) between 1 and 500 and length(sealed) <= 8000`,
    ),
  ],
)

/** Refs of a chat as they were on a remote at the last exchange: `work/main`. */
export const remoteRefs = pgTable(
  'remote_refs',
  {
    chatId: chatId().references((): AnyPgColumn => chats.id, { onDelete: 'cascade' }),
    remoteId: text('remote_id')
      .notNull()
      .references(() => remotes.id, { onDelete: 'cascade' }),
    kind: text('kind').$type<'branch' | 'checkpoint'>().notNull(),
    name: text('name').notNull(),
    /** the message it points to; null for a branch that is empty */
    messageId: text('message_id'),
    seenAt: instant('seen_at').notNull().defaultNow(),
  },
  (t): PgTableExtraConfigValue[] => [
    primaryKey({ name: 'remote_refs_pk', columns: [t.chatId, t.remoteId, t.kind, t.name] }),
    index('remote_refs_remote').on(t.remoteId),
    index('remote_refs_message').on(t.chatId, t.messageId),
    check('remote_refs_kind', sql`kind in ('branch', 'checkpoint')`),
    check('remote_refs_name_length', sql`length(name) between 1 and 200`),
    foreignKey({
      name: 'remote_refs_at_message',
      columns: [t.chatId, t.messageId],
      foreignColumns: [messages.chatId, messages.id],
    }),
  ],
)
