import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { afterAll, describe, expect, it } from 'vitest'
import { changeWhole, readWhole, type WholeDatabase } from '@/lib/db'
import { checkDatabase } from '@/lib/store/admin/check-database'
import { rebuild } from '@/lib/store/admin/rebuild/rebuild'
import { DrizzleContextStore } from '@/lib/store/writes/drizzle-context-store'
import { emptyPlace } from '@/testing/worlds/backup-world'
import { onEachDatabase, pgliteFolder } from '@/testing/worlds/open-stores'

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

/** Every message and every event, as a hash of what its row says in each version. */
async function saidIn(database: WholeDatabase): Promise<Record<string, string>> {
  const rows = await database.run<{ name: string; said: string }>(`
    select 'messages' as name, count(*) || ' ' || md5(string_agg(concat_ws(' ', chat_id, lane, depth, id, name, data, created_at), ','
      order by chat_id collate "C", id collate "C")) as said from messages
    union all
    select 'events', count(*) || ' ' || md5(string_agg(concat_ws(' ', chat_id, seq, stream_id, event_number, message_id, type, payload),
      ',' order by chat_id collate "C", seq)) from events
    union all
    select 'branches', count(*) || ' ' || md5(string_agg(concat_ws(' ', chat_id, id, name, head_lane, head_depth), ','
      order by chat_id collate "C", id collate "C")) from branches`)
  return Object.fromEntries(rows.map(({ name, said }) => [name, said]))
}

/**
 * Databases as older code left them, each with the sample and twelve chats of random commands: `pg_dump --inserts` of one that
 * a checkout of that time had migrated, planted and filled (`plantSample`, and the commands of `testing/properties/engine`).
 */
const older = [
  { migrations: 22, when: 'a few days before the first version' },
  { migrations: 51, when: 'of version 0.1.0' },
]

onEachDatabase('a database that older code has filled', ({ name }) => {
  it.each(older)(
    'given one $when, when this version opens it, then every chat is whole',
    async ({ migrations }) => {
      const place = await emptyPlace(name)
      const dump = gunzipSync(
        readFileSync(`testing/fixtures/databases/after-${migrations}-migrations.sql.gz`),
      )
      await changeWhole(place.options, (database) => database.run(dump.toString()))
      const before = await readWhole(place.options, saidIn)

      // when
      const store = await DrizzleContextStore.open(place.options)

      // then
      expect(await checkDatabase(store.database)).toEqual([])
      expect(await rebuild(store.database, { dry: true })).toMatchObject({ differences: 0, left: 0 })
      const chats = await store.listChats({ userId: 'ada' })
      expect(chats).toHaveLength(13)
      await store.close()
      expect(await readWhole(place.options, saidIn)).toEqual(before)
      await place.remove()
    },
  )
})
