import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
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
  uuid,
} from 'drizzle-orm/pg-core'
import { user } from './auth'
import { chatId, createdAt, instant, rawJson, tsvector } from './columns'

/** The chat that a row is part of, and goes with. */
export const ofChat = () => chatId().references((): AnyPgColumn => chats.id, { onDelete: 'cascade' })

/**
 * One conversation. Its row is the lock under which everything inside it is written, and it holds the
 * counters that the lock protects. There is always exactly one active branch: the column is NOT NULL.
 * No index on `updated_at`: that keeps the update at every turn a heap-only one, and one person's chats
 * are few enough to sort, 10,000 in a few milliseconds. Its limits stand in the trigger `check_limits`.
 */
export const chats = pgTable(
  'chats',
  {
    /** the key of everything in the chat; mostly the owner's id for it, too */
    id: text('id').primaryKey(),
    /** the owner's id for it when another person's chat has that key; null when it is the key */
    alias: text('alias'),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'restrict' }),
    /** made with the chat and kept by its clones on other servers: only chats of one origin are exchanged */
    origin: uuid('origin').notNull().defaultRandom(),
    title: text('title'),
    metadata: jsonb('metadata').$type<Record<string, unknown>>().notNull().default({}),
    activeBranchId: text('active_branch_id').notNull(),
    nextLane: integer('next_lane').notNull().default(0),
    lastSeq: bigint('last_seq', { mode: 'number' }).notNull().default(0),
    /** the event whose move Undo takes back next, and the one whose move Redo makes again; null for none */
    undoSeq: bigint('undo_seq', { mode: 'number' }),
    redoSeq: bigint('redo_seq', { mode: 'number' }),
    /** its place in the owner's list, which the log does not record */
    pinnedAt: instant('pinned_at'),
    archivedAt: instant('archived_at'),
    /** the spelling of each tag, by its key: the same in lower case */
    tags: jsonb('tags').$type<Record<string, string>>().notNull().default({}),
    createdAt: createdAt(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t): PgTableExtraConfigValue[] => [
    // the owner's id for a chat is the owner's alone: two people's ids may be equal
    uniqueIndex('chats_public_id').on(t.userId, sql`coalesce(${t.alias}, ${t.id})`),
    // an incomplete copy
    index('chats_copying')
      .on(t.updatedAt)
      .where(sql`(${t.metadata} #> '{sharedFrom,isCopying}') is not null`),
    // finds an imported chat by its origin: an import asks for many of them at once
    index('chats_imported')
      .on(t.userId, sql`(${t.metadata} #>> '{imported,id}')`)
      .where(sql`${t.metadata} ? 'imported'`),
    // deferrable in the migration: a chat and its first branch are born in one statement
    foreignKey({
      name: 'chats_active_branch',
      columns: [t.id, t.activeBranchId],
      foreignColumns: [branches.chatId, branches.id],
    }),
  ],
)

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

/** The prompt's fixed part in force at a message: fragments, model and setup, stored once per distinct value. */
export const contexts = pgTable(
  'contexts',
  {
    chatId: ofChat(),
    /** SHA-256 of the canonical JSON of `{fragments, model}`, and of `setup` where there is one */
    id: text('id').notNull(),
    fragments: rawJson('fragments').notNull(),
    model: text('model'),
    /** everything else that a person or the model has chosen (ContextSetup); null where that is nothing */
    setup: rawJson('setup'),
    createdAt: createdAt(),
  },
  (t): PgTableExtraConfigValue[] => [primaryKey({ name: 'contexts_pk', columns: [t.chatId, t.id] })],
)

