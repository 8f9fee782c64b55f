import { sql } from 'drizzle-orm'
import {
  check,
  type PgTableExtraConfigValue,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { user } from './auth'
import { createdAt, instant } from './columns'
import { ofChat } from './conversation'

/**
 * The people whom the owner of a chat has let into it, and the invitations that no person has taken yet. Both end with the
 * chat, and a member's with the account.
 */
export const chatMembers = pgTable(
  'chat_members',
  {
    chatId: ofChat(),
    /** the member's id for the chat */
    id: text('id').notNull(),
    role: text('role').$type<'reads' | 'proposes'>().notNull(),
    /** null for an invitation */
    personId: text('person_id').references(() => user.id, { onDelete: 'cascade' }),
    joinedAt: instant('joined_at'),
    /** SHA-256 of the token of an invitation in hex; the token itself is in the link alone */
    tokenHash: text('token_hash'),
    /** the only account that may take the invitation, in lower case; null for any */
    email: text('email'),
    expiresAt: instant('expires_at'),
    createdAt: createdAt(),
  },
  (t): PgTableExtraConfigValue[] => [
    primaryKey({ name: 'chat_members_pk', columns: [t.chatId, t.id] }),
    uniqueIndex('chat_members_id').on(t.id),
    uniqueIndex('chat_members_person').on(t.personId, t.chatId),
    uniqueIndex('chat_members_token').on(t.tokenHash),
    check('chat_members_role', sql`role in ('reads', 'proposes')`),
    check('chat_members_email', sql`length(email) between 1 and 320`),
    check(
      'chat_members_taken',
      sql`case when person_id is null then joined_at is null and token_hash ~ '^[0-9a-f]{64}$' and expires_at is not null
        else joined_at is not null and token_hash is null and email is null and expires_at is null end`,
    ),
  ],
)
