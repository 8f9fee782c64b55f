import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Database } from '@/lib/db/database'
import { openPostgres } from '@/lib/db/open-postgres'
import type { TestDatabase } from '@/testing/machines/create-database'
import { startTcpProxy, type TcpProxy } from '@/testing/machines/tcp-proxy'
import { onPostgres, postgresDatabase } from '@/testing/worlds/open-stores'

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
