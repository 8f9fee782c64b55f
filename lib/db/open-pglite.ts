import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { type Database, type Orm, type QueryOptions, TIMEOUTS, type Timeouts } from './database'
import { lockFolder } from './folder-lock'
import { migrationsFolder } from './open-postgres'
import * as schema from './schema'
import { StatementLine } from './statement-line'

export interface PgliteOptions {
  /** the folder it lives in, or `memory://` */
  dataDir: string
  /** a dump to start from (tests) */
  load?: Blob
  /** other than the usual (tests) */
  timeouts?: Partial<Timeouts>
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
    const orm = drizzle(client, { schema })
    await migrate(orm, { migrationsFolder: migrationsFolder() })
    const line = new StatementLine({ ...TIMEOUTS, ...options.timeouts })
    return {
      kind: 'pglite',
      orm: orm as unknown as Orm,
      query: <Row>(text: string, params: readonly unknown[] = [], query: QueryOptions = {}) =>
        line.run(async () => (await client.query<Row>(text, [...params])).rows, query),
      ping: async () => {
        await client.query('select 1')
      },
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
