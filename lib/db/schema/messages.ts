import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
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
import { chatId, createdAt, rawJson, tsvector } from './columns'
import { runs } from './runs'

const ofChat = () => chatId().references((): AnyPgColumn => chats.id, { onDelete: 'cascade' })

/**
 * A lane is a line of replies: it starts at `base_depth`, below the message (`parent_lane`, `base_depth - 1`),
 * or at depth 0 when it is a root. `parent_lane < lane` makes cycles impossible.
 */
export const lanes = pgTable(
  'lanes',
  {
    chatId: ofChat(),
    lane: integer('lane').notNull(),
    parentLane: integer('parent_lane'),
    baseDepth: integer('base_depth').notNull(),
    parentDepth: integer('parent_depth').generatedAlwaysAs(sql`base_depth - 1`),
  },
  (t): PgTableExtraConfigValue[] => [
    primaryKey({ name: 'lanes_pk', columns: [t.chatId, t.lane] }),
    index('lanes_parent').on(t.chatId, t.parentLane, t.parentDepth),
    check('lanes_no_cycle', sql`parent_lane < lane`),
    check('lanes_root', sql`(base_depth = 0) = (parent_lane is null)`),
    check('lanes_depth', sql`base_depth >= 0`),
    foreignKey({
      name: 'lanes_parent_message',
      columns: [t.chatId, t.parentLane, t.parentDepth],
      foreignColumns: [messages.chatId, messages.lane, messages.depth],
    }),
  ],
)

/** The prompt's fixed part in force at a message: fragments and model, stored once per distinct value. */
export const contexts = pgTable(
  'contexts',
  {
    chatId: ofChat(),
    /** SHA-256 of the canonical JSON of `{fragments, model}` */
    id: text('id').notNull(),
    fragments: rawJson('fragments').notNull(),
    model: text('model'),
    createdAt: createdAt(),
  },
  (t): PgTableExtraConfigValue[] => [primaryKey({ name: 'contexts_pk', columns: [t.chatId, t.id] })],
)

/** An immutable node of the graph. Its place (lane, depth) is its key; insert-only. */
export const messages = pgTable(
  'messages',
  {
    chatId: ofChat(),
    lane: integer('lane').notNull(),
    depth: integer('depth').notNull(),
    id: text('id').notNull(),
    parentId: text('parent_id'),
    mergeParentId: text('merge_parent_id'),
    copiedFromId: text('copied_from_id'),
    /** `user`, `assistant`, or whatever a library caller named its fragment */
    name: text('name').notNull(),
    type: text('type'),
    /** null for a finished message; `stopped` or `failed` for a partial reply */
    status: text('status').$type<'stopped' | 'failed'>(),
    data: rawJson('data').notNull(),
    /** the first 160 characters of the text: what the graph shows */
    preview: text('preview').notNull(),
    contextId: text('context_id'),
    runId: text('run_id'),
    createdAt: createdAt(),
  },
  (t): PgTableExtraConfigValue[] => [
    primaryKey({ name: 'messages_pk', columns: [t.chatId, t.lane, t.depth] }),
    unique('messages_id').on(t.chatId, t.id),
    index('messages_merge_parent').on(t.chatId, t.mergeParentId).where(sql`${t.mergeParentId} is not null`),
    index('messages_copied_from').on(t.chatId, t.copiedFromId).where(sql`${t.copiedFromId} is not null`),
    index('messages_context').on(t.chatId, t.contextId).where(sql`${t.contextId} is not null`),
    index('messages_run').on(t.chatId, t.runId).where(sql`${t.runId} is not null`),
    check('messages_depth', sql`depth >= 0`),
    check('messages_id_length', sql`length(id) between 1 and 128`),
    check('messages_name_length', sql`length(name) between 1 and 128`),
    check('messages_own_parent', sql`parent_id <> id`),
    check('messages_preview_length', sql`length(preview) <= 160`),
    check('messages_status', sql`status in ('stopped', 'failed')`),
    foreignKey({
      name: 'messages_lane',
      columns: [t.chatId, t.lane],
      foreignColumns: [lanes.chatId, lanes.lane],
    }),
    foreignKey({
      name: 'messages_merge_parent_message',
      columns: [t.chatId, t.mergeParentId],
      foreignColumns: [t.chatId, t.id],
    }),
    foreignKey({
      name: 'messages_copied_from_message',
      columns: [t.chatId, t.copiedFromId],
      foreignColumns: [t.chatId, t.id],
    }),
    foreignKey({
      name: 'messages_context_of_chat',
      columns: [t.chatId, t.contextId],
      foreignColumns: [contexts.chatId, contexts.id],
    }),
    foreignKey({
      name: 'messages_run_of_chat',
      columns: [t.chatId, t.runId],
      foreignColumns: [runs.chatId, runs.id],
    }),
  ],
)

/**
 * What a message can be found by. Filled after the message is stored, by `index_search_some`: a turn does not wait for it,
 * and whoever searches a chat first brings it up to date.
 */
export const messageSearch = pgTable(
  'message_search',
  {
    chatId: ofChat(),
    lane: integer('lane').notNull(),
    depth: integer('depth').notNull(),
    /** of the first 100,000 characters of the text: beyond 1 MB Postgres refuses a vector */
    words: tsvector('words').notNull(),
  },
  (t): PgTableExtraConfigValue[] => [
    primaryKey({ name: 'message_search_pk', columns: [t.chatId, t.lane, t.depth] }),
    index('message_search_words').using('gin', t.words),
    foreignKey({
      name: 'message_search_of_message',
      columns: [t.chatId, t.lane, t.depth],
      foreignColumns: [messages.chatId, messages.lane, messages.depth],
    }),
  ],
)

/** How far into a chat's log its messages have been indexed. */
export const searchProgress = pgTable('search_progress', {
  chatId: ofChat().primaryKey(),
  seq: bigint('seq', { mode: 'number' }).notNull().default(0),
})
