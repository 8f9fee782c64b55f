import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { afterAll, describe, expect, it } from 'vitest'
import { checkDatabase } from '@/lib/store/admin/check-database'
import { rebuild } from '@/lib/store/admin/rebuild/rebuild'
import { DrizzleContextStore } from '@/lib/store/writes/drizzle-context-store'
import { pgliteFolder } from '@/testing/worlds/open-stores'

const { dataDir, remove } = pgliteFolder({ migrated: false })
afterAll(remove)

/** The folder as the first version left it: its three migrations, of which only the functions stood elsewhere, and a chat. */
async function writeFirstVersion(): Promise<void> {
  const migrations = path.join(dataDir, 'migrations')
  cpSync('drizzle', migrations, { recursive: true })
  const journal = JSON.parse(readFileSync('drizzle/meta/_journal.json', 'utf8'))
  const first = { ...journal, entries: journal.entries.slice(0, 3) }
  writeFileSync(path.join(migrations, 'meta/_journal.json'), JSON.stringify(first))
  const old = await PGlite.create(path.join(dataDir, 'pglite'))
  await migrate(drizzle(old), { migrationsFolder: migrations })
  await old.exec(readFileSync(path.join(import.meta.dirname, 'first-version.sql'), 'utf8'))
  await old.close()
}

describe('a database of the first version', () => {
  it('given a chat in it, when this version opens it, then everything is there, can be searched and goes on', async () => {
    await writeFirstVersion()
    const message = {
      id: 'a1',
      name: 'assistant',
      preview: 'It is in Rome.',
      createdAt: 2,
      data: { id: 'a1' },
    }

    // when
    const store = await DrizzleContextStore.open({ dataDir })

    // then
    expect((await store.searchMessages('trip', 'colosseum')).map((hit) => hit.message.id)).toEqual(['q1'])
    await store.commit({
      chatId: 'trip',
      at: 2,
      steps: [{ kind: 'append', branchId: 'branch-1', expectedHead: 'q1', messages: [message] }],
    })
    expect((await store.getMessageChain('trip', 'a1')).map(({ id }) => id)).toEqual(['q1', 'a1'])
    expect(await checkDatabase(store.database)).toEqual([])
    // an event as that version told it is read as one of today, and rebuilds what is there
    expect((await store.getEvents('trip'))[2]).toMatchObject({
      type: 'CheckpointSaved',
      version: 2,
      payload: { name: 'mark', checkpoint_id: null },
    })
    expect(await rebuild(store.database, { dry: true })).toMatchObject({ events: 5, differences: 0, left: 0 })
    await store.close()
  })
})
