import type { TestProject } from 'vitest/node'
import { createPgliteDump } from './pglite-dump'
import { startPostgres } from './postgres-cluster'

declare module 'vitest' {
  interface ProvidedContext {
    /** A server for `createDatabase`; null where no PostgreSQL is installed: skip, the run has said so. */
    postgresUrl: string | null
    /** The file `createPgliteDump` wrote; null while there are no migrations. */
    pgliteDump: string | null
  }
}

/** Pays once for what every integration test needs. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres()
  const running = 'url' in server ? server : null
  try {
    const dump = await createPgliteDump()
    project.provide('postgresUrl', running?.url ?? null)
    project.provide('pgliteDump', dump?.path ?? null)
    return async () => {
      dump?.remove()
      await running?.stop()
    }
  } catch (error) {
    await running?.stop()
    throw error
  }
}
