import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '@/lib/db'
import { createDatabase } from './create-database'
import { startPostgres } from './postgres-cluster'

declare module 'vitest' {
  interface ProvidedContext {
    /** A server for `createDatabase`; null where no PostgreSQL is installed. */
    postgresUrl: string | null
    /** The name of a migrated, empty database on that server, to make copies of. */
    postgresTemplate: string | null
    /** The folder of a migrated, empty embedded database, to make copies of. */
    pgliteTemplate: string
  }
}

/** Starts the Postgres and migrates the templates that all integration tests share. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres()
  const running = 'url' in server ? server : null
  const folder = mkdtempSync(path.join(tmpdir(), 'ramify-template-'))
  const cleanUp = async () => {
    rmSync(folder, { recursive: true, force: true })
    await running?.stop()
  }
  try {
    const template = running ? await createDatabase(running.url) : null
    // a copy is made only of a database that has no connection
    if (template) await (await openDatabase({ url: template.url })).close()
    await (await openDatabase({ dataDir: folder })).close()
    project.provide('postgresUrl', running?.url ?? null)
    project.provide('postgresTemplate', template?.name ?? null)
    project.provide('pgliteTemplate', folder)
    return async () => {
      await template?.drop()
      await cleanUp()
    }
  } catch (error) {
    await cleanUp()
    throw error
  }
}
