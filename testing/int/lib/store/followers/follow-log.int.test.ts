import postgres from 'postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Step } from '@/lib/context'
import type { Database } from '@/lib/db'
import { openPostgres } from '@/lib/db/open-postgres'
import type { Follower } from '@/lib/store/followers/follow-log'
import { adoptLog, followLog, resetFollower, whoIsBehind } from '@/lib/store/followers/follow-log'
import { DrizzleContextStore } from '@/lib/store/writes/drizzle-context-store'
import { line, Story } from '@/testing/contracts/store/story'
import { handledRows } from '@/testing/worlds/handled-rows'
import { onEachDatabase, onPostgres, openedStore } from '@/testing/worlds/open-stores'

/** Writes down which events it was given, as often as it was given them. */
const recorder = (name: string): Follower => ({
  name,
  effect: async (events) => ({
    sql: `insert into taken select r.name, r.chat, r.seq
      from moved, json_to_recordset($1::json) as r(name text, chat text, seq bigint) returning chat`,
    rows: events.map(({ chatId, seq }) => ({ name, chat: chatId, seq })),
  }),
  undo: `delete from taken where name = '${name}'`,
})

/** Takes in all there is. */
async function followToEnd(database: Database, follower: Follower, batch?: number): Promise<number> {
  let events = 0
  for (;;) {
    const done = await followLog(database, follower, batch === undefined ? {} : { batch })
    events += done.events
    if (!done.more) return events
  }
}

/** What a recorder writes to; a statement that ends with one of `fatal` in it fails, or loses its connection. */
async function createTaken(database: Database): Promise<void> {
  await database.query('create table taken (name text, chat text, seq bigint)')
  await database.query('create table fatal (name text, how text)')
  await database.query(`create function end_badly() returns trigger language plpgsql as $$ begin
    if exists (select 1 from fatal where name = new.name and how = 'error') then raise exception 'no more'; end if;
    perform pg_terminate_backend(pg_backend_pid()) from fatal where name = new.name and how = 'kill';
    return null;
  end $$`)
  await database.query(
    'create trigger taken_end after insert on taken for each row execute function end_badly()',
  )
}

const setFate = async (database: Database, { name }: Follower, how: 'error' | 'kill' | 'well') => {
  await database.query('delete from fatal where name = $1', [name])
  if (how !== 'well') await database.query('insert into fatal values ($1, $2)', [name, how])
}

/** Events of the log that a follower was never given, and those it was given more than once. */
async function compare(database: Database, { name }: Follower) {
  const [row] = await database.query<{ events: number; skipped: number; twice: number }>(
    `select count(*)::int as events, count(*) filter (where t.times is null)::int as skipped,
      count(*) filter (where t.times > 1)::int as twice
    from events e left join (select chat, seq, count(*) as times from taken where name = $1 group by chat, seq) t
      on t.chat = e.chat_id and t.seq = e.seq`,
    [name],
  )
  return row
}

/** Then the follower was given every event of the log, and none of them twice. */
async function expectEachOnce(database: Database, follower: Follower): Promise<void> {
  expect(await compare(database, follower)).toMatchObject({ skipped: 0, twice: 0 })
}

/** Given a chat with a question in it. */
async function asked(store: DrizzleContextStore): Promise<Story> {
  const story = await Story.begin(store)
  await story.say(story.main, null, 'q1')
  return story
}

