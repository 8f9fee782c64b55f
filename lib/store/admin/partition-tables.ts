import {
  appliedMigrations,
  completeParts,
  knownMigrations,
  MIGRATION_LOCK,
  quoted,
  type WholeDatabase,
} from '@/lib/db'
import { withBareTables } from './backup/bare-tables'
import { hasServers, readTables, type StoredTable } from './backup/tables'

/** The tables that get rows with every turn. Each of their unique keys begins with the chat, as a partitioned table needs. */
const GROWING: ReadonlySet<string> = new Set(['messages', 'message_search', 'events', 'runs', 'contexts'])

/** More parts make a statement slower: it locks all of them before it knows the one to read. */
const MOST_PARTS = 64

/** The tables cannot be partitioned; the message says why, and nothing was changed. */
class PartitionRefusedError extends Error {
  override readonly name = 'PartitionRefusedError'
}

/** Settings of a table that its parts take over, since a partitioned table has none or does not pass them on. */
interface TableSettings {
  triggers: string[]
  /** `name=value` of the table, and of its columns by name */
  storage: string[]
  columns: Record<string, string[]>
  identity: 'd' | 'f'
}

/**
 * Partitions the tables that grow by hash of the chat, within the caller's transaction: rows, keys, indexes
 * and triggers stay the same, and so do the statements that read and write them.
 *
 * @returns the newly partitioned tables; none when all were partitioned before
 * @throws PartitionRefusedError
 */
export async function partitionTables(database: WholeDatabase, parts: number): Promise<string[]> {
  if (!Number.isInteger(parts) || parts < 2 || parts > MOST_PARTS) {
    throw new PartitionRefusedError(`A table has 2 to ${MOST_PARTS} parts, not ${parts}.`)
  }
  if (database.kind === 'pglite') {
    throw new PartitionRefusedError('The embedded database is not partitioned: set DATABASE_URL.')
  }
  await database.run(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`)
  if ((await appliedMigrations(database)).join() !== knownMigrations().join()) {
    throw new PartitionRefusedError('The database is not that of this version: run npm run db:migrate first.')
  }
  if (await hasServers(database)) {
    throw new PartitionRefusedError(
      'Servers or workers of Ramify are connected to the database: stop them, partition, and start them again.',
    )
  }
  const { held, own } = await readTables(database)
  const whole = await database.run<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and not relispartition`,
  )
  const plain = new Set(whole.map(({ name }) => name))
  const tables = held.filter(({ name }) => GROWING.has(name) && plain.has(name))
  if (tables.length === 0) return []
  const settings = new Map<string, TableSettings>()
  for (const { name } of tables) settings.set(name, await settingsOf(database, name))
  await withBareTables(database, own, async () => {
    for (const table of tables) await partition(database, table, parts, settings.get(table.name))
  })
  for (const { triggers } of settings.values()) for (const made of triggers) await database.run(made)
  await database.run(completeParts)
  return tables.map(({ name }) => name)
}

async function settingsOf(database: WholeDatabase, table: string): Promise<TableSettings> {
  const [row] = await database.run<{ settings: TableSettings }>(
    `select json_build_object(
      'triggers', (select coalesce(json_agg(pg_get_triggerdef(t.oid) order by t.oid), '[]') from pg_trigger t
        where t.tgrelid = c.oid and not t.tgisinternal),
      'storage', coalesce(c.reloptions, '{}'),
      'columns', (select coalesce(json_object_agg(a.attname, a.attoptions), '{}') from pg_attribute a
        where a.attrelid = c.oid and a.attoptions is not null),
      'identity', c.relreplident) as settings
    from pg_class c where c.oid = '${quoted(table)}'::regclass`,
  )
  if (!row) throw new PartitionRefusedError(`There is no table ${table}.`)
  return row.settings
}

/** Replaces a table that has neither keys nor indexes by a partitioned one with the same rows. */
async function partition(
  database: WholeDatabase,
  { name, columns }: StoredTable,
  parts: number,
  settings: TableSettings | undefined,
): Promise<void> {
  const old = quoted(name)
  const made = quoted(`${name}_in_parts`)
  const { storage = [], columns: options = {}, identity } = settings ?? {}
  const withStorage = storage.length > 0 ? ` with (${storage.join(', ')})` : ''
  const tell = (table: string) => [
    ...Object.entries(options).map(
      ([column, values]) =>
        `alter table only ${table} alter column ${quoted(column)} set (${values.join(', ')})`,
    ),
    ...(identity === 'f' ? [`alter table only ${table} replica identity full`] : []),
  ]
  await database.run(
    `create table ${made} (like ${old} including defaults including generated including constraints
      including storage including compression including comments) partition by hash (chat_id)`,
  )
  for (let part = 0; part < parts; part++) {
    const own = quoted(`${name}_${part}`)
    await database.run(
      [
        `create table ${own} partition of ${made} for values with (modulus ${parts}, remainder ${part})${withStorage}`,
        ...tell(own),
      ].join(';'),
    )
  }
  const all = columns.map(quoted).join(', ')
  await database.run(
    [
      ...tell(made),
      // statistics of all parts together have a setting of their own
      ...tell(made)
        .filter((one) => one.includes('n_distinct'))
        .map((one) => one.replace('n_distinct', 'n_distinct_inherited')),
      `insert into ${made} (${all}) select ${all} from ${old}`,
      `drop table ${old}`,
      `alter table ${made} rename to ${old}`,
    ].join(';'),
  )
}
