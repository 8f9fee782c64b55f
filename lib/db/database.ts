import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type { Load } from './load'
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
   *
   * @param options.planAnew for a statement whose best plan hangs on what it is asked for: costs a round trip
   */
  query<Row>(text: string, params?: readonly unknown[], options?: QueryOptions): Promise<Row[]>
  /** Resolves when the database answers a trivial statement. */
  ping(): Promise<void>
  /** what it has to do at the moment, as this process knows it */
  load(): Load
  /**
   * Hears what any process says on a channel, until the returned function is called. What is said while the connection
   * is broken is lost. Rejects when it cannot hear yet, and goes on trying. Absent where there is nobody else, and behind
   * a transaction pooler with no way around it.
   */
  listen?(channel: string, onPayload: (payload: string) => void): Promise<() => Promise<void>>
  /** Says something, of less than 8000 bytes, to whoever listens; this process too. Absent where there is nobody. */
  notify?(channel: string, payload: string): Promise<void>
  close(): Promise<void>
}

export interface QueryOptions {
  planAnew?: boolean
}

/** The database cannot be opened; the message is one line and says what to do. */
export class DatabaseOpenError extends Error {
  override readonly name = 'DatabaseOpenError'
}
