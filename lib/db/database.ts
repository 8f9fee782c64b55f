import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type * as schema from './schema'

export type Orm = PgDatabase<PgQueryResultHKT, typeof schema>

/** One open database, embedded or served; the same SQL runs on both. */
export interface Database {
  kind: 'postgres' | 'pglite'
  /** Drizzle, for everything its builder can say */
  orm: Orm
  /**
   * Runs one statement (prepared, unless the pooler forbids it) and returns its rows. For the few hot statements
   * the builder cannot say. Numbers come as numbers, so select big ones as `float8`.
   */
  query<Row>(text: string, params?: readonly unknown[]): Promise<Row[]>
  /** Resolves when the database answers a trivial statement. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** The database cannot be opened; the message is one line and says what to do. */
export class DatabaseOpenError extends Error {
  override readonly name = 'DatabaseOpenError'
}
