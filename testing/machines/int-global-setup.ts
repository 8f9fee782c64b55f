import type { TestProject } from 'vitest/node'
import { findPostgres } from './find-postgres'
import { temporaryInMemory } from './memory-folder'
import { startPostgres } from './postgres-cluster'
import { type PgliteTemplate, pgliteTemplate, postgresTemplate } from './templates'

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * A server for each worker; none where no PostgreSQL is installed. A follower of the log waits for the oldest
     * transaction of its whole server, and so tests of two workers on one server would wait for each other.
     *
     * `template` names a migrated, empty database, to make copies of. With `RAMIFY_TEST_PARTS` its tables that grow have so many parts.
     */
    postgresServers: { url: string; template: string }[]
    /** Folders of embedded databases, to make copies of. */
    pgliteTemplate: Pick<PgliteTemplate, 'migrated' | 'bare'>
  }
}

/** The projects of a run share what the first of them has started. */
const shared = globalThis as typeof globalThis & { __ramifyMachines?: ReturnType<typeof start> | undefined }

/** Starts the Postgres servers and makes the templates of the integration tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.__ramifyMachines ??= start(project.vitest.config.maxWorkers)
  const { postgresServers, pgliteTemplate, stop } = await shared.__ramifyMachines
  project.provide('pgliteTemplate', pgliteTemplate)
  project.provide('postgresServers', postgresServers)
  return async () => {
    delete shared.__ramifyMachines
    await stop()
  }
}

async function start(workers: number) {
  const cleanups: (() => Promise<void> | void)[] = []
  const stop = async () => {
    for (const clean of cleanups.splice(0).reverse()) await clean()
  }
  try {
    cleanups.push(temporaryInMemory())
    const { migrated, bare } = await pgliteTemplate()
    const started = await Promise.allSettled(
      Array.from({ length: workers }, async (_, worker) => {
        const server = await startPostgres({ own: worker > 0 && findPostgres() !== null })
        if ('skipped' in server) return []
        cleanups.push(server.stop)
        const { name, drop } = await postgresTemplate(server.url, Number(process.env.RAMIFY_TEST_PARTS ?? 0))
        cleanups.push(drop)
        return [{ url: server.url, template: name }]
      }),
    )
    const postgresServers = started.flatMap((server) => {
      if (server.status === 'rejected') throw server.reason
      return server.value
    })
    return { pgliteTemplate: { migrated, bare }, postgresServers, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
