import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import { applyFunctions, migrationsFolder } from './apply-functions'
import {
  type Database,
  DatabaseOpenError,
  type Orm,
  QueryAbandonedError,
  type QueryOptions,
  TIMEOUTS,
  type Timeouts,
} from './database'
import { LoadCount } from './fair-gate'
import { type CancellableQuery, limited, withinDeadline } from './query-deadline'
import * as schema from './schema'
import { MIGRATION_LOCK } from './whole/migrations'

// `npm ci` mends the driver with `driver/postgres+3.4.9.patch` (porsager/postgres #1208, #1215, #1216). As published, a
// connection that breaks while a statement waits to be sent never sends again, its next statement hears the error of the
// last, and what a broken transaction still says goes to the connection that follows, outside of that transaction. And rows
// that are copied out to a slow reader leave the connection unread for good where the pause comes with the last of them.

/** Searches have connections of their own: a driver sends what comes after a slow statement down the same connection. */
const SEARCHES = 3

/** The type of `text[]`; Postgres numbers its own types the same everywhere. */
const TEXTS = 1009

/** Options of all connections. */
const postgresOptions = {
  onnotice: () => undefined,
  // the driver would ask for the server's array types with every new connection, and a connection that breaks then would
  // end the process: the rejection has no handler
  fetch_types: false,
  types: { texts: { to: TEXTS, from: [TEXTS], serialize: arrayOf, parse: (text: string) => text } },
  // the driver's own pauses grow to 20 s, although the database may be back already
  backoff: () => 0.1 + Math.random() * 0.2,
  // poolers refuse every other parameter
  connection: { application_name: 'ramify' },
} satisfies postgres.Options<Record<string, postgres.PostgresType>>

/** Texts as Postgres writes an array of them. */
function arrayOf(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`
}

export interface PostgresOptions {
  url: string
  /** for migrations and for listening, when `url` goes through a pooler that should not see them */
  unpooledUrl?: string
  /** off behind a transaction pooler that keeps no prepared statements */
  prepare?: boolean
  /** connections at most, default 10 */
  max?: number
  /** other than the usual (tests) */
  timeouts?: Partial<Timeouts>
}

/** Connects to Postgres and applies what migrations are missing; concurrent callers wait for the first. */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  try {
    await migrateLocked(options.unpooledUrl ?? options.url)
  } catch (error) {
    const variable = options.unpooledUrl ? 'DATABASE_URL_UNPOOLED' : 'DATABASE_URL'
    const why = error instanceof Error ? error.message.split('\n')[0] : String(error)
    throw new DatabaseOpenError(`${variable}: the database cannot be opened (${why}).`, { cause: error })
  }
  const prepare = options.prepare ?? true
  const max = options.max ?? 10
  const sql = postgres(options.url, { ...postgresOptions, max, prepare })
  const searching = postgres(options.url, { ...postgresOptions, max: SEARCHES, prepare, idle_timeout: 60 })
  // the builder changes how its client writes JSON: the two must not differ
  drizzle(searching)
  const load = new LoadCount(max)
  const timeouts = { ...TIMEOUTS, ...options.timeouts }
  const orm = drizzle(keepingStatements(sql, { prepare, load, limit: timeouts.write }), {
    schema,
  }) as unknown as Orm
  const direct = options.unpooledUrl ?? (prepare ? options.url : undefined)
  const listener = direct === undefined ? undefined : openListener(direct)
  return {
    kind: 'postgres',
    orm,
    query: async <Row>(
      text: string,
      params: readonly unknown[] = [],
      { planAnew, ...limits }: QueryOptions = {},
    ) => {
      if (limits.signal?.aborted) throw new QueryAbandonedError()
      const connections = limits.kind === 'search' ? searching : sql
      const query = connections.unsafe(text, params as never[], { prepare: prepare && !planAnew })
      // postgres.js types rows as its own Row; the statement decides what they are
      const run = () => withinDeadline<Row[]>(query as unknown as CancellableQuery, limits, timeouts)
      return limits.kind === 'search' ? run() : load.during(run)
    },
    ping: async () => {
      await load.during(() => sql`select 1`)
    },
    load: () => load.now,
    ...(listener ? { listen: listener.listen } : {}),
    ...(direct !== undefined && { hold: (name: string) => holdName(direct, name) }),
    notify: async (channel, payload) => {
      await sql`select pg_notify(${channel}, ${payload})`
    },
    close: async () => {
      await Promise.all([sql.end({ timeout: 5 }), searching.end({ timeout: 5 }), listener?.close()])
    },
  }
}

/**
 * Drizzle has every statement planned anew, each for a second round trip; this client keeps them, as `query` does, and
 * cancels what takes longer than `limit`. It counts them and transactions, too.
 */
function keepingStatements(
  sql: postgres.Sql,
  { prepare, load, limit }: { prepare: boolean; load: LoadCount; limit: number },
): postgres.Sql {
  const unsafe: postgres.Sql['unsafe'] = (text, params, options) => {
    const query = sql.unsafe(text, params, { ...options, prepare })
    limited(query as unknown as CancellableQuery, limit)
    return load.statement(query as never)
  }
  const begin = (...given: Parameters<postgres.Sql['begin']>) => load.during(() => sql.begin(...given))
  const own: Partial<Record<PropertyKey, unknown>> = { unsafe, begin }
  return new Proxy(sql, { get: (target, key) => own[key] ?? Reflect.get(target, key) })
}

/** The lock lasts as long as one transaction: a session's would stay behind on the connection of a pooler. */
async function migrateLocked(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, prepare: false, onnotice: () => undefined })
  try {
    await sql.begin(async (transaction) => {
      await transaction`select pg_advisory_xact_lock(${MIGRATION_LOCK})`
      // the migrator begins a transaction of its own: here that is a savepoint
      const client = Object.assign(transaction, { options: sql.options, begin: transaction.savepoint })
      await migrate(drizzle(client as unknown as postgres.Sql), { migrationsFolder: migrationsFolder() })
      await applyFunctions((statements) => transaction.unsafe(statements))
    })
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/**
 * Hears over a connection of its own, made with the first `listen` and made again by itself when it breaks. `url` must
 * lead to the server: a transaction pooler lends a connection for one statement, and notifications would get lost.
 */
function openListener(url: string) {
  const sql = postgres(url, { ...postgresOptions, max: 1 })
  return {
    async listen(channel: string, onPayload: (payload: string) => void) {
      const { unlisten } = await sql.listen(channel, onPayload)
      return async () => {
        await unlisten()
      }
    },
    close: () => sql.end({ timeout: 5 }),
  }
}

/** A connection that is only there: the server ends its session with the process, however busy that is until then. */
async function holdName(url: string, name: string): Promise<() => Promise<void>> {
  const sql = postgres(url, { ...postgresOptions, max: 1, max_lifetime: null })
  const end = () => sql.end({ timeout: 5 })
  try {
    await sql`select pg_try_advisory_lock(hashtextextended(${name}, 0))`
  } catch (error) {
    await end()
    throw error
  }
  return end
}
