import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, inject } from 'vitest'
import { type Database, openDatabase, schema } from '@/lib/db'
import { newId } from '@/lib/events'
import { DrizzleContextStore } from '@/lib/store'
import { createDatabase, type TestDatabase } from '@/testing/machines/create-database'

export type DatabaseKind = 'pglite' | 'postgres'

/** Parts of each table that grows, in the databases on Postgres; 0 where none is partitioned. */
export const parts = Number(process.env.RAMIFY_TEST_PARTS ?? 0)

/** A store of its own for one suite. */
export interface OpenedStore {
  store: DrizzleContextStore
  /** where the database is; undefined for an embedded one */
  url?: string
  /** closes the database and removes it */
  close(): Promise<void>
}

/** The folder of an embedded database: migrated and empty, or with `migrated: false` without tables. */
export function pgliteFolder({ migrated = true } = {}): { dataDir: string; remove: () => void } {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'ramify-int-'))
  const template = inject('pgliteTemplate')
  cpSync(migrated ? template.migrated : template.bare, dataDir, { recursive: true })
  return { dataDir, remove: () => rmSync(dataDir, { recursive: true, force: true }) }
}

/** The Postgres of this worker; undefined where none is installed. */
export function postgresServer() {
  const servers = inject('postgresServers')
  return servers[Number(process.env.VITEST_POOL_ID) - 1] ?? servers[0]
}

/** A database on the worker's Postgres: migrated and empty, or with `migrated: false` empty. */
export function postgresDatabase({ migrated = true } = {}): Promise<TestDatabase> {
  const server = postgresServer()
  if (!server) throw new Error('No Postgres in this run: use onPostgres or onEachDatabase')
  return createDatabase(server.url, migrated ? { template: server.template } : {})
}

/** A migrated, empty database for `createServices`: the settings that name it, of people who sign in. */
export async function databaseEnv(kind: DatabaseKind): Promise<{
  env: { DATABASE_URL: string; RAMIFY_DATA_DIR: string; RAMIFY_PERSONAL: string }
  remove(): Promise<void>
}> {
  if (kind === 'postgres') {
    const { url, drop } = await postgresDatabase()
    return { env: { DATABASE_URL: url, RAMIFY_DATA_DIR: '', RAMIFY_PERSONAL: 'off' }, remove: drop }
  }
  const { dataDir, remove } = pgliteFolder()
  return {
    env: { DATABASE_URL: '', RAMIFY_DATA_DIR: dataDir, RAMIFY_PERSONAL: 'off' },
    remove: async () => remove(),
  }
}

async function openPgliteStore(): Promise<OpenedStore> {
  const { dataDir, remove } = pgliteFolder()
  const store = new DrizzleContextStore(await openDatabase({ dataDir }))
  return {
    store,
    close: async () => {
      await store.close()
      remove()
    },
  }
}

async function openPostgresStore(): Promise<OpenedStore> {
  const { url, drop } = await postgresDatabase()
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

/** A store that is open while the tests of a suite run. */
export function openedStore(open: () => Promise<OpenedStore> = openPostgresStore) {
  let opened: OpenedStore | undefined
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened?.close())
  const now = (): OpenedStore => {
    if (!opened) throw new Error('the store is not open')
    return opened
  }
  return {
    get store(): DrizzleContextStore {
      return now().store
    },
    get database(): Database {
      return now().store.database
    },
    /** where the database is; undefined for an embedded one */
    get url(): string | undefined {
      return now().url
    },
    /** Given one more person, who came so many days ago: the id. */
    async person({ name = 'Ada', guest = false, days = 0 } = {}): Promise<string> {
      const id = newId()
      const createdAt = new Date(Date.now() - days * 86_400_000)
      const person = { id, name, email: `${id}@example.org`, isAnonymous: guest, createdAt }
      await now().store.database.orm.insert(schema.user).values(person)
      return id
    },
  }
}

/** Describes the same tests on the embedded database and on Postgres, which is skipped where there is none. */
export function onEachDatabase(
  title: string,
  tests: (kind: { name: DatabaseKind; open: () => Promise<OpenedStore> }) => void,
): void {
  describe(`${title} (pglite)`, () => tests({ name: 'pglite', open: openPgliteStore }))
  onPostgres(`${title} (postgres)`, () => tests({ name: 'postgres', open: openPostgresStore }))
}

/**
 * Describes tests of what stands above the store on one database: the files take turns, by their names, and without
 * Postgres all are on the embedded one. `npm run test:long` has them on both.
 */
export function onOneDatabase(title: string, tests: Parameters<typeof onEachDatabase>[1]): void {
  const name = path.basename(expect.getState().testPath ?? '')
  const isOdd = [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 2 === 1
  if (process.env.RAMIFY_TEST_LONG) onEachDatabase(title, tests)
  else if (isOdd && postgresServer()) {
    describe(title, () => tests({ name: 'postgres', open: openPostgresStore }))
  } else describe(title, () => tests({ name: 'pglite', open: openPgliteStore }))
}

/**
 * As `onOneDatabase`, on Postgres where there is one: for tests of several processes or of several writers at once, which the
 * embedded database has no more than one of, and for statements that both run alike, which Postgres runs in half the time.
 */
export function onServedDatabase(title: string, tests: Parameters<typeof onEachDatabase>[1]): void {
  if (process.env.RAMIFY_TEST_LONG || !postgresServer()) onOneDatabase(title, tests)
  else describe(title, () => tests({ name: 'postgres', open: openPostgresStore }))
}

/** Describes tests on Postgres; they are skipped where there is none. */
export function onPostgres(title: string, tests: () => void): void {
  describe.skipIf(postgresServer() === undefined)(title, tests)
}
