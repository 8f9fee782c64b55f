import { DatabaseOpenError } from '../database'
import type { OpenOptions } from '../open'

/** The rows of one table, as a copy reads them. */
export interface CopiedRows {
  table: string
  /** expressions, in the order they are written */
  select: readonly string[]
  /** a condition; absent for all rows */
  where?: string
  /** columns of a unique key that give the order; absent where the order means nothing */
  by?: readonly string[]
}

/**
 * A database as one thing, for a backup or a restore: one transaction, rows as the text of Postgres's COPY, which both
 * databases write and read alike.
 */
export interface WholeDatabase {
  kind: 'postgres' | 'pglite'
  /** Runs statements without parameters and returns the rows of the last one. */
  run<Row = unknown>(sql: string): Promise<Row[]>
  /** Rows as they come, in pieces that end with a row. Only the piece at hand is in memory. */
  copyOut(rows: CopiedRows): AsyncIterable<Uint8Array>
  /** Stores rows; every piece ends with a row. */
  copyIn(table: string, columns: readonly string[], pieces: AsyncIterable<Uint8Array>): Promise<void>
}

/** The database of a folder that no process has open, to be read; the folder's lock is the caller's. */
export interface FolderOptions {
  folder: string
}

/**
 * Reads a database as of one moment, whatever is written meanwhile. Nothing is migrated: a backup before an update is one
 * of what was there.
 *
 * @throws DatabaseOpenError
 */
export async function readWhole<Result>(
  options: OpenOptions | FolderOptions,
  work: (database: WholeDatabase) => Promise<Result>,
): Promise<Result> {
  if ('url' in options) {
    const { inPostgres } = await import('./whole-postgres')
    return inPostgres(options, 'isolation level repeatable read read only', work)
  }
  const { inPglite } = await import('./whole-pglite')
  return inPglite(options, work, { mustExist: true })
}

/**
 * Changes a database in one transaction: all that `work` does is kept when it resolves, and nothing otherwise.
 *
 * @throws DatabaseOpenError
 */
export async function changeWhole<Result>(
  options: OpenOptions,
  work: (database: WholeDatabase) => Promise<Result>,
): Promise<Result> {
  if ('url' in options) {
    const { inPostgres } = await import('./whole-postgres')
    return inPostgres(options, 'isolation level read committed', work)
  }
  const { inPglite } = await import('./whole-pglite')
  return inPglite(options, work)
}

/** Settings by which any two servers write and read values as the same text. */
export const plainText = `set local time zone 'UTC'; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'iso_8601';
  set local bytea_output = 'hex'; set local extra_float_digits = 1; set local client_encoding = 'UTF8';
  set local xmloption = 'content'; set local row_security = off`

/** A name as SQL has it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** The statement that copies rows out; `where` beside the condition of the rows. */
export function copyStatement({ table, select, where, by }: CopiedRows, to: string, within?: string): string {
  const conditions = [where, within].filter((condition) => condition !== undefined)
  const filter = conditions.length > 0 ? ` where ${conditions.map((one) => `(${one})`).join(' and ')}` : ''
  const order = by ? ` order by ${by.join(', ')}` : ''
  return `copy (select ${select.join(', ')} from ${quoted(table)}${filter}${order}) to ${to}`
}

export const nothingThere = (where: string): DatabaseOpenError =>
  new DatabaseOpenError(`${where} holds no database of Ramify's.`)
