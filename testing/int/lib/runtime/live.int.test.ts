import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type ChatNews, watchChat } from '@/lib/conversations'
import { createServices, type Services } from '@/lib/runtime/services'
import { Story } from '@/testing/contracts/store/story'
import type { TestDatabase } from '@/testing/machines/create-database'
import { startTcpProxy } from '@/testing/machines/tcp-proxy'
import { onPostgres, postgresDatabase } from '@/testing/worlds/open-stores'

/** Sooner than the next poll of a reader. */
const AT_ONCE = 1000

/** Two processes' worth of services on one database. */
onPostgres('a chat watched in one process and written to in another', () => {
  let database: TestDatabase
  const opened: Services[] = []

  beforeAll(async () => {
    database = await postgresDatabase()
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((services) => services.database.close()))
  })
  afterAll(() => database?.drop())

  async function start(env: Record<string, string> = {}): Promise<Services> {
    const services = await createServices({ DATABASE_URL: database.url, ...env })
    opened.push(services)
    return services
  }
  /** How one is set up whose connections a transaction pooler lends: it cannot listen over them. */
  const pooled = { DATABASE_PREPARE: 'off' }

  /** The connections that listen for changes. */
  const listeners = async ({ database }: Services): Promise<number[]> => {
    const sql = `select pid from pg_stat_activity where datname = current_database() and query ilike 'listen %'`
    return (await database.query<{ pid: number }>(sql)).map(({ pid }) => pid)
  }

  const settled = { timeout: 10_000, interval: 50 }

  async function twoThatHear() {
    const [reading, writing] = [await start(), await start()]
    await vi.waitFor(async () => expect(await listeners(reading)).toHaveLength(2), settled)
    return { reading, writing }
  }

  /** A chat, and the news that a watcher in `reading` gets after its first state. */
  async function watched({ reading, writing }: { reading: Services; writing: Services }) {
    const story = await Story.begin(writing.store)
    const stream = await watchChat(reading.ports, { ownerId: story.userId, chatId: story.chatId, since: 0 })
    const reader = stream.getReader()
    const next = async (): Promise<ChatNews | undefined> => (await reader.read()).value
    expect(await next()).toMatchObject({ kind: 'delta', delta: { seq: 1 } })
    return { story, next, leave: () => reader.cancel() }
  }

  const nodesOf = (news: ChatNews | undefined) =>
    news?.kind === 'delta' ? news.delta.nodes?.map(({ id }) => id).sort() : news?.kind

  /** News that come within so many milliseconds. */
  async function within<T>(ms: number, telling: Promise<T>): Promise<T> {
    const since = performance.now()
    const told = await telling
    expect(performance.now() - since).toBeLessThan(ms)
    return told
  }

  test('given processes that hear each other, then what one writes, logs of a reply or deletes is known in the other at once, until that closes', async () => {
    const { reading, writing } = await twoThatHear()
    const { story, next } = await watched({ reading, writing })
    const gone = await watched({ reading, writing })
    // when one writes
    await story.say(story.main, null, 'q1', 'a1')
    expect(nodesOf(await within(AT_ONCE, next()))).toEqual(['a1', 'q1'])
    // when it logs words of a reply
    const woken = Promise.withResolvers<void>()
    reading.changes.subscribeRun('run', woken.resolve)
    writing.changes.progressed('run')
    await within(AT_ONCE, woken.promise)
    // when it deletes a chat
    await writing.store.deleteChat(gone.story.chatId)
    expect(await within(AT_ONCE, gone.next())).toEqual({ kind: 'gone' })
    // when the other closes, then its watchers are let go and it listens no more
    const last = next()
    await reading.database.close()
    expect(await last).toBeUndefined()
    await vi.waitFor(async () => expect(await listeners(writing)).toHaveLength(1), settled)
  })

  test('given a process that cannot hear, when another writes, then its watcher is told all the same', async () => {
    const processes = { reading: await start(pooled), writing: await start() }
    expect(processes.reading.database.listen).toBeUndefined()
    const { story, next, leave } = await watched(processes)
    await story.say(story.main, null, 'q1')
    expect(nodesOf(await within(5000, next()))).toEqual(['q1'])
    await leave()
  })

  test('given a process behind a pooler with a way around it, then it listens there', async () => {
    const reading = await start({ ...pooled, DATABASE_URL_UNPOOLED: database.url })
    await vi.waitFor(async () => expect(await listeners(reading)).toHaveLength(1), settled)
  })

  test('given a process whose listening was cut off, when another writes, then it catches up, and hears again later', async () => {
    // given
    const processes = await twoThatHear()
    const { story, next, leave } = await watched(processes)
    const before = await listeners(processes.reading)
    const cut = await processes.reading.database.query(
      'select pg_terminate_backend(pid::int) from unnest($1::text[]) pid',
      [before.map(String)],
    )
    expect(cut).toHaveLength(2)
    // when
    await story.say(story.main, null, 'q1')
    // then
    expect(nodesOf(await within(5000, next()))).toEqual(['q1'])
    // and
    await vi.waitFor(async () => {
      const now = await listeners(processes.reading)
      expect(now).toHaveLength(2)
      expect(now.some((pid) => before.includes(pid))).toBe(false)
    }, settled)
    await story.say(story.main, 'q1', 'a1')
    expect(nodesOf(await within(AT_ONCE, next()))).toEqual(['a1'])
    await leave()
  })

  test('given a process that cannot reach the database for a while, when another writes meanwhile, then it is told once it can, and hears again', async () => {
    // given
    const proxy = await startTcpProxy(database.url)
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const processes = {
      reading: await start({ DATABASE_URL: proxy.through(database.url) }),
      writing: await start(),
    }
    const listening = async () => expect(await listeners(processes.writing)).toHaveLength(2)
    await vi.waitFor(listening, settled)
    const { story, next, leave } = await watched(processes)
    proxy.set('closed')
    const asking = expect.stringContaining('asking what has changed')
    await vi.waitFor(() => expect(log).toHaveBeenCalledWith(asking), settled)
    // when
    await story.say(story.main, null, 'q1')
    const told = next()
    proxy.set('open')
    // then
    expect(nodesOf(await told)).toEqual(['q1'])
    await vi.waitFor(listening, settled)
    await story.say(story.main, 'q1', 'a1')
    expect(nodesOf(await within(AT_ONCE, next()))).toEqual(['a1'])
    await leave()
    log.mockRestore()
    await Promise.all(opened.splice(0).map((services) => services.database.close()))
    await proxy.close()
  })
})
