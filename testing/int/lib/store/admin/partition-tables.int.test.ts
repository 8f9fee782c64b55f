import { beforeAll, expect, it } from 'vitest'
import { changeWhole, type Database, openDatabase } from '@/lib/db'
import { checkDatabase, DrizzleContextStore, partitionTables } from '@/lib/store'
import { Story } from '@/testing/contracts/store/story'
import { contentOf } from '@/testing/worlds/backup-world'
import { onPostgres, pgliteFolder, postgresDatabase } from '@/testing/worlds/open-stores'

const tables = ['contexts', 'events', 'message_search', 'messages', 'runs']

onPostgres('a database whose tables that grow are partitioned', () => {
  let url: string
  let before: Record<string, string>
  const inParts = (parts: number) => changeWhole({ url }, (whole) => partitionTables(whole, parts))
  const content = () => changeWhole({ url }, contentOf)

  /** Runs work with the database, as a server that starts opens it. */
  async function opened<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
    const database = await openDatabase({ url })
    return work(database).finally(() => database.close())
  }

  beforeAll(async () => {
    const database = await postgresDatabase({ migrated: false })
    url = database.url
    await opened(async (database) => {
      const store = new DrizzleContextStore(database)
      for (let n = 0; n < 5; n++) await Story.saying(store, 'm0', 'm1', 'm2')
    })
    before = await content()
    return database.drop
  })

  it('is refused while a server is connected, for a number of parts that makes no sense, and where it is embedded', async () => {
    await opened(async (database) => {
      await database.ping()
      await expect(inParts(4)).rejects.toThrow('Servers or workers of Ramify are connected')
    })
    for (const parts of [0, 1, 65, 2.5, Number.NaN]) await expect(inParts(parts)).rejects.toThrow('2 to 64')
    const { dataDir, remove } = pgliteFolder()
    await expect(changeWhole({ dataDir }, (whole) => partitionTables(whole, 4))).rejects.toThrow(
      'DATABASE_URL',
    )
    remove()
    expect(await content()).toEqual(before)
  })

  it('given chats, when the tables are partitioned, then nothing is lost, and the chats go on', async () => {
    // when
    const done = await inParts(4)
    // then
    expect(done).toEqual(tables)
    expect(await content()).toEqual(before)
    expect(await inParts(8)).toEqual([])
    await opened(async (database) => {
      const store = new DrizzleContextStore(database)
      const story = await Story.saying(store, 'q', 'a')
      await story.say(story.main, 'a', 'next')
      expect((await store.getMessageChain(story.chatId, 'next')).map(({ id }) => id)).toEqual([
        'q',
        'a',
        'next',
      ])
      expect(await checkDatabase(database)).toEqual([])
    })
  })

  it('given parts, when one of them is written to by its own name, then it is guarded as the table is', async () => {
    await opened(async ({ query }) => {
      for (const table of ['messages', 'events', 'contexts']) {
        const rows = await query<{ part: string }>(
          `select tableoid::regclass::text as part from ${table} limit 1`,
        )
        for (const { part } of rows) {
          await expect(query(`update ${part} set chat_id = chat_id`)).rejects.toThrow('immutable')
          await expect(query(`truncate ${part} cascade`)).rejects.toThrow('immutable')
          await expect(query(`delete from ${part}`)).rejects.toThrow(/refused|foreign key/)
        }
      }
    })
  })

  it('given a new version of a trigger and a new index, when a server starts, then each part has them under their names', async () => {
    // given what another version leaves
    await opened(async ({ query }) => {
      await query(`update sql_functions set hash = '' where name = 'refuse_change'`)
      await query('create unique index runs_once on runs (chat_id, reply_id)')
    })
    // when
    const [row] = await opened(({ query }) =>
      query<{ guarded: number; called: string[] }>(`select
        (select count(*)::int from pg_trigger where tgname = 'messages_no_change') as guarded,
        (select json_agg(relname order by relname) from pg_class where relname like 'runs_once%') as called`),
    )
    // then
    expect(row?.guarded).toBe(5)
    expect(row?.called).toEqual(['runs_once', 'runs_once_0', 'runs_once_1', 'runs_once_2', 'runs_once_3'])
  })
})
