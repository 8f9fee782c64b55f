import { readMigrationFiles } from 'drizzle-orm/migrator'
import { applyFunctions, migrationsFolder } from '../apply-functions'
import type { WholeDatabase } from './whole-database'

/** Any number will do, as long as every process that migrates uses the same. */
export const MIGRATION_LOCK = 727274

/** The hash of every migration this version knows, in order. */
export const knownMigrations = (): string[] =>
  readMigrationFiles({ migrationsFolder: migrationsFolder() }).map(({ hash }) => hash)

/** The hashes of the migrations a database has had, in order; none where it holds nothing of Ramify's. */
export async function appliedMigrations(database: WholeDatabase): Promise<string[]> {
  const [there] = await database.run<{ there: boolean }>(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as there`,
  )
  if (!there?.there) return []
  const rows = await database.run<{ hash: string }>(
    'select hash from drizzle.__drizzle_migrations order by created_at, id',
  )
  return rows.map(({ hash }) => hash)
}

/** Runs the migrations from one place in their order to another, and notes them as drizzle's migrator does. */
export async function migrateWhole(database: WholeDatabase, from: number, to: number): Promise<void> {
  await database.run(`create schema if not exists drizzle; create table if not exists drizzle.__drizzle_migrations (
    id serial primary key, hash text not null, created_at bigint)`)
  const migrations = readMigrationFiles({ migrationsFolder: migrationsFolder() }).slice(from, to)
  for (const { sql, hash, folderMillis } of migrations) {
    for (const statement of sql) await database.run(statement)
    await database.run(
      `insert into drizzle.__drizzle_migrations (hash, created_at) values ('${hash}', ${folderMillis})`,
    )
  }
}

/** Defines the functions of this version. */
export const defineFunctions = (database: WholeDatabase): Promise<void> =>
  applyFunctions((statements) => database.run(statements))
