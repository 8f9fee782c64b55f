import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { blankState, changeWhole, openDatabase } from '@/lib/db'
import { partitionTables } from '@/lib/store'
import { createDatabase, type TestDatabase } from './create-database'

// Databases that tests make copies of. An embedded one takes ten seconds of a core to make, and a tenth of one to copy.

const root = path.resolve(import.meta.dirname, '../..')

export interface PgliteTemplate {
  /** where both are */
  folder: string
  /** the `RAMIFY_DATA_DIR` of a migrated, empty database */
  migrated: string
  /** the same before its migrations: a server without tables */
  bare: string
}

/**
 * Folders of an embedded database that no process has open: those that `TEST_PGLITE_TEMPLATE` names, otherwise those of the
 * last run on the same migrations.
 *
 * Its buffers are small. The embedded server fills them with zeros at each start, and with the 128 MB of the default that is
 * three quarters of the time a start takes.
 */
export async function pgliteTemplate(): Promise<PgliteTemplate> {
  const given = process.env.TEST_PGLITE_TEMPLATE
  const cache = path.join(root, 'node_modules/.cache/ramify-databases')
  const folder = given ?? path.join(cache, blankState().slice(0, 16))
  const template = { folder, migrated: path.join(folder, 'migrated'), bare: path.join(folder, 'bare') }
  if (existsSync(folder)) return template
  mkdirSync(cache, { recursive: true })
  for (const old of readdirSync(cache)) {
    if (!folder.endsWith(old.slice(0, 16))) rmSync(path.join(cache, old), { recursive: true, force: true })
  }
  const making = mkdtempSync(`${folder}-`)
  try {
    const bare = path.join(making, 'bare')
    mkdirSync(bare)
    await (await PGlite.create(path.join(bare, 'pglite'))).close()
    const migrated = path.join(making, 'migrated')
    await (await openDatabase({ dataDir: migrated, brief: true })).close()
    for (const made of [bare, migrated])
      appendFileSync(path.join(made, 'pglite/postgresql.conf'), "shared_buffers = '16MB'\n")
    renameSync(making, folder)
  } catch (error) {
    rmSync(making, { recursive: true, force: true })
    // another run was quicker
    if (!existsSync(folder)) throw error
  }
  return template
}

/** Puts a copy of a template into the data folder of a server to be started, in a run that has one: without it the server begins with nothing. */
export function copyTemplate(which: 'migrated' | 'bare', dataDir: string): void {
  const folder = process.env.TEST_PGLITE_TEMPLATE
  if (folder) cpSync(path.join(folder, which), dataDir, { recursive: true })
}

/** A migrated database on a server, for `createDatabase(url, { template: name })`; with `parts` its tables that grow are partitioned. */
export async function postgresTemplate(url: string, parts = 0): Promise<TestDatabase> {
  const template = await createDatabase(url)
  try {
    // a copy is made only of a database that has no connection
    await (await openDatabase({ url: template.url })).close()
    if (parts > 0) await changeWhole({ url: template.url }, (whole) => partitionTables(whole, parts))
    return template
  } catch (error) {
    await template.drop()
    throw error
  }
}
