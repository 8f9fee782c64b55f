import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type * as schema from './schema'

export type Orm = PgDatabase<PgQueryResultHKT, typeof schema>

/** Drizzle within one transaction. */
export type Transaction = Parameters<Parameters<Orm['transaction']>[0]>[0]

/** The present load of a database. */
export interface Load {
  /** statements it can work on at a time: connections, or 1 for an embedded one */
  most: number
  /** connections in use; a transaction holds one until its end */
  used: number
  /** statements and transactions that wait for a connection */
  waiting: number
}

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
   * @throws {QueryTimeoutError} when it took longer than its kind may; nothing was written
   * @throws {QueryAbandonedError} when `options.signal` is aborted before it is done
   */
  query<Row>(text: string, params?: readonly unknown[], options?: QueryOptions): Promise<Row[]>
  /** Resolves when the database answers a trivial statement. */
  ping(): Promise<void>
  /** its load at the moment, as far as this process causes it */
  load(): Load
  /**
   * Calls `onPayload` for every notification of any process on a channel, until the returned function is called.
   * Notifications sent while the connection is broken are lost. Rejects when it cannot listen yet, and keeps trying. Absent
   * on the embedded database, and behind a transaction pooler without an unpooled url.
   */
  listen?(channel: string, onPayload: (payload: string) => void): Promise<() => Promise<void>>
  /** Sends a payload of less than 8000 bytes to all listeners, this process included. Absent on the embedded database. */
  notify?(channel: string, payload: string): Promise<void>
  /**
   * Holds a name in a session of its own until the returned function is called or this process is gone: an advisory lock of
   * `hashtextextended(name, 0)`. Does nothing where another session holds it. Absent where `listen` is.
   */
  hold?(name: string): Promise<() => Promise<void>>
  /**
   * Copies an embedded database to an empty folder, as of the moment this ends, while statements go on. One copy at a time.
   * Absent on Postgres, and in memory.
   */
  copyTo?(folder: string, signal?: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** The purpose of a statement: it sets the time limit. */
export type QueryKind = 'search' | 'read' | 'write' | 'job'

export interface QueryOptions {
  planAnew?: boolean
  /** `write` unless told */
  kind?: QueryKind
  /** ends the statement when it is aborted; for statements that only read */
  signal?: AbortSignal
}

/** Milliseconds that a statement of each kind may take, its wait for a connection included. */
export type Timeouts = Record<QueryKind, number>

/** A job (a follower, a rebuild, a check) has no limit. */
export const TIMEOUTS: Timeouts = { search: 2000, read: 10_000, write: 30_000, job: Number.POSITIVE_INFINITY }

/**
 * The base of an error that is known by its name: a server bundles this module more than once, and `instanceof` in one bundle
 * must recognise the errors of another. It is no refusal (`NamedError`): work that meets it may be tried again.
 */
export const knownAs = <Name extends string>(errorName: Name) =>
  class extends Error {
    override readonly name = errorName

    static override [Symbol.hasInstance](value: unknown): boolean {
      return value instanceof Error && value.name === errorName
    }
  }

/** A statement took longer than its kind may, and was cancelled: nothing of it was written. */
export class QueryTimeoutError extends knownAs('QueryTimeoutError') {
  constructor(
    readonly kind: QueryKind,
    options?: ErrorOptions,
  ) {
    super(`A ${kind} took too long and was cancelled`, options)
  }
}

/** The caller of a statement has gone (`signal`): the statement was not begun, or was cancelled. */
export class QueryAbandonedError extends knownAs('QueryAbandonedError') {
  constructor() {
    super('The statement was abandoned')
  }
}

/** The database cannot be opened; the message is one line and says what to do. */
export class DatabaseOpenError extends Error {
  override readonly name = 'DatabaseOpenError'
}

/** The same database for work without a time limit: a follower, a rebuild, a check. */
export const asJob = (database: Database): Database => ({
  ...database,
  query: (text, params, options) => database.query(text, params, { ...options, kind: 'job' }),
})
