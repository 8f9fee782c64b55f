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
import { bytea, chatId, createdAt } from './columns'
import { branches, chats, messages } from './conversation'

/**
 * What agents have said and were answered, by its hash: the longest beginning of a call that is stored is found by one look
 * at the key, however long the call is. A hash stands for the earliest message that has it. It goes with its chat.
 */
export const agentNodes = pgTable(
  'agent_nodes',
  {
    /** whose chat it is: the same words of two people never meet */
    ownerId: text('owner_id').notNull(),
    hash: bytea('hash').notNull(),
    chatId: chatId().references((): AnyPgColumn => chats.id, { onDelete: 'cascade' }),
    messageId: text('message_id').notNull(),
    /** what the hashes below go on from, where that is not this one: a response is named by its provider's id */
    chain: bytea('chain'),
    /** the chain of the message is not what the agent sends: the provider is sent the chain instead */
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

/**
 * A branch that an agent writes on, and the one that a person has it go on with from its next call on. The row goes with that
 * call.
 */
export const agentSteers = pgTable(
  'agent_steers',
  {
    chatId: chatId().references((): AnyPgColumn => chats.id, { onDelete: 'cascade' }),
    branchId: text('branch_id').notNull(),
    targetId: text('target_id').notNull(),
    createdAt: createdAt(),
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
