import { type Database, DatabaseOpenError } from './database'
import type { PgliteOptions } from './open-pglite'
import type { PostgresOptions } from './open-postgres'

export type OpenOptions = PostgresOptions | PgliteOptions

/** Opens and migrates the database the options name: Postgres by `url`, embedded by `dataDir`. */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  if (process.env.NEXT_PHASE === 'phase-production-build') {
    throw new DatabaseOpenError('The database must not be opened during `next build`.')
  }
  // loaded on demand: a server on Postgres never pays for the embedded one
  if ('url' in options) return (await import('./open-postgres')).openPostgres(options)
  return (await import('./open-pglite')).openPglite(options)
}
