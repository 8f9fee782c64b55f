import { isTable } from 'drizzle-orm'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
import { quoted, schema, type WholeDatabase } from '@/lib/db'

/** The tables of Ramify in a database, whichever version made them, with the columns that are stored. */
export interface StoredTable {
  name: string
  columns: string[]
}

/** Counts and secrets of minutes or a day: a restored server begins without them. */
const SHORT_LIVED: ReadonlySet<string> = new Set(['attempts', 'verification', 'quota_use', 'run_parts'])

/** The names of the SQL functions: each version defines its own. */
const FUNCTIONS = 'sql_functions'

/**
 * Rows to keep of tables that are not kept whole. A person with an account signs in again. A guest's session
 * is the only way to a guest's chats, so those sessions are kept.
 */
const KEPT: Readonly<Record<string, string>> = {
  session: 'user_id in (select id from "user" where is_anonymous)',
}

export const keptRows = (table: string): string | undefined => KEPT[table]

/** The names of all tables this version knows. */
const known: ReadonlySet<string> = new Set(
  Object.values(schema)
    .filter((value) => isTable(value))
    .map((table) => getTableConfig(table as PgTable).name),
)

/** The tables of the database: those that a backup holds, and those that are not Ramify's. */
export async function readTables(
  database: WholeDatabase,
): Promise<{ held: StoredTable[]; own: string[]; foreign: string[] }> {
  const rows = await database.run<StoredTable>(
    `select c.relname as name, json_agg(a.attname order by a.attnum) filter (where a.attgenerated = '') as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    group by c.relname order by c.relname`,
  )
  const own = rows.filter(({ name }) => known.has(name))
  return {
    held: own
      .filter(({ name }) => name !== FUNCTIONS && !SHORT_LIVED.has(name))
      .map(({ name, columns }) => ({ name, columns: asList(columns) })),
    own: own.map(({ name }) => name),
    foreign: rows.filter(({ name }) => !known.has(name)).map(({ name }) => name),
  }
}

/** Drivers differ in whether they parse JSON. */
const asList = (value: string[] | string): string[] => (typeof value === 'string' ? JSON.parse(value) : value)

/** True when the database is in use: everything a person makes belongs to a person. */
export async function isUsed(database: WholeDatabase, own: readonly string[]): Promise<boolean> {
  for (const table of ['user', 'chats']) {
    if (!own.includes(table)) continue
    const rows = await database.run(`select 1 from ${quoted(table)} limit 1`)
    if (rows.length > 0) return true
  }
  return false
}

/**
 * Tells whether servers or workers are connected: they would continue with their memory of the tables. The
 * embedded database belongs to one process anyway.
 */
export async function hasServers(database: WholeDatabase): Promise<boolean> {
  if (database.kind === 'pglite') return false
  const rows = await database.run(
    `select 1 from pg_stat_activity where datname = current_database() and application_name = 'ramify' and pid <> pg_backend_pid()`,
  )
  return rows.length > 0
}
