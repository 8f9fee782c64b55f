import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { openDatabase } from '@/lib/db/open'
import { pgliteFolder } from '@/testing/worlds/open-stores'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'ramify-private-'))
  folders.push(folder)
  return path.join(folder, 'data')
}

/** Everything in a folder that others than its owner may read, write or enter, itself included. */
function openToOthers(folder: string): string[] {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
    path.join(folder, name),
  )
  return [folder, ...all].filter((at) => (statSync(at).mode & 0o077) !== 0)
}

describe.skipIf(process.platform === 'win32')('the folder of the embedded database', () => {
  test('given no folder, when the database has been opened and written to, then only its owner can read any of it', async () => {
    const dataDir = newFolder()
    const database = await openDatabase({ dataDir })
    await database.query('create table kept as select generate_series(1, 20000) as n')
    await database.query('checkpoint')
    expect(openToOthers(dataDir)).toEqual([])
    await database.close()
    expect(openToOthers(dataDir)).toEqual([])
  })

  test('given a folder of before that everybody can read, when the database is opened again, then only its owner can; modes of other files beside it stay', async () => {
    const { dataDir, remove } = pgliteFolder()
    await (await openDatabase({ dataDir })).close()
    for (const at of [dataDir, path.join(dataDir, 'pglite'), path.join(dataDir, 'pglite', 'base')])
      chmodSync(at, 0o755)
    chmodSync(path.join(dataDir, 'pglite.lock'), 0o644)
    chmodSync(path.join(dataDir, 'pglite', 'PG_VERSION'), 0o644)
    const other = path.join(dataDir, 'notes.txt')
    writeFileSync(other, 'mine', { mode: 0o644 })
    const database = await openDatabase({ dataDir })
    expect(openToOthers(dataDir)).toEqual([other])
    await database.close()
    remove()
  })
})
