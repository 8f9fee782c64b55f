import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { openDatabase } from '@/lib/db'
import { createDatabase, type TestDatabase } from './create-database'

// Databases that tests make copies of. An embedded one takes ten seconds of a core to make, and a tenth of one to copy.

export interface PgliteTemplate {
  /** where both are */
  folder: string
  /** the `RAMIFY_DATA_DIR` of a migrated, empty database */
  migrated: string
  /** the same before its migrations: a server without tables */
  bare: string
  remove: () => void
}

/**
 * Folders of an embedded database that no process has open: those that `TEST_PGLITE_TEMPLATE` names, otherwise new ones.
 *
 * Its buffers are small. The embedded server fills them with zeros at each start, and with the 128 MB of the default that is
 * three quarters of the time a start takes.
 */
export async function pgliteTemplate(): Promise<PgliteTemplate> {
  const given = process.env.TEST_PGLITE_TEMPLATE
  const folder = given ?? mkdtempSync(path.join(tmpdir(), 'ramify-template-'))
  const remove = given ? () => undefined : () => rmSync(folder, { recursive: true, force: true })
  const template = {
    folder,
    migrated: path.join(folder, 'migrated'),
    bare: path.join(folder, 'bare'),
    remove,
  }
  if (given) return template
  try {
    mkdirSync(template.bare)
    await (await PGlite.create(path.join(template.bare, 'pglite'))).close()
    appendFileSync(path.join(template.bare, 'pglite/postgresql.conf'), "shared_buffers = '16MB'\n")
    cpSync(template.bare, template.migrated, { recursive: true })
    await (await openDatabase({ dataDir: template.migrated })).close()
    return template
  } catch (error) {
    remove()
    throw error
  }
}

/** Puts a copy of a template into the data folder of a server to be started, in a run that has one: without it the server begins with nothing. */
export function copyTemplate(which: 'migrated' | 'bare', dataDir: string): void {
  const folder = process.env.TEST_PGLITE_TEMPLATE
  if (folder) cpSync(path.join(folder, which), dataDir, { recursive: true })
}

/** A migrated database on a server, for `createDatabase(url, { template: name })`. */
export async function postgresTemplate(url: string): Promise<TestDatabase> {
  const template = await createDatabase(url)
  try {
    // a copy is made only of a database that has no connection
    await (await openDatabase({ url: template.url })).close()
    return template
  } catch (error) {
    await template.drop()
    throw error
  }
}
