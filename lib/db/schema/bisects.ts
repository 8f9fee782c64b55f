import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  type PgTableExtraConfigValue,
  pgTable,
  primaryKey,
  text,
} from 'drizzle-orm/pg-core'
import { createdAt, instant, rawJson } from './columns'
import { branches, messages, ofChat } from './conversation'

/**
 * The search for the turn that made a reply say something: its question is asked again below shorter and shorter beginnings
 * of its chain. Like a run it is no part of the log.
 */
export const bisects = pgTable(
  'bisects',
  {
    chatId: ofChat(),
    id: text('id').notNull(),
    /** the reply in question, and the message it answers */
    replyId: text('reply_id').notNull(),
    questionId: text('question_id').notNull(),
    /** the first and the last message of every turn above the question, root first */
    turns: rawJson('turns').$type<{ first: string; last: string }[]>().notNull(),
    /** judge of the replies, and its criterion */
    judge: jsonb('judge').notNull(),
    /** the judge has found it absent below `low` turns (-1: below none), and present below `high` */
    low: integer('low').notNull(),
    high: integer('high').notNull(),
    /** the present probe: below the first so many turns, or below all but the found one */
    probe: integer('probe'),
    isWithout: boolean('is_without').notNull().default(false),
    /** branch of the present probe; null before and after */
    branchId: text('branch_id'),
    askedId: text('asked_id'),
    runs: integer('runs').notNull().default(0),
    status: text('status').$type<'running' | 'waiting' | 'paused' | 'done' | 'stopped'>().notNull(),
    /** reason for the pause, or the end in words */
    reason: text('reason'),
    /** the first message of the turn that made the difference; null for none */
    foundId: text('found_id'),
    /** true when it is absent without that turn */
    confirmed: boolean('confirmed'),
    /** raised by every change: of two that change it from one state, one is refused */
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
    endedAt: instant('ended_at'),
  },
  (t): PgTableExtraConfigValue[] => [
    primaryKey({ name: 'bisects_pk', columns: [t.chatId, t.id] }),
    index('bisects_branch').on(t.chatId, t.branchId),
    index('bisects_reply').on(t.chatId, t.replyId),
    index('bisects_running').on(t.createdAt).where(sql`status = 'running'`),
    check('bisects_status', sql`status in ('running', 'waiting', 'paused', 'done', 'stopped')`),
    check('bisects_ended', sql`(status in ('done', 'stopped')) = (ended_at is not null)`),
    foreignKey({
      name: 'bisects_branch_of_chat',
      columns: [t.chatId, t.branchId],
      foreignColumns: [branches.chatId, branches.id],
    }),
    foreignKey({
      name: 'bisects_reply_message',
      columns: [t.chatId, t.replyId],
      foreignColumns: [messages.chatId, messages.id],
    }),
  ],
)
