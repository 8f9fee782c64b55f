import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  type PgTableExtraConfigValue,
  pgTable,
  primaryKey,
  text,
} from 'drizzle-orm/pg-core'
import { user } from './auth'
import { bytea, chatId, createdAt, instant } from './columns'
import { chats } from './conversation'

/**
 * A file that a person has uploaded. The same content again is the same file (`Files.store`). No key says so: a guest and the
 * account that the guest signs in to may both have it, and messages of both name theirs by its id.
 */
export const files = pgTable(
  'files',
  {
    id: text('id').primaryKey(),
    ownerId: text('owner_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    /** hash of its bytes, in hex */
    sha256: text('sha256').notNull(),
    /** type of its content, not of its name */
    mediaType: text('media_type').notNull(),
    /** the name of its first upload; a message has its own name for it */
    name: text('name').notNull(),
    size: integer('size').notNull(),
    /** false while its bytes are being stored: the file is not visible yet */
    isWhole: boolean('is_whole').notNull().default(false),
    createdAt: createdAt(),
    /** the last upload of this content: a file that no chat holds is deleted a day after it */
    uploadedAt: instant('uploaded_at').notNull().defaultNow(),
  },
  (t): PgTableExtraConfigValue[] => [
    index('files_content').on(t.ownerId, t.sha256),
    index('files_uploaded').on(t.uploadedAt),
    check('files_size', sql`size > 0`),
    check('files_lengths', sql`length(name) between 1 and 255 and length(media_type) between 3 and 100`),
    check('files_sha256', sql`sha256 ~ '^[0-9a-f]{64}$'`),
  ],
)

/** The bytes of a file, in pieces. They leave with their file. */
export const fileChunks = pgTable(
  'file_chunks',
  {
    fileId: text('file_id')
      .notNull()
      .references(() => files.id, { onDelete: 'cascade' }),
    /** from 0 */
    number: integer('number').notNull(),
    bytes: bytea('bytes').notNull(),
  },
  (t): PgTableExtraConfigValue[] => [primaryKey({ name: 'file_chunks_pk', columns: [t.fileId, t.number] })],
)

/** The files that the messages of a chat hold. A file leaves with the last chat that holds it (`forget_files`). */
export const chatFiles = pgTable(
  'chat_files',
  {
    chatId: chatId().references(() => chats.id, { onDelete: 'cascade' }),
    fileId: text('file_id').notNull(),
  },
  (t): PgTableExtraConfigValue[] => [
    primaryKey({ name: 'chat_files_pk', columns: [t.chatId, t.fileId] }),
    index('chat_files_file').on(t.fileId),
    foreignKey({ name: 'chat_files_of_file', columns: [t.fileId], foreignColumns: [files.id] }),
  ],
)
