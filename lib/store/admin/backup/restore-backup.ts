import {
  appliedMigrations,
  defineFunctions,
  knownMigrations,
  MIGRATION_LOCK,
  migrateWhole,
  quoted,
  type WholeDatabase,
} from '@/lib/db'
import { continueCounters, withBareTables } from './bare-tables'
import { BackupFileError, type BackupHeader, RestoreRefusedError, type TableSum } from './format'
import type { BackupReader } from './read-backup'
import { hasServers, isUsed, readTables } from './tables'

/**
 * Restores a database from a backup, within the caller's transaction: the tables of the time of the backup,
 * their rows, then all later migrations.
 *
 * @param options.replace lets a database in use lose all its data
 * @param options.signal ends it, between two steps
 * @throws RestoreRefusedError, BackupFileError; then nothing of it may be kept
 */
export async function restoreBackup(
  database: WholeDatabase,
  backup: BackupReader,
  options: { replace?: boolean; signal?: AbortSignal } = {},
): Promise<TableSum[]> {
  const { header } = backup
  const stage = stageOf(header)
  await database.run(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`)
  await clear(database, options)
  await migrateWhole(database, 0, stage)
  const tables = await agreedTables(database, header)
  await passTransactions(database, header.transactions)
  let sums: TableSum[] = []
  await withBareTables(database, tables, async () => {
    for (const { name, columns } of header.tables) {
      // migrations have rows, too
      await database.run(`truncate ${quoted(name)}`)
      await database.copyIn(name, columns, backup.rows(name, options.signal))
    }
    // reads the sums that the file gives, before its indexes are built
    sums = await backup.finish()
  })
  options.signal?.throwIfAborted()
  await continueCounters(database, tables)
  await migrateWhole(database, stage, knownMigrations().length)
  await defineFunctions(database)
  options.signal?.throwIfAborted()
  return sums
}

/** Number of this version's migrations that the file's database had applied. */
function stageOf({ migrations, app }: BackupHeader): number {
  const known = knownMigrations()
  const differs = migrations.findIndex((hash, at) => hash !== known[at])
  if (migrations.length === 0) throw new RestoreRefusedError("The backup holds no database of Ramify's.")
  if (differs === -1) return migrations.length
  if (differs === known.length) {
    const more = migrations.length - known.length
    throw new RestoreRefusedError(
      `The backup was made by a newer Ramify (${app}, ${more} migration${more === 1 ? '' : 's'} ahead): update Ramify, then restore it.`,
    )
  }
  throw new RestoreRefusedError(
    `The backup was made by another build of Ramify (${app}): its migration ${differs + 1} is not the one of this version. Restore it with that build.`,
  )
}

/** Takes Ramify's tables and functions away, where nothing is lost by it. */
async function clear(database: WholeDatabase, { replace = false }: { replace?: boolean }): Promise<void> {
  const { own } = await readTables(database)
  if (own.length === 0) return
  const [applied, known] = [await appliedMigrations(database), knownMigrations()]
  if (applied.length === 0 || applied.some((hash, at) => hash !== known[at])) {
    throw new RestoreRefusedError(
      applied.length > known.length
        ? 'The database belongs to a newer Ramify: update Ramify, or restore into an empty database.'
        : 'The database has tables of the names that Ramify uses, made by something else: restore into an empty database.',
    )
  }
  if (!replace && (await isUsed(database, own))) {
    throw new RestoreRefusedError(
      'The database is in use: it has people or chats. Restore into an empty one, or replace everything in it with --replace (back it up first).',
    )
  }
  if (await hasServers(database)) {
    throw new RestoreRefusedError(
      'Servers or workers of Ramify are connected to the database: stop them, restore, and start them again.',
    )
  }
  const functions = own.includes('sql_functions')
    ? await database.run<{ name: string }>(
        `select p.oid::regprocedure::text as name from pg_proc p join sql_functions f on f.name = p.proname
        where p.pronamespace = 'public'::regnamespace`,
      )
    : []
  await database.run(`drop table ${own.map(quoted).join(', ')} cascade`)
  for (const { name } of functions) await database.run(`drop function if exists ${name} cascade`)
  await database.run('delete from drizzle.__drizzle_migrations')
}

/**
 * Verifies that the file has exactly the tables that a database of its stage has, with all their columns.
 *
 * @returns the names of Ramify's tables
 */
async function agreedTables(database: WholeDatabase, { tables }: BackupHeader): Promise<string[]> {
  const { held, own } = await readTables(database)
  const there = new Map(held.map(({ name, columns }) => [name, columns]))
  const said = new Map(tables.map(({ name, columns }) => [name, columns]))
  const same = (name: string) =>
    [...(said.get(name) ?? [])].sort().join() === [...(there.get(name) ?? [])].sort().join()
  const odd = [...there.keys(), ...said.keys()].find((name) => !same(name))
  if (odd !== undefined || said.size !== tables.length) {
    throw new BackupFileError(
      `The backup's table ${odd ?? ''} is not the one its version of Ramify had: the file is damaged; take another one.`,
    )
  }
  return own
}

/**
 * Advances the server's count of transactions beyond those of the file (log-places.ts), so that new events
 * come after the restored ones. A new server has counted to some hundreds.
 */
async function passTransactions(database: WholeDatabase, count: number): Promise<void> {
  await database.run(`do $$
    declare missing bigint := ${count} - pg_current_xact_id()::text::bigint;
    begin
      if missing < 0 then return; end if;
      create temp table spent (one int) on commit drop;
      insert into spent values (1);
      for n in 0 .. missing loop
        begin
          -- a lock takes a number, and a transaction within this one gives it back unused
          perform 1 from spent for update;
          raise exception using errcode = 'RM000';
        exception when sqlstate 'RM000' then null;
        end;
      end loop;
    end $$`)
}