onEachDatabase('following the log', ({ open }) => {
  const opened = openedStore(open)
  let database: Database
  beforeAll(async () => {
    database = opened.database
    await createTaken(database)
  })

  it('given a long log that is taken in, when it is asked who is behind, then the log is not read again', async () => {
    // given
    const { store, database } = opened
    const story = await Story.begin(store)
    await story.say(story.main, null, ...Array.from({ length: 300 }, (_, n) => `m${n}`))
    const follower: Follower = { name: 'idle', effect: async () => undefined }
    await followToEnd(database, follower)
    await database.query('analyze events')
    const asked: { text: string; params: readonly unknown[] }[] = []
    const query: Database['query'] = (text, params = []) => {
      asked.push({ text, params })
      return database.query(text, params)
    }
    // when
    const behind = await whoIsBehind({ ...database, query }, [follower])
    // then
    expect(behind).toEqual([])
    expect(asked).toHaveLength(1)
    for (const { text, params } of asked) expect(await handledRows(database, text, params)).toBeLessThan(30)
  })

  it('given a log, when it is followed in batches of any size, then every event comes once; and new ones later', async () => {
    const stories = [await Story.begin(opened.store), await Story.begin(opened.store)]
    for (const story of stories) await story.say(story.main, null, 'q1', 'a1', 'q2')
    const [whole, small] = [recorder('whole'), recorder('small')]
    expect(await whoIsBehind(database, [whole, small])).toEqual([whole, small])

    // some batches end within a transaction, and within a chat
    await followToEnd(database, whole)
    await followToEnd(database, small, 3)

    for (const follower of [whole, small]) await expectEachOnce(database, follower)
    expect(await whoIsBehind(database, [whole, small])).toEqual([])
    expect(await followLog(database, whole)).toEqual({ events: 0, chats: [], more: false })

    await stories[1]?.say(stories[1].main, 'q2', 'a3')
    expect(await whoIsBehind(database, [whole])).toEqual([whole])
    expect(await followLog(database, whole)).toEqual({ events: 2, chats: [stories[1]?.chatId], more: false })
    await expectEachOnce(database, whole)
  })

  it('given a follower that fails after its effect, then neither it nor its place stays, and the next time both do', async () => {
    await asked(opened.store)
    const follower = recorder('failing')
    await setFate(database, follower, 'error')

    await expect(followLog(database, follower)).rejects.toThrow('no more')
    expect(await database.query('select 1 from taken where name = $1', ['failing'])).toEqual([])
    expect(await whoIsBehind(database, [follower])).toEqual([follower])

    await setFate(database, follower, 'well')
    await followToEnd(database, follower)
    await expectEachOnce(database, follower)
  })

  it('given a follower at the end, when it is reset, then it takes in the whole log again', async () => {
    await asked(opened.store)
    const follower = recorder('reset')
    const count = await followToEnd(database, follower)

    await resetFollower(database, follower)

    expect(await followToEnd(database, follower)).toBe(count)
    await expectEachOnce(database, follower)
  })

  it('given a log restored from another server, when it is followed, then that is refused, until it is adopted', async () => {
    const story = await asked(opened.store)
    const follower = recorder('moved')
    await followToEnd(database, follower)
    // as a dump brings them here: a follower at the end of a log whose transactions have numbers far ahead
    const renumber = async (sql: string) => {
      await database.query('alter table events disable trigger events_no_change')
      await database.query(sql)
      await database.query('alter table events enable trigger events_no_change')
    }
    await renumber(`update events set txid = '123456789012'`)
    await database.query(`update followers set txid = '123456789012' where name = 'moved'`)
    await story.say(story.main, 'q1', 'q2')

    expect(await whoIsBehind(database, [follower])).toEqual([follower])
    await expect(followLog(database, follower)).rejects.toThrow('npm run db:rebuild')
    // and stays so when as many transactions have run here as there
    await renumber(`update events set txid = '1' where txid = '123456789012'`)
    expect(await whoIsBehind(database, [follower])).toEqual([follower])
    await expect(followLog(database, follower)).rejects.toThrow('npm run db:rebuild')
    expect(await adoptLog(database, [follower])).toBe(true)

    expect(await adoptLog(database, [follower])).toBe(false)
    await followToEnd(database, follower)
    await story.say(story.main, 'q2', 'q3')
    expect(await followToEnd(database, follower)).toBe(1)
    await expectEachOnce(database, follower)
    await expect(database.query(`update events set txid = '1'`)).rejects.toThrow('refused')
  })
})

