import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Database, QueryAbandonedError, QueryTimeoutError } from '@/lib/db/database'
import { openPostgres } from '@/lib/db/open-postgres'
import { isTimeout } from '@/lib/db/query-deadline'
import { onPostgres, postgresDatabase } from '@/testing/worlds/open-stores'

onPostgres('how long a statement may take', () => {
  let database: Database
  let drop: () => Promise<void>
  beforeAll(async () => {
    const created = await postgresDatabase({ migrated: false })
    drop = created.drop
    const timeouts = { search: 100, read: 200, write: 300 }
    database = await openPostgres({ url: created.url, max: 2, timeouts })
    await database.query('create table said (word text)')
  })
  afterAll(async () => {
    await database?.close()
    await drop?.()
  })

  const running = async (mark: string) => {
    const rows = await database.query<{ pid: number }>(
      `select pid from pg_stat_activity where state = 'active' and pid <> pg_backend_pid() and query like $1`,
      [`%${mark}%`],
    )
    return rows.length
  }
  const gone = (mark: string) => vi.waitFor(async () => expect(await running(mark)).toBe(0), 10_000)
  const started = (mark: string) => vi.waitFor(async () => expect(await running(mark)).toBe(1), 10_000)

  it.each(['search', 'read', 'write'] as const)(
    'given a %s that takes longer than it may, when its time is over, then it is told so and the server has stopped',
    async (kind) => {
      const asked = database.query(`select pg_sleep(60) as ${kind}_sleeps`, [], { kind })
      await expect(asked).rejects.toBeInstanceOf(QueryTimeoutError)
      await gone(`${kind}_sleeps`)
    },
  )

  it('given a write that takes longer than it may, when it is told so, then nothing is written', async () => {
    const asked = database.query(`with s as (select pg_sleep(60)) insert into said select 'word' from s`)
    await expect(asked).rejects.toBeInstanceOf(QueryTimeoutError)
    expect(await database.query('select * from said')).toEqual([])
  })

  it('given a statement of the builder, when it takes longer than it may, then it is cancelled too', async () => {
    const failed = await database.orm
      .execute(sql`select pg_sleep(60) as builder_sleeps`)
      .catch((error) => error)
    expect(isTimeout(failed)).toBe(true)
    await gone('builder_sleeps')
  })

  it('given a job, when it takes longer than a write may, then it ends by itself', async () => {
    expect(await database.query(`select pg_sleep(0.5)::text || 'done' as done`, [], { kind: 'job' })).toEqual(
      [{ done: 'done' }],
    )
  })

  it('given a client that leaves, when its search runs, then the server stops', async () => {
    const left = new AbortController()
    const { signal } = left
    const asked = database.query('select pg_sleep(60) as left_alone', [], { kind: 'job', signal })
    const refused = expect(asked).rejects.toBeInstanceOf(QueryAbandonedError)
    await started('left_alone')
    left.abort()
    await refused
    await gone('left_alone')
    const late = database.query('select 1', [], { kind: 'read', signal })
    await expect(late).rejects.toBeInstanceOf(QueryAbandonedError)
  })

  it('given more statements than connections, when all are abandoned, then the connections serve others again', async () => {
    const left = new AbortController()
    const asked = Array.from({ length: 8 }, () =>
      database.query('select pg_sleep(2) as crowd', [], { kind: 'job', signal: left.signal }),
    )
    const refused = Promise.all(asked.map((one) => expect(one).rejects.toBeInstanceOf(QueryAbandonedError)))
    left.abort()
    await refused
    expect(await database.query(`select 'served' as word`, [], { kind: 'job' })).toEqual([{ word: 'served' }])
  })

  it('given JSON, when a search and a read bring it along, then both bring the same', async () => {
    for (const kind of ['search', 'read'] as const)
      expect(await database.query('select $1::json as brought', ['["trip"]'], { kind })).toEqual([
        { brought: ['trip'] },
      ])
  })

  it('given slow searches on every one of their connections, when something else is asked, then it does not wait', async () => {
    const asked = Array.from({ length: 3 }, () =>
      database.query('select pg_sleep(60)', [], { kind: 'search' }).catch((error: unknown) => error),
    )
    await database.query('select 1', [], { kind: 'read' })
    for (const error of await Promise.all(asked)) expect(error).toBeInstanceOf(QueryTimeoutError)
  })
})
