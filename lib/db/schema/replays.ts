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
import { createdAt, instant, rawJson } from './columns'
import { branches, contexts, messages, ofChat } from './conversation'

export type ReplayStatus = 'running' | 'paused' | 'done' | 'stopped'

/**
 * A person's messages that are asked again, one after the other, on a branch of their own. Like a run it is no part of the
 * log: the messages and replies it leaves are.
 */
export const replays = pgTable(
  'replays',
  {
    chatId: ofChat(),
    id: text('id').notNull(),
    /** its present branch: a reply that is tried again may open another branch */
    branchId: text('branch_id').notNull(),
    /** the branch it opened */
    firstBranchId: text('first_branch_id').notNull(),
    /** the branch whose messages are asked again */
    sourceBranchId: text('source_branch_id').notNull(),
    /** the ids of those messages, in order */
    questions: rawJson('questions').$type<string[]>().notNull(),
    /** number of asked questions */
    asked: integer('asked').notNull().default(0),
    /** the last asked question, as stored on the branch; null before the first */
    lastId: text('last_id'),
    /** replaces the first question's text */
    content: text('content'),
    /** its chosen model; null for the context's */
    model: text('model'),
    /** its first context */
    contextId: text('context_id').notNull(),
    /** goes on without files and tools that are gone */
    anyway: boolean('anyway').notNull().default(false),
    status: text('status').$type<ReplayStatus>().notNull(),
    /** why it is paused or stopped, in words; null where a person did that */
    reason: text('reason'),
    /** raised by every change: of two that change it from one state, one is refused */
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
    endedAt: instant('ended_at'),
  },
  (t): PgTableExtraConfigValue[] => [
    primaryKey({ name: 'replays_pk', columns: [t.chatId, t.id] }),
    index('replays_branch').on(t.chatId, t.branchId),
    index('replays_first_branch').on(t.chatId, t.firstBranchId),
    index('replays_source_branch').on(t.chatId, t.sourceBranchId),
    index('replays_last').on(t.chatId, t.lastId),
    index('replays_context').on(t.chatId, t.contextId),
    // running replays of all chats, which are few: each is looked at every second
    index('replays_running').on(t.createdAt).where(sql`status = 'running'`),
    check('replays_status', sql`status in ('running', 'paused', 'done', 'stopped')`),
    check('replays_ended', sql`(status in ('running', 'paused')) = (ended_at is null)`),
    check('replays_last_asked', sql`(asked = 0) = (last_id is null)`),
    foreignKey({
      name: 'replays_branch_of_chat',
      columns: [t.chatId, t.branchId],
      foreignColumns: [branches.chatId, branches.id],
    }),
    foreignKey({
      name: 'replays_first_branch_of_chat',
      columns: [t.chatId, t.firstBranchId],
      foreignColumns: [branches.chatId, branches.id],
    }),
    foreignKey({
      name: 'replays_source_branch_of_chat',
      columns: [t.chatId, t.sourceBranchId],
      foreignColumns: [branches.chatId, branches.id],
    }),
    foreignKey({
      name: 'replays_last_message',
      columns: [t.chatId, t.lastId],
      foreignColumns: [messages.chatId, messages.id],
    }),
    foreignKey({
      name: 'replays_context_of_chat',
      columns: [t.chatId, t.contextId],
      foreignColumns: [contexts.chatId, contexts.id],
    }),
  ],
)
