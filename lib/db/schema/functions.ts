import { pgTable, text } from 'drizzle-orm/pg-core'

/** The SQL functions that `lib/db/functions` has defined here, with the hash of each file. */
export const sqlFunctions = pgTable('sql_functions', {
  name: text('name').primaryKey(),
  hash: text('hash').notNull(),
})
