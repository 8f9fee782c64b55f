import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  check,
  foreignKey,
  index,
  integer,
  type PgTableExtraConfigValue,
  pgTable,
  primaryKey,
  text,
  unique,
} from 'drizzle-orm/pg-core'
import { chats } from './chats'
import { chatId, createdAt, instant } from './columns'
import { contexts, messages } from './messages'

const ofChat = () => chatId().references((): AnyPgColumn => chats.id, { onDelete: 'cascade' })

/** A named, moving pointer to a head message; the HTTP commands call it a thread. */
export const branches = pgTable(
  'branches',
  {
    chatId: ofChat(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    headLane: integer('head_lane'),
    headDepth: integer('head_depth'),
    parentBranchId: text('parent_branch_id'),
    /** the last event this thread inherits; its own numbers go on from here */
    fromEventNumber: integer('from_event_number').notNull().default(0),
    contextId: text('context_id'),
    createdAt: createdAt(),
    archivedAt: instant('archived_at'),
  },
  (t): PgTableExtraConfigValue[] => [
    primaryKey({ name: 'branches_pk', columns: [t.chatId, t.id] }),
    // threads are looked up by id and owner: only among one owner's the id is unique (add_branch)
    index('branches_thread').on(t.id),
    unique('branches_name').on(t.chatId, t.name),
    index('branches_head').on(t.chatId, t.headLane, t.headDepth),
    index('branches_parent').on(t.chatId, t.parentBranchId).where(sql`${t.parentBranchId} is not null`),
    index('branches_context').on(t.chatId, t.contextId),
    check('branches_head_place', sql`(head_lane is null) = (head_depth is null)`),
    check('branches_name_length', sql`length(name) between 1 and 200`),
    foreignKey({
      name: 'branches_head_message',
      columns: [t.chatId, t.headLane, t.headDepth],
      foreignColumns: [messages.chatId, messages.lane, messages.depth],
    }),
    foreignKey({
      name: 'branches_parent_branch',
      columns: [t.chatId, t.parentBranchId],
      foreignColumns: [t.chatId, t.id],
    }),
    foreignKey({
      name: 'branches_context_of_chat',
      columns: [t.chatId, t.contextId],
      foreignColumns: [contexts.chatId, contexts.id],
    }),
  ],
)

/** A named, fixed pointer to a message; saving the same name moves it. */
export const checkpoints = pgTable(
  'checkpoints',
  {
    chatId: ofChat(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    lane: integer('lane').notNull(),
    depth: integer('depth').notNull(),
    createdAt: createdAt(),
  },
  (t): PgTableExtraConfigValue[] => [
    primaryKey({ name: 'checkpoints_pk', columns: [t.chatId, t.id] }),
    unique('checkpoints_name').on(t.chatId, t.name),
    index('checkpoints_message').on(t.chatId, t.lane, t.depth),
    check('checkpoints_name_length', sql`length(name) between 1 and 200`),
    foreignKey({
      name: 'checkpoints_at_message',
      columns: [t.chatId, t.lane, t.depth],
      foreignColumns: [messages.chatId, messages.lane, messages.depth],
    }),
  ],
)
