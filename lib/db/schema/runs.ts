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
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { chats } from './chats'
import { chatId, createdAt, instant, rawJson } from './columns'
import { contexts } from './messages'
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
    contextId: text('context_id'),
    status: text('status').$type<RunStatus>().notNull(),
    attempt: integer('attempt').notNull().default(1),
    leaseUntil: instant('lease_until'),
    /** raised at every claim; a worker that wakes late holds a smaller one and is refused */
    fence: integer('fence').notNull().default(0),
    /** when somebody asked for it to stop; whoever holds the run sees to it */
    stopAt: instant('stop_at'),
    error: jsonb('error').$type<{ kind: string; message: string; advice: string }>(),
    createdAt: createdAt(),
    endedAt: instant('ended_at'),
  },
  (t): PgTableExtraConfigValue[] => [
    primaryKey({ name: 'runs_pk', columns: [t.chatId, t.id] }),
    unique('runs_id').on(t.id),
    uniqueIndex('runs_one_live_per_branch')
      .on(t.chatId, t.branchId)
      .where(sql`status in ('queued', 'running')`),
    index('runs_branch').on(t.chatId, t.branchId),
    index('runs_live').on(t.leaseUntil).where(sql`status in ('queued', 'running')`),
    index('runs_context').on(t.chatId, t.contextId),
    check('runs_status', sql`status in ('queued', 'running', 'completed', 'stopped', 'failed')`),
    check('runs_ended', sql`(status in ('queued', 'running')) = (ended_at is null)`),
    foreignKey({
      name: 'runs_branch_of_chat',
      columns: [t.chatId, t.branchId],
      foreignColumns: [branches.chatId, branches.id],
    }),
    foreignKey({
      name: 'runs_context_of_chat',
      columns: [t.chatId, t.contextId],
      foreignColumns: [contexts.chatId, contexts.id],
    }),
  ],
)

/**
 * The parts of a reply while it is written, for readers in other tabs and on other instances, and for whoever takes the
 * run over. Gone a minute after the run has ended: from then on the message says it all.
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
