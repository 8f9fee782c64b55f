import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { applyFunctions, migrationsFolder } from './apply-functions'
import { type Database, type Orm, TIMEOUTS, type Timeouts } from './database'
import { fairPglite } from './fair-pglite'
import { lockFolder } from './folder-lock'
import { LoadCount } from './load'
import { closeFolderToOthers, makePrivateFolder } from './private-folder'
import * as schema from './schema'

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
    if (!inMemory) makePrivateFolder(folder)
    const embedded = await PGlite.create(inMemory ? options.dataDir : folder, {
      ...(options.load ? { loadDataDir: options.load } : {}),
    })
    // it unpacks its files with modes of their own
    if (!inMemory) closeFolderToOthers(folder)
    const load = new LoadCount(1)
    const { client, query, ping } = fairPglite(embedded, load, { ...TIMEOUTS, ...options.timeouts })
    const orm = drizzle(client, { schema })
    await migrate(orm, { migrationsFolder: migrationsFolder() })
    await embedded.transaction((tx) => applyFunctions(async (sql) => (await tx.exec(sql)).at(-1)?.rows ?? []))
    return {
      kind: 'pglite',
      orm: orm as unknown as Orm,
      query,
      ping,
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
