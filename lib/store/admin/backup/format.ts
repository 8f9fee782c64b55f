import { z } from 'zod'

/** Raised when a change gives a file's content another meaning. */
export const FORMAT = 1

/** The first entry describes the file, the last one gives the sums of each table. */
export const HEADER = 'backup.json'
export const SUMS = 'checksums.json'

/** An entry with rows of a table: `tables/messages/000001.copy`. */
export const rowsName = (table: string, number: number): string =>
  `tables/${table}/${String(number).padStart(6, '0')}.copy`

const name = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/)
const count = z.int().min(0)

export const backupHeader = z.object({
  format: z.literal('ramify-backup'),
  version: z.int(),
  /** the version of Ramify that wrote it */
  app: z.string().max(50),
  made_at: z.iso.datetime(),
  database: z.enum(['postgres', 'pglite']),
  /** the migrations that the database had had, by the hash of each */
  migrations: z.array(z.string().regex(/^[0-9a-f]{64}$/)).max(10_000),
  /** every number of a transaction in it is below */
  transactions: count.max(100_000_000),
  /** tells whether a server has the secret that this one had; nothing about the secret can be read from it */
  secret: z.string().max(64).optional(),
  tables: z.array(z.object({ name, columns: z.array(name).min(1).max(200) })).max(500),
})

export type BackupHeader = z.infer<typeof backupHeader>

export const backupSums = z.object({
  /** SHA-256 of the first entry, in hex */
  header: z.string(),
  tables: z.array(z.object({ name, rows: count, bytes: count, sha256: z.string() })).max(500),
})

type BackupSums = z.infer<typeof backupSums>
export type TableSum = BackupSums['tables'][number]

/** Refuses an incomplete backup. The message names the fault and the remedy. */
export class BackupFileError extends Error {
  override readonly name = 'BackupFileError'
}

/** A backup and a database that do not go together; nothing was changed. */
export class RestoreRefusedError extends Error {
  override readonly name = 'RestoreRefusedError'
}
