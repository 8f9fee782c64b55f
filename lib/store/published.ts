// The entry of the package `@ramify/context-postgres`: its types name no driver, and its SQL lies beside it.
import type { ContextStore } from '@/lib/context'
import { openDatabase } from '@/lib/db'
import { DrizzleContextStore as Stored } from './writes/drizzle-context-store'

/** The place of a store's graph: Postgres by `url`, else the embedded PGlite in `dataDir`. */
export interface StoreOptions {
  /** the address of a Postgres, 15 or newer */
  url?: string
  /** for migrations, where `url` leads through a transaction pooler */
  unpooledUrl?: string
  /** false behind a transaction pooler that keeps no prepared statements */
  prepare?: boolean
  /** connections at most, 10 unless told */
  max?: number
  /** the folder of the embedded database, `.data` unless told; `memory://` is gone with the process */
  dataDir?: string
}

/** A `ContextStore` on Postgres or PGlite. */
export type DrizzleContextStore = ContextStore & {
  /** Makes messages searchable that were stored since the last call; a search does so by itself. Returns their number. */
  indexPending(): Promise<number>
  /** Ends its connections, or gives the folder back. */
  close(): Promise<void>
}

/** Opens stores on Postgres and PGlite. */
export const DrizzleContextStore = {
  /**
   * Opens a store, and migrates its database. Several processes may open one Postgres at once; a folder belongs to one
   * process at a time.
   *
   * @throws an error of one line when the database cannot be opened
   *
   * @example const store = await DrizzleContextStore.open({ url: process.env.DATABASE_URL })
   */
  async open({ url, dataDir = '.data', ...limits }: StoreOptions = {}): Promise<DrizzleContextStore> {
    return new Stored(await openDatabase(url ? { ...limits, url } : { dataDir }))
  },
}
