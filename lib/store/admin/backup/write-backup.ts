import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { appliedMigrations, type CopiedRows, type WholeDatabase } from '@/lib/db'
import { BackupFileError, type BackupHeader, FORMAT, HEADER, rowsName, SUMS, type TableSum } from './format'
import { readPlaces } from './log-places'
import { keptRows, readTables, type StoredTable } from './tables'
import { endBlocks, entryBlocks } from './tar'

/** The result of a backup. */
export interface BackupDone {
  tables: TableSum[]
  /** tables in the database that are not Ramify's, and are not in the file */
  foreign: string[]
}

export interface BackupOptions {
  /** the version of Ramify */
  app: string
  at: Date
  /** replaces an existing file */
  force?: boolean
  signal?: AbortSignal
  /** result of `secretMark` */
  secret?: string | undefined
}

/** The least compression takes a fifth more space than the usual, in a third of its time. */
const LEVEL = 3

/**
 * Writes all of a database to one file: a compressed archive of the text of COPY, a few MB to an entry. Its
 * memory is bounded for any size of the database. The file gets its name once it is whole, and only its owner
 * can read it.
 *
 * @throws BackupFileError when a file has the name already
 */
export async function writeBackup(
  database: WholeDatabase,
  file: string,
  options: BackupOptions,
): Promise<BackupDone> {
  refuseExisting(file, options)
  const draft = `${file}.${randomUUID().slice(0, 8)}.part`
  const done: BackupDone = { tables: [], foreign: [] }
  try {
    await pipeline(
      Readable.from(archive(database, done, options)),
      createGzip({ level: LEVEL, chunkSize: 256 * 1024 }),
      createWriteStream(draft, { flags: 'wx', mode: 0o600 }),
      { signal: options.signal },
    )
    await toDisk(draft)
    refuseExisting(file, options)
    await rename(draft, file)
    await toDisk(path.dirname(file))
    return done
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** @throws BackupFileError where a file has the name already, and is not to be replaced */
export function refuseExisting(file: string, { force = false }: Pick<BackupOptions, 'force'>): void {
  if (!force && existsSync(file)) {
    throw new BackupFileError(`${file} is there already: choose another name, or replace it with --force.`)
  }
}

async function toDisk(at: string): Promise<void> {
  // a folder cannot be opened on Windows, which writes its entries with the file
  if (process.platform === 'win32') return
  const handle = await open(at, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function* archive(
  database: WholeDatabase,
  done: BackupDone,
  { app, at, secret }: BackupOptions,
): AsyncGenerator<Uint8Array> {
  const migrations = await appliedMigrations(database)
  if (migrations.length === 0) {
    throw new BackupFileError("The database holds nothing of Ramify's: there is nothing to back up.")
  }
  const { held, foreign } = await readTables(database)
  const places = await readPlaces(database)
  const copies = held.map((table) => copyOf(table, places))
  const header: BackupHeader = {
    format: 'ramify-backup',
    version: FORMAT,
    app,
    made_at: at.toISOString(),
    database: database.kind,
    migrations,
    transactions: places.transactions,
    ...(secret !== undefined && { secret }),
    tables: copies.map(({ name, columns }) => ({ name, columns })),
  }
  const first = asJson(header)
  yield* entryBlocks({ name: HEADER, bytes: first }, at)
  for (const { name, rows, through } of copies) {
    const sum = createHash('sha256')
    const told: TableSum = { name, rows: 0, bytes: 0, sha256: '' }
    let number = 0
    const pieces = database.copyOut(rows)
    for await (const bytes of through ? through(pieces) : pieces) {
      sum.update(bytes)
      told.rows += countRows(bytes)
      told.bytes += bytes.length
      number += 1
      yield* entryBlocks({ name: rowsName(name, number), bytes }, at)
    }
    done.tables.push({ ...told, sha256: sum.digest('hex') })
  }
  done.foreign = foreign
  const sums = { header: createHash('sha256').update(first).digest('hex'), tables: done.tables }
  yield* entryBlocks({ name: SUMS, bytes: asJson(sums) }, at)
  yield endBlocks()
}

interface TableCopy {
  name: string
  /** the columns, as the file has them */
  columns: string[]
  rows: CopiedRows
  through?: (pieces: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>
}

function copyOf({ name, columns }: StoredTable, places: Awaited<ReturnType<typeof readPlaces>>): TableCopy {
  if (name === 'events') {
    return {
      name,
      columns: places.eventColumns(columns),
      rows: places.events(columns),
      through: places.renumber,
    }
  }
  if (name === 'followers') return { name, columns, rows: places.followers(columns) }
  const where = keptRows(name)
  const select = columns.map((column) => `"${column}"`)
  return { name, columns, rows: { table: name, select, ...(where !== undefined && { where }) } }
}

const asJson = (value: unknown): Uint8Array => Buffer.from(`${JSON.stringify(value, null, 1)}\n`)

const NEWLINE = 10

/** Rows of COPY's text: a line break within a value is written as `\n`. */
export function countRows(bytes: Uint8Array): number {
  let rows = 0
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) rows += 1
  return rows
}
