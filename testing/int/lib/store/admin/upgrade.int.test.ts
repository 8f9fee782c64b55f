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

/** The migrations of the first version, which held its functions too. */
const firstVersion = path.join(import.meta.dirname, 'first-version')

describe('a database of the first version', () => {
  it('given a chat in it, when this version opens it, then everything is there, can be searched and goes on', async () => {
    // given a folder as the first version left it
    const old = await PGlite.create(path.join(dataDir, 'pglite'))
    await migrate(drizzle(old), { migrationsFolder: firstVersion })
    await old.query(`insert into "user" (id, name, email) values ('ada', 'Ada', 'ada@users.invalid')`)
    const said = { id: 'q1', role: 'user', parts: [{ type: 'text', text: 'the Colosseum' }] }
    const message = { id: 'q1', name: 'user', data: said, preview: 'the Colosseum', createdAt: 1 }
    await old.query('select commit_change($1::json)', [
      JSON.stringify({
        chatId: 'trip',
        at: 1,
        create: { userId: 'ada', branchId: 'branch-1' },
        steps: [
          { kind: 'append', branchId: 'branch-1', expectedHead: null, messages: [message] },
          { kind: 'save-checkpoint', checkpointId: 'mark-1', name: 'mark', messageId: 'q1' },
        ],
      }),
    ])
    await old.close()

    // when
    const store = await DrizzleContextStore.open({ dataDir })

    // then
    expect((await store.searchMessages('trip', 'colosseum')).map((hit) => hit.message.id)).toEqual(['q1'])
    await store.commit({
      chatId: 'trip',
      at: 2,
      steps: [
        {
          kind: 'append',
          branchId: 'branch-1',
          expectedHead: 'q1',
          messages: [{ ...message, id: 'a1', name: 'assistant', createdAt: 2 }],
        },
      ],
    })
    expect((await store.getMessageChain('trip', 'a1')).map(({ id }) => id)).toEqual(['q1', 'a1'])
    expect(await checkDatabase(store.database)).toEqual([])
    // an event as that version told it is read as one of today, and rebuilds what is there
    expect((await store.getEvents('trip'))[2]).toMatchObject({
      ...{ type: 'CheckpointSaved', version: 2, payload: { name: 'mark', checkpoint_id: null } },
    })
    expect(await rebuild(store.database, { dry: true })).toMatchObject({ events: 5, differences: 0, left: 0 })
    await store.close()
  })
})
