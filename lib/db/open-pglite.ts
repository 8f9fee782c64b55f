import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import type { Database, Orm } from './database'
import { lockFolder } from './folder-lock'
import { LoadCount } from './load'
import { migrationsFolder } from './open-postgres'
import * as schema from './schema'

export interface PgliteOptions {
  /** the folder it lives in, or `memory://` */
  dataDir: string
  /** a dump to start from (tests) */
  load?: Blob
}

/** Opens the embedded Postgres, alone in its folder, and applies what migrations are missing. */
export async function openPglite(options: PgliteOptions): Promise<Database> {
  const inMemory = options.dataDir.startsWith('memory://')
  const folder = path.join(options.dataDir, 'pglite')
  const unlock = inMemory ? () => undefined : lockFolder(options.dataDir)
  try {
    if (!inMemory) mkdirSync(folder, { recursive: true })
    const client = await PGlite.create(inMemory ? options.dataDir : folder, {
      ...(options.load ? { loadDataDir: options.load } : {}),
    })
    const load = new LoadCount(1)
    const orm = drizzle(counting(client, load), { schema })
    await migrate(orm, { migrationsFolder: migrationsFolder() })
    return {
      kind: 'pglite',
      orm: orm as unknown as Orm,
      query: async <Row>(text: string, params: readonly unknown[] = []) =>
        (await load.during(() => client.query<Row>(text, [...params]))).rows,
      ping: async () => {
        await load.during(() => client.query('select 1'))
      },
      load: () => load.now,
      close: async () => {
        await client.close()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

/** The same client, whose statements and transactions are counted. */
function counting(client: PGlite, load: LoadCount): PGlite {
  const query: PGlite['query'] = (...given) => load.during(() => client.query(...given))
  const transaction: PGlite['transaction'] = (work) => load.during(() => client.transaction(work))
  const own: Partial<Record<PropertyKey, unknown>> = { query, transaction }
  return new Proxy(client, {
    get(target, key) {
      const value: unknown = own[key] ?? Reflect.get(target, key)
      // it has private parts, which only it can reach
      return typeof value === 'function' && key !== 'constructor' ? value.bind(target) : value
    },
  })
}
