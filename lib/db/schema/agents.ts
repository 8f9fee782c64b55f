import {
  type AnyPgColumn,
  boolean,
  foreignKey,
  index,
  type PgTableExtraConfigValue,
  pgTable,
  primaryKey,
  text,
} from 'drizzle-orm/pg-core'
import { bytea, chatId, createdAt, instant } from './columns'
import { branches, chats, messages } from './conversation'

/**
 * Texts and answers of agents, by their hash: one lookup of the key finds the longest stored beginning of a
 * call, at any length of the call. A hash stands for the earliest message that has it. It is deleted with its
 * chat.
 */
export const agentNodes = pgTable(
  'agent_nodes',
  {
    /** the chat's owner: the same words of two people never meet */
    ownerId: text('owner_id').notNull(),
    hash: bytea('hash').notNull(),
    chatId: chatId().references((): AnyPgColumn => chats.id, { onDelete: 'cascade' }),
    messageId: text('message_id').notNull(),
    /** the hash from which those below continue, unless it is this one: a response is named by its provider's id */
    chain: bytea('chain'),
    /** the agent sends another chain than the stored one: the provider gets the stored one instead */
    moved: boolean('moved').notNull().default(false),
  },
  (t): PgTableExtraConfigValue[] => [
    primaryKey({ name: 'agent_nodes_pk', columns: [t.ownerId, t.hash] }),
    index('agent_nodes_message').on(t.chatId, t.messageId),
    foreignKey({
      name: 'agent_nodes_of_message',
      columns: [t.chatId, t.messageId],
      foreignColumns: [messages.chatId, messages.id],
    }),
  ],
)

/** A branch that an agent writes on, with the last message that it said or was answered there. */
export const agentBranches = pgTable(
  'agent_branches',
  {
    chatId: chatId().references((): AnyPgColumn => chats.id, { onDelete: 'cascade' }),
    branchId: text('branch_id').notNull(),
    messageId: text('message_id').notNull(),
    /** the name that its program gives itself, and the key it came with, which may be revoked by now */
    client: text('client'),
    keyId: text('key_id'),
    calledAt: instant('called_at').notNull(),
  },
  (t): PgTableExtraConfigValue[] => [
    primaryKey({ name: 'agent_branches_pk', columns: [t.chatId, t.branchId] }),
    foreignKey({
      name: 'agent_branches_branch',
      columns: [t.chatId, t.branchId],
      foreignColumns: [branches.chatId, branches.id],
    }),
  ],
)

/**
 * A branch that an agent wrote on, and the branch to which a person has steered it from its next call on;
 * after that call, the branch where it went.
 */
export const agentSteers = pgTable(
  'agent_steers',
  {
    chatId: chatId().references((): AnyPgColumn => chats.id, { onDelete: 'cascade' }),
    branchId: text('branch_id').notNull(),
    /** null when the steering was taken back */
    targetId: text('target_id'),
    createdAt: createdAt(),
    followedAt: instant('followed_at'),
  },
  (t): PgTableExtraConfigValue[] => [
    primaryKey({ name: 'agent_steers_pk', columns: [t.chatId, t.branchId] }),
    index('agent_steers_target').on(t.chatId, t.targetId),
    foreignKey({
      name: 'agent_steers_branch',
      columns: [t.chatId, t.branchId],
      foreignColumns: [branches.chatId, branches.id],
    }),
    foreignKey({
      name: 'agent_steers_target_branch',
      columns: [t.chatId, t.targetId],
      foreignColumns: [branches.chatId, branches.id],
    }),
  ],
)