/**
 * An immutable node of the graph. Its place (lane, depth) is its key; insert-only. Its limits stand in the trigger
 * `check_message`: Postgres reads and plans a CHECK anew in every statement that writes the table (a tenth of a save), and a
 * trigger's expressions once.
 */
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
    /** `user`, `assistant`, or the name that a library caller gave its fragment */
    name: text('name').notNull(),
    type: text('type'),
    /** null for a finished message; `stopped` or `failed` for a partial reply */
    status: text('status').$type<'stopped' | 'failed'>(),
    data: rawJson('data').notNull(),
    /** the first 160 characters of the text, for the graph */
    preview: text('preview').notNull(),
    /** marks in the graph besides the text: `file`, `tool` or both; null for a message of text */
    holds: text('holds'),
    contextId: text('context_id'),
    runId: text('run_id'),
    createdAt: createdAt(),
  },
  (t): PgTableExtraConfigValue[] => [
    primaryKey({ name: 'messages_pk', columns: [t.chatId, t.lane, t.depth] }),
    unique('messages_id').on(t.chatId, t.id),
    index('messages_merge_parent').on(t.chatId, t.mergeParentId).where(sql`${t.mergeParentId} is not null`),
    index('messages_copied_from').on(t.chatId, t.copiedFromId).where(sql`${t.copiedFromId} is not null`),
    index('messages_holds').on(t.chatId, t.id, t.holds).where(sql`${t.holds} is not null`),
    index('messages_context').on(t.chatId, t.contextId).where(sql`${t.contextId} is not null`),
    index('messages_run').on(t.chatId, t.runId).where(sql`${t.runId} is not null`),
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
 * A summary that replaces a chain up to a message in prompts that the chain is too long for. Insert-only: the
 * prompts that were made from it can be shown again.
 */
export const summaries = pgTable(
  'summaries',
  {
    chatId: ofChat(),
    messageId: text('message_id').notNull(),
    /**
     * the hash of the ids that the prompt leaves out (`ContextSetup.leftOut`); empty when it leaves nothing
     * out
     */
    leftOut: text('left_out').notNull().default(''),
    text: text('text').notNull(),
    model: text('model').notNull(),
    createdAt: createdAt(),
  },
  (t): PgTableExtraConfigValue[] => [
    primaryKey({ name: 'summaries_pk', columns: [t.chatId, t.messageId, t.leftOut] }),
    foreignKey({
      name: 'summaries_at_message',
      columns: [t.chatId, t.messageId],
      foreignColumns: [messages.chatId, messages.id],
    }),
  ],
)

/**
 * The words of a message, for search. Filled after the message is stored, by `index_search`: a turn does not wait for it,
 * and a search first brings the chats it reads up to date. Words stay in their row (`toast_tuple_target`, migration 0019),
 * since a search reads those of all chats of a person. No index finds words: it would hold those of everybody, so that a
 * search for a common one reads more than the person has, and be 0.4 of the payload and 2 of its write-ahead log.
 */
export const messageSearch = pgTable(
  'message_search',
  {
    chatId: ofChat(),
    lane: integer('lane').notNull(),
    depth: integer('depth').notNull(),
    /** the words of the first 100,000 characters: beyond 1 MB Postgres refuses a vector */
    words: tsvector('words').notNull(),
  },
  (t): PgTableExtraConfigValue[] => [
    // a tenth of the bytes of a key of places, which are not looked up: `index_search` stores each once
    index('message_search_chat').on(t.chatId),
  ],
)

/** Place in a chat's log up to which its messages are indexed. */
export const searchProgress = pgTable('search_progress', {
  chatId: ofChat().primaryKey(),
  seq: bigint('seq', { mode: 'number' }).notNull().default(0),
})

/** A named, moving pointer to a head message; the HTTP commands call it a thread. The limits of its name and title: `check_limits`. */
export const branches = pgTable(
  'branches',
  {
    chatId: ofChat(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    /** its subject in a few words, once a model has named it; a name that a person chose is shown instead */
    title: text('title'),
    headLane: integer('head_lane'),
    headDepth: integer('head_depth'),
    parentBranchId: text('parent_branch_id'),
    /** the last event this thread inherits; its own numbers continue from here */
    fromEventNumber: integer('from_event_number').notNull().default(0),
    contextId: text('context_id'),
    createdAt: createdAt(),
    archivedAt: instant('archived_at'),
  },
  (t): PgTableExtraConfigValue[] => [
    primaryKey({ name: 'branches_pk', columns: [t.chatId, t.id] }),
    // threads are looked up by id and owner: only among one owner's the id is unique (append_changes)
    index('branches_thread').on(t.id),
    unique('branches_name').on(t.chatId, t.name),
    // without the depth: a head that moves along its lane changes no index, so its row stays in its page (a fifth of a turn)
    index('branches_head').on(t.chatId, t.headLane),
    index('branches_parent').on(t.chatId, t.parentBranchId).where(sql`${t.parentBranchId} is not null`),
    index('branches_context').on(t.chatId, t.contextId),
    check('branches_head_place', sql`(head_lane is null) = (head_depth is null)`),
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

export type RunStatus = 'queued' | 'running' | 'completed' | 'stopped' | 'failed'

/** One attempt to generate one reply. At most one is live per branch: the partial unique index says so. */
export const runs = pgTable(
  'runs',
  {
    chatId: ofChat(),
    id: text('id').notNull(),
    branchId: text('branch_id').notNull(),
    /** the message answered: a person's, or with `answers` a reply that waits for them; the branch head when the run was queued */
    replyTo: text('reply_to').notNull(),
    /** the id the reply will have, decided before the model is called */
    replyId: text('reply_id').notNull(),
    model: text('model').notNull(),
    /** known to be there (`requireContext`), and contexts stay: no key checks it, `db:check` does */
    contextId: text('context_id'),
    /** a person's answers to the tools that wait in `reply_to`: a process that takes the run over reads them here */
    answers: jsonb('answers').$type<{ approvalId: string; approved: boolean; reason?: string }[]>(),
    /** the cut reply to `reply_to` that this one continues */
    continues: text('continues'),
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
      .on(t.chatId, t.branchId)
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
    chatId: ofChat(),
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
