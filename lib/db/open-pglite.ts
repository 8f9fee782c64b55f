import path from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { applyFunctions, migrationsFolder } from './apply-functions'
import { blankFile, unpackBlank } from './blank-folder'
import { type Database, type Orm, type QueryOptions, TIMEOUTS, type Timeouts } from './database'
import { startEmbedded } from './embedded'
import { FairGate, LoadCount } from './fair-gate'
import { lockFolder } from './folder-lock'
import { closeFolderToOthers, makePrivateFolder } from './private-folder'
import * as schema from './schema'
import { copyFolder } from './whole/copy-folder'

export interface PgliteOptions {
  /** the folder it lives in, or `memory://` */
  dataDir: string
  /** the file of a blank folder that a new database begins with; that of the build unless told (tests) */
  blank?: string
  /** other than the usual (tests) */
  timeouts?: Partial<Timeouts>
  /** for one command: it starts sooner, with few buffers */
  brief?: boolean
  /** time that another process may still hold the folder, in ms */
  patience?: number
}

/** Opens the embedded Postgres, alone in its folder, and applies what migrations are missing. */
export async function openPglite(options: PgliteOptions): Promise<Database> {
  const inMemory = options.dataDir.startsWith('memory://')
  const folder = path.join(options.dataDir, 'pglite')
  const unlock = inMemory ? () => undefined : lockFolder(options.dataDir, options.patience)
  try {
    if (!inMemory) {
      unpackBlank(folder, options.blank ?? blankFile())
      makePrivateFolder(folder)
    }
    const embedded = await startEmbedded(inMemory ? options.dataDir : folder, options)
    try {
      // it unpacks its files with modes of their own
      if (!inMemory) closeFolderToOthers(folder)
      const load = new LoadCount(1)
      const { client, query, ping, alone } = fairPglite(embedded, load, { ...TIMEOUTS, ...options.timeouts })
      const orm = drizzle(client, { schema })
      await migrate(orm, { migrationsFolder: migrationsFolder() })
      await embedded.transaction((tx) =>
        applyFunctions(async (sql) => (await tx.exec(sql)).at(-1)?.rows ?? []),
      )
      return {
        kind: 'pglite',
        orm: orm as unknown as Orm,
        query,
        ping,
        load: () => load.now,
        ...(inMemory
          ? {}
          : {
              copyTo: (to: string, signal?: AbortSignal) =>
                copyFolder(embedded, folder, { to, alone, ...(signal && { signal }) }),
            }),
        close: async () => {
          await client.close()
          unlock()
        },
      }
    } catch (error) {
      await embedded.close()
      throw error
    }
  } catch (error) {
    unlock()
    throw error
  }
}

/** Work that runs at the database and is not part of other such work. */
const WORK = new Set<PropertyKey>(['query', 'exec', 'transaction'])

/**
 * The same embedded database, whose statements and transactions take turns by person (`onBehalfOf`). It runs one of them
 * at a time, and left to itself in the order they came. `query` knows of kinds and signals, `ping` asks a trivial
 * statement before all that wait.
 */
function fairPglite(
  embedded: PGlite,
  load: LoadCount,
  timeouts: Timeouts,
): { client: PGlite; alone: <T>(work: () => Promise<T>) => Promise<T> } & Pick<Database, 'query' | 'ping'> {
  const gate = new FairGate(timeouts)
  const pass: FairGate['pass'] = (work, options) => load.during(() => gate.pass(work, options))
  const client = new Proxy(embedded, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== 'function') return value
      const method = value.bind(target)
      return WORK.has(key) ? (...args: unknown[]) => pass(() => method(...args)) : method
    },
  })
  return {
    client,
    alone: (work) => pass(work, { kind: 'job' }),
    query: <Row>(text: string, params: readonly unknown[] = [], { kind, signal }: QueryOptions = {}) =>
      pass(async () => (await embedded.query<Row>(text, [...params])).rows, {
        ...(kind ? { kind } : {}),
        ...(signal ? { signal } : {}),
      }),
    ping: () =>
      pass(
        async () => {
          await embedded.query('select 1')
        },
        { urgent: true },
      ),
  }
}
