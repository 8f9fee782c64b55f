import { readFileSync } from 'node:fs'
import { inject } from 'vitest'
import { openPglite } from '@/lib/db/open-pglite'
import { DrizzleContextStore } from '@/lib/store'
import { createDatabase } from '@/testing/machines/create-database'

/** A store of its own for one suite, and what gives it back. */
export interface OpenedStore {
  store: DrizzleContextStore
  url?: string
  close(): Promise<void>
}

/** A fresh embedded store, from the dump that the run has made. */
export async function openPgliteStore(): Promise<OpenedStore> {
  const dump = inject('pgliteDump')
  const database = await openPglite({
    dataDir: 'memory://',
    ...(dump ? { load: new Blob([readFileSync(dump)]) } : {}),
  })
  const store = new DrizzleContextStore(database)
  return { store, close: () => store.close() }
}

/** A fresh migrated database on the run's Postgres. Only where `inject('postgresUrl')` is not null. */
export async function openPostgresStore(): Promise<OpenedStore> {
  const server = inject('postgresUrl')
  if (!server) throw new Error('No Postgres in this run: guard with describe.skipIf')
  const { url, drop } = await createDatabase(server)
  const store = await DrizzleContextStore.open({ url })
  return {
    store,
    url,
    close: async () => {
      await store.close()
      await drop()
    },
  }
}

/** The served and the embedded store, for suites that run on both. */
export const storeKinds: {
  name: 'pglite' | 'postgres'
  open: () => Promise<OpenedStore>
  missing: boolean
}[] = [
  { name: 'pglite', open: openPgliteStore, missing: false },
  { name: 'postgres', open: openPostgresStore, missing: inject('postgresUrl') === null },
]
