import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  type PgTableExtraConfigValue,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { chats } from './chats'
import { chatId, createdAt, instant, rawJson } from './columns'
import { branches } from './refs'

export type RunStatus = 'queued' | 'running' | 'completed' | 'stopped' | 'failed'

/** One attempt to generate one reply. At most one is live per branch: the partial unique index says so. */
export const runs = pgTable(
  'runs',
  {
    chatId: chatId().references((): AnyPgColumn => chats.id, { onDelete: 'cascade' }),
    id: text('id').notNull(),
    branchId: text('branch_id').notNull(),
    /** the user message answered; the branch head when the run was queued */
    replyTo: text('reply_to').notNull(),
    /** the id the reply will have, decided before the model is called */
    replyId: text('reply_id').notNull(),
    model: text('model').notNull(),
    /** known to be there (`queue_run`), and contexts stay: no key checks it, `db:check` does */
    contextId: text('context_id'),
    status: text('status').$type<RunStatus>().notNull(),
    attempt: integer('attempt').notNull().default(1),
    leaseUntil: instant('lease_until'),
    /** raised at every claim; a worker that wakes late holds a smaller one and is refused */
    fence: integer('fence').notNull().default(0),
    /** when it was asked to stop; the process that holds the run does it */
    stopAt: instant('stop_at'),
    error: jsonb('error').$type<{ kind: string; message: string; advice: string }>(),
    createdAt: createdAt(),
    endedAt: instant('ended_at'),
  },
  (t): PgTableExtraConfigValue[] => [
    primaryKey({ name: 'runs_pk', columns: [t.chatId, t.id] }),
    uniqueIndex('runs_one_live_per_branch')
      .on(t.branchId, t.chatId)
      .where(sql`status in ('queued', 'running')`),
    // not by chat first: before there are statistics it would look as good as the key for finding a run
    index('runs_branch').on(t.branchId, t.chatId),
    check('runs_status', sql`status in ('queued', 'running', 'completed', 'stopped', 'failed')`),
    check('runs_ended', sql`(status in ('queued', 'running')) = (ended_at is null)`),
    foreignKey({
      name: 'runs_branch_of_chat',
      columns: [t.chatId, t.branchId],
      foreignColumns: [branches.chatId, branches.id],
    }),
  ],
)

/**
 * The parts of a reply while it is written, for readers in other tabs and on other instances, and for a process that
 * takes the run over. Gone a minute after the run has ended: from then on the message says it all.
 */
export const runParts = pgTable(
  'run_parts',
  {
    chatId: chatId().references((): AnyPgColumn => chats.id, { onDelete: 'cascade' }),
    runId: text('run_id').notNull(),
    /** parts of an earlier attempt are void: the reply was begun anew */
    attempt: integer('attempt').notNull(),
    /** from 0 in each attempt */
    number: integer('number').notNull(),
    /** an array of the stream's parts, neighbouring words joined */
    parts: rawJson('parts').notNull(),
  },
  (t): PgTableExtraConfigValue[] => [
    primaryKey({ name: 'run_parts_pk', columns: [t.chatId, t.runId, t.attempt, t.number] }),
    foreignKey({
      name: 'run_parts_of_run',
      columns: [t.chatId, t.runId],
      foreignColumns: [runs.chatId, runs.id],
    }),
  ],
)
