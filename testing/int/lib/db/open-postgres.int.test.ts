import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '@/lib/db/database'
import { openPostgres } from '@/lib/db/open-postgres'
import type { TestDatabase } from '@/testing/machines/create-database'
import { startTcpProxy, type TcpProxy } from '@/testing/machines/tcp-proxy'
import { onPostgres, postgresDatabase } from '@/testing/worlds/open-stores'

/** Ends the session that runs a statement like $1. */
const terminate = `select pg_terminate_backend(pid) as done from pg_stat_activity
  where query like $1 and state = 'active' and pid <> pg_backend_pid()`

onPostgres('a pool of connections', () => {
  let own: TestDatabase
  let proxy: TcpProxy
  let database: Database
  const unheard: unknown[] = []
  const hear = (error: unknown) => unheard.push(error)

  beforeAll(async () => {
    own = await postgresDatabase({ migrated: false })
    proxy = await startTcpProxy(own.url)
    database = await openPostgres({ url: proxy.through(own.url) })
    process.on('unhandledRejection', hear)
  })
  afterEach(() => proxy.set('open'))
  afterAll(async () => {
    process.off('unhandledRejection', hear)
    await database?.close()
    await proxy?.close()
    await own?.drop()
  })

  test('given a server that goes away while a connection is being made, then the caller is told, and no other', async () => {
    // given nothing is connected yet, and the first thing any connection says is not answered
    proxy.set('closed')
    await expect(database.ping()).rejects.toThrow()
    proxy.set('open')
    const gone = proxy.closeAt('select')
    // when
    const asked = database.ping()
    await gone
    // then
    await expect(asked).rejects.toThrow()
    await new Promise(setImmediate)
    expect(unheard).toEqual([])
    proxy.set('open')
    await database.ping()
  })

  test('given a server that was away while many asked, when it is back, then it is found within a second', async () => {
    // given
    proxy.set('closed')
    const until = performance.now() + 3000
    while (performance.now() < until) {
      await Promise.allSettled(Array.from({ length: 20 }, () => database.ping()))
    }
    // when
    proxy.set('open')
    const back = performance.now()
    await Promise.all(Array.from({ length: 20 }, () => database.ping()))
    // then
    expect(performance.now() - back).toBeLessThan(1000)
  })

  describe('given one connection', () => {
    let one: Database
    beforeEach(async () => {
      one = await openPostgres({ url: proxy.through(own.url), max: 1 })
    })
    afterEach(() => one.close())

    test('when it is cut while statements wait to be sent, then it is made again, and all of them are answered or refused', async () => {
      for (let round = 0; round < 5; round++) {
        await one.ping()
        const began = performance.now()
        // when something is asked in every round of the event loop
        proxy.set('closed')
        const asked = new Set<Promise<unknown>>()
        while (performance.now() - began < 500) {
          if (asked.size < 5) {
            const ping = one.ping().catch(() => 'refused')
            asked.add(ping)
            void ping.then(() => asked.delete(ping))
          }
          await new Promise(setImmediate)
        }
        proxy.set('open')
        // then
        await Promise.all(asked)
        await one.ping()
        expect(performance.now() - began).toBeLessThan(5000)
      }
    })

    test('when the server ends it in the middle of a statement, then the next statement does not hear of that', async () => {
      // given
      const asked = one.query('select pg_sleep(60)', [])
      const ended = expect(asked).rejects.toThrow()
      await expect
        .poll(() => database.query(terminate, ['%pg_sleep(60)%'], { planAnew: true }))
        .toEqual([{ done: true }])
      await ended
      // then
      await one.ping()
    })

    test('when it breaks inside a transaction, then nothing more of that transaction is said on the connection that follows', async () => {
      // given
      await one.query('create table notes (words text)')
      const cut = Promise.withResolvers<void>()
      const isBack = Promise.withResolvers<void>()
      let later: unknown
      const transaction = one.orm.transaction(async (tx) => {
        await tx.execute(sql`insert into notes values ('before')`)
        cut.resolve()
        await isBack.promise
        later = await tx.execute(sql`insert into notes values ('after')`).then(
          () => 'stored',
          () => 'refused',
        )
      })
      const refused = expect(transaction).rejects.toThrow()
      await cut.promise
      // when
      proxy.set('closed')
      await refused
      proxy.set('open')
      await one.ping()
      isBack.resolve()
      // then
      await expect.poll(() => later).toBe('refused')
      expect(await one.query('select * from notes')).toEqual([])
    })
  })

  test.each([[[]], [['plain', '']], [['a "quoted" one', 'back\\slash', 'comma, brace}', 'NULL', 'snow ☃']]])(
    'given a list of texts %j, then the database reads the same list',
    async (texts) => {
      const [row] = await database.query<{ same: string[] }>('select array_to_json($1::text[]) as same', [
        texts,
      ])
      expect(row?.same).toEqual(texts)
    },
  )
})