onPostgres('following the log beside others', () => {
  const opened = openedStore()
  let writers: postgres.Sql
  let processes: [Database, Database]
  beforeAll(async () => {
    const { url = '' } = opened
    processes = [await openPostgres({ url, max: 2 }), await openPostgres({ url, max: 2 })]
    writers = postgres(url, { max: WRITERS })
    await createTaken(opened.database)
  })
  afterAll(async () => {
    for (const process of processes ?? []) await process.close()
    await writers?.end()
  })

  const WRITERS = 50
  const ROUNDS = 4
  const EACH = 10

  /** Writes one question after the other, all in one transaction that stays open until `hold` resolves. */
  const write = (story: Story, below: string | null, ids: string[], hold: () => Promise<void>) =>
    writers.begin(async (tx) => {
      const steps = ids.map(
        (id, index): Step => ({
          kind: 'append',
          branchId: story.main,
          expectedHead: ids[index - 1] ?? below,
          messages: [line(id)],
        }),
      )
      // the driver would write a text once more as JSON
      const query: Database['query'] = async <Row>(text: string, params: readonly unknown[] = []) =>
        Array.from(
          await tx.unsafe<Row[] & object[]>(text.replaceAll('::json', '::text::json'), [
            ...params,
          ] as string[]),
        )
      const store = new DrizzleContextStore({ ...opened.database, query })
      await store.commit({ chatId: story.chatId, at: Date.now(), steps })
      await hold()
    })

  it('given a transaction that began before another and ends after it, then neither is passed over', async () => {
    const [slow, fast] = [await Story.begin(opened.store), await Story.begin(opened.store)]
    const [process] = processes
    const follower = recorder('slow and fast')
    await followToEnd(process, follower)
    const [released, written] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const writing = write(slow, null, ['q1', 'q2'], () => {
      written.resolve()
      return released.promise
    })
    await written.promise
    await fast.say(fast.main, null, 'q1')

    // the fast one waits for the slow one, which comes before it
    expect(await followToEnd(process, follower)).toBe(0)
    released.resolve()
    await writing

    expect(await followToEnd(process, follower)).toBe(3)
    await expectEachOnce(process, follower)
  })

  it(`given ${WRITERS} writers whose transactions end in any order, when two processes follow, then every event comes once`, async () => {
    const follower = recorder('race')
    const stories = await Promise.all(Array.from({ length: WRITERS }, () => Story.begin(opened.store)))
    // how long a transaction stays open is counted in rounds of the followers: some have passed it by before it ends
    let rounds = 0
    let waiting: (() => void)[] = []
    const nextRound = () => new Promise<void>((resolve) => waiting.push(resolve))
    let writing = true
    const follow = async (database: Database) => {
      while (writing) {
        await followLog(database, follower, { batch: 100 })
        rounds += 1
        for (const resolve of waiting.splice(0)) resolve()
      }
    }
    const following = Promise.all(processes.map(follow))
    await Promise.all(
      stories.map(async (story, writer) => {
        let below: string | null = null
        for (let round = 0; round < ROUNDS; round += 1) {
          const ids = Array.from({ length: EACH }, (_, index) => `q${round}-${index}`)
          const until = (writer * 7 + round * 3) % 11
          await write(story, below, ids, async () => {
            for (const end = rounds + until; rounds < end; ) await nextRound()
          })
          below = ids.at(-1) ?? null
        }
      }),
    )
    writing = false
    await following
    waiting = []
    await followToEnd(processes[0], follower)

    const found = await compare(opened.database, follower)
    expect(found?.events).toBeGreaterThanOrEqual(WRITERS * ROUNDS * EACH)
    expect(found).toMatchObject({ skipped: 0, twice: 0 })
  })

  it('given events that two processes have in hand, when both bring them in, then the second finds them taken', async () => {
    await asked(opened.store)
    const follower = recorder('busy')
    const [released, taken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const slow = followLog(processes[0], {
      ...follower,
      effect: async (events, ask) => {
        taken.resolve()
        await released.promise
        return follower.effect(events, ask)
      },
    })
    await taken.promise
    expect((await followLog(processes[1], follower)).events).toBeGreaterThan(0)
    released.resolve()

    expect(await slow).toEqual({ events: 0, chats: [], more: false })
    await followToEnd(processes[1], follower)
    await expectEachOnce(processes[0], follower)
  })

  it('given a process that brings events in, when another one comes, then it does not wait', async () => {
    await asked(opened.store)
    const follower = recorder('held')
    await resetFollower(processes[0], follower)

    await writers.begin(async (tx) => {
      await tx`select 1 from followers where name = 'held' for update`
      expect(await followLog(processes[1], follower)).toEqual({ events: 0, chats: [], more: false })
    })

    await followToEnd(processes[1], follower)
    await expectEachOnce(processes[0], follower)
  })

  it('given a process that is killed after its effect, then the events come to the next one, once', async () => {
    await asked(opened.store)
    const follower = recorder('killed')
    const kills = process.env.RAMIFY_TEST_LONG ? 20 : 5
    await setFate(processes[0], follower, 'kill')
    for (let kill = 0; kill < kills; kill += 1) {
      await expect(followLog(processes[0], follower)).rejects.toThrow()
      expect(await processes[1].query('select 1 from taken where name = $1', ['killed'])).toEqual([])
    }

    await setFate(processes[1], follower, 'well')
    await followToEnd(processes[1], follower)
    await expectEachOnce(opened.database, follower)
  })
})
