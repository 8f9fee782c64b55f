import { sql } from 'drizzle-orm'
import {
  bigint,
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
import { user } from './auth'
import { chatId, createdAt, instant } from './columns'
import { branches, chats } from './conversation'

/**
 * Branches of copies that their authors propose to the owner of the original. A proposal is the chat's that it is made to, and
 * so its owner's: it moves with the chat and ends with it, or with the account of its author.
 */
export const proposals = pgTable(
  'proposals',
  {
    chatId: chatId().references(() => chats.id, { onDelete: 'cascade' }),
    id: text('id').notNull(),
    /** in its chat, from 1 */
    number: integer('number').notNull(),
    authorId: text('author_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    /** the author's name when it was made */
    authorName: text('author_name').notNull(),
    /** the chat and the branch that it was made from, until the chat is deleted */
    sourceChatId: text('source_chat_id').references(() => chats.id, { onDelete: 'set null' }),
    sourceBranchId: text('source_branch_id').notNull(),
    /** the message of the copy that it is pinned at */
    sourceHeadId: text('source_head_id').notNull(),
    title: text('title').notNull(),
    words: text('words').notNull(),
    /** the archived branch of the chat that keeps its messages */
    branchId: text('branch_id').notNull(),
    /** the message of the chat below which it continues, and the last of its own */
    baseMessageId: text('base_message_id').notNull(),
    headMessageId: text('head_message_id').notNull(),
    messages: integer('messages').notNull(),
    state: text('state').$type<'open' | 'taken' | 'declined'>().notNull().default('open'),
    /** set while it is being taken, so that it is taken once */
    claimedAt: instant('claimed_at'),
    /** the position of the move that took it, which Undo may have taken back */
    takenSeq: bigint('taken_seq', { mode: 'number' }),
    takenAs: text('taken_as'),
    /** the words with which it was declined */
    answer: text('answer'),
    createdAt: createdAt(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t): PgTableExtraConfigValue[] => [
    primaryKey({ name: 'proposals_pk', columns: [t.chatId, t.id] }),
    uniqueIndex('proposals_id').on(t.id),
    uniqueIndex('proposals_number').on(t.chatId, t.number),
    index('proposals_author').on(t.authorId, t.createdAt),
    index('proposals_source').on(t.sourceChatId),
    index('proposals_branch').on(t.chatId, t.branchId),
    check('proposals_state', sql`state in ('open', 'taken', 'declined')`),
    check('proposals_taken_as', sql`taken_as in ('brief', 'turns', 'context', 'messages')`),
    check(
      'proposals_lengths',
      sql`length(author_name) between 1 and 100 and length(title) between 1 and 200 and length(words) <= 10000 and length(answer) <= 10000`,
    ),
    foreignKey({
      name: 'proposals_branch_of_chat',
      columns: [t.chatId, t.branchId],
      foreignColumns: [branches.chatId, branches.id],
    }),
  ],
)

/** Comments on a proposal, by the owner of the chat and by the author. */
export const proposalComments = pgTable(
  'proposal_comments',
  {
    chatId: chatId(),
    id: text('id').notNull(),
    proposalId: text('proposal_id').notNull(),
    saidBy: text('said_by').$type<'owner' | 'author'>().notNull(),
    /** the message of the chat that it is about; null for the whole proposal */
    messageId: text('message_id'),
    /** that message in the copy */
    sourceMessageId: text('source_message_id'),
    words: text('words').notNull(),
    createdAt: createdAt(),
  },
  (t): PgTableExtraConfigValue[] => [
    primaryKey({ name: 'proposal_comments_pk', columns: [t.chatId, t.id] }),
    index('proposal_comments_of').on(t.chatId, t.proposalId),
    check('proposal_comments_said_by', sql`said_by in ('owner', 'author')`),
    check('proposal_comments_length', sql`length(words) between 1 and 10000`),
    foreignKey({
      name: 'proposal_comments_of_proposal',
      columns: [t.chatId, t.proposalId],
      foreignColumns: [proposals.chatId, proposals.id],
    }).onDelete('cascade'),
  ],
)
