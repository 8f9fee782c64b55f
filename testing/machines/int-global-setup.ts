import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '@/lib/db'
import { createDatabase } from './create-database'
import { findPostgres } from './find-postgres'
import { startPostgres } from './postgres-cluster'

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * A server for each worker; none where no PostgreSQL is installed. A follower of the log waits for the oldest
     * transaction of its whole server, and so tests of two workers on one server would wait for each other.
     *
     * `template` names a migrated, empty database, to make copies of.
     */
    postgresServers: { url: string; template: string }[]
    /** The folder of a migrated, empty embedded database, to make copies of. */
    pgliteTemplate: string
  }
}

/** Starts the Postgres servers and migrates the templates of the integration tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cleanups: (() => Promise<void> | void)[] = []
  const cleanUp = async () => {
    for (const clean of cleanups.splice(0).reverse()) await clean()
  }
  try {
    const folder = mkdtempSync(path.join(tmpdir(), 'ramify-template-'))
    cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
    await (await openDatabase({ dataDir: folder })).close()
    project.provide('pgliteTemplate', folder)

    // none of the few files that mock modules follows the log
    const workers = project.name === 'int' ? project.config.maxWorkers : 1
    const servers: { url: string; template: string }[] = []
    for (let worker = 0; worker < workers; worker++) {
      const server = await startPostgres({ own: worker > 0 && findPostgres() !== null })
      if ('skipped' in server) break
      cleanups.push(server.stop)
      const template = await createDatabase(server.url)
      cleanups.push(template.drop)
      // a copy is made only of a database that has no connection
      await (await openDatabase({ url: template.url })).close()
      servers.push({ url: server.url, template: template.name })
    }
    project.provide('postgresServers', servers)
    return cleanUp
  } catch (error) {
    await cleanUp()
    throw error
  }
}
