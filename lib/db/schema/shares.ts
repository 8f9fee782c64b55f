import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  type PgTableExtraConfigValue,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { chatId, createdAt, instant } from './columns'
import { branches, chats, messages } from './conversation'

/**
 * Links by which a chat is read without an account. A link is its chat's, and so its owner's: it moves with the chat and ends
 * with it.
 */
export const shareLinks = pgTable(
  'share_links',
  {
    chatId: chatId().references(() => chats.id, { onDelete: 'cascade' }),
    id: text('id').notNull(),
    /** SHA-256 of the token in hex: the token itself is in the link alone */
    tokenHash: text('token_hash').notNull(),
    branchId: text('branch_id').notNull(),
    /** the last message that is read, unless the link follows the branch */
    messageId: text('message_id').notNull(),
    /** the position of the chat's log when the link was made: the graph is that of then */
    seq: bigint('seq', { mode: 'number' }).notNull(),
    /** the other branches can be read too */
    withGraph: boolean('with_graph').notNull(),
    /** later messages can be read too */
    follows: boolean('follows').notNull(),
    /** search engines may list it */
    indexed: boolean('indexed').notNull().default(false),
    /** the name that its readers see; null for none */
    sharedBy: text('shared_by'),
    expiresAt: instant('expires_at'),
    /** in no index: counting a view leaves the row in its page */
    views: integer('views').notNull().default(0),
    createdAt: createdAt(),
  },
  (t): PgTableExtraConfigValue[] => [
    primaryKey({ name: 'share_links_pk', columns: [t.chatId, t.id] }),
    uniqueIndex('share_links_id').on(t.id),
    uniqueIndex('share_links_token').on(t.tokenHash),
    index('share_links_branch').on(t.chatId, t.branchId),
    index('share_links_message').on(t.chatId, t.messageId),
    check('share_links_token_hash', sql`token_hash ~ '^[0-9a-f]{64}$'`),
    check('share_links_shared_by', sql`length(shared_by) between 1 and 100`),
    foreignKey({
      name: 'share_links_branch_of_chat',
      columns: [t.chatId, t.branchId],
      foreignColumns: [branches.chatId, branches.id],
    }),
    foreignKey({
      name: 'share_links_at_message',
      columns: [t.chatId, t.messageId],
      foreignColumns: [messages.chatId, messages.id],
    }),
  ],
)
