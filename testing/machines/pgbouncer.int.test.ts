import postgres from 'postgres'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { idAt, type LoadedChat, loadChat } from '@/bench/fixtures/load-chat'
import { recording } from '@/bench/recorded'
import { openPostgres } from '@/lib/db/open-postgres'
import { DrizzleContextStore } from '@/lib/store'
import { describeEngineContract } from '@/testing/contracts/engine-contract'
import { describeStoreContract } from '@/testing/contracts/store-contract'
import { postgresServer } from '@/testing/worlds/open-stores'
import { createDatabase } from './create-database'
import { startPgBouncer } from './pgbouncer'

const INSTANCES = 5

const server = postgresServer()?.url ?? null
// without a server the run has said so already
const pooler = server === null ? { skipped: 'no PostgreSQL' } : await startPgBouncer(server)

afterAll(() => ('stop' in pooler ? pooler.stop() : undefined))

/** A fresh database: its own address, and the one through the pooler. */
async function createPooledDatabase() {
  if (!server || 'skipped' in pooler) throw new Error('No pooler in this run: guard with describe.skipIf')
  const { url, drop } = await createDatabase(server)
  const pooled = new URL(pooler.url)
  pooled.pathname = new URL(url).pathname
  return { url, pooledUrl: pooled.href, drop }
}

/** A store as an instance with `DATABASE_PREPARE=off` and `DATABASE_URL_UNPOOLED` opens it. */
async function openPooledStore() {
  const { url, pooledUrl, drop } = await createPooledDatabase()
  const database = await openPostgres({ url: pooledUrl, unpooledUrl: url, prepare: false })
  const store = new DrizzleContextStore(database)
  return {
    store,
    close: async () => {
      await store.close()
      await drop()
    },
  }
}

describe.skipIf('skipped' in pooler)('through PgBouncer in transaction mode', () => {
  describeStoreContract('DrizzleContextStore through a pooler', openPooledStore)
  describeEngineContract('a store through a pooler', openPooledStore)

  test('given a pooler that refuses unknown startup parameters, when the app opens, then it is let in', async () => {
    // given
    const { url, pooledUrl, drop } = await createPooledDatabase()
    const strict = postgres(pooledUrl, { max: 1, connection: { jit: 'off' } as Record<string, string> })
    await expect(strict`select 1`).rejects.toThrow('unsupported startup parameter: jit')
    await strict.end()
    for (const prepare of [true, false]) {
      // when
      const database = await openPostgres({ url: pooledUrl, unpooledUrl: url, prepare })
      // then
      await database.ping()
      await database.close()
    }
    await drop()
  })

  test('given no address around the pooler, when several instances start at once on an empty database, then each migration runs once and no lock stays behind', async () => {
    // given
    const { url, pooledUrl, drop } = await createPooledDatabase()
    // when
    const opened = await Promise.all(
      Array.from({ length: INSTANCES }, () => openPostgres({ url: pooledUrl, prepare: false })),
    )
    await Promise.all(opened.map((database) => database.close()))
    // then
    const direct = postgres(url, { max: 1 })
    const hashes = await direct`select hash from drizzle.__drizzle_migrations`
    expect(hashes.length).toBeGreaterThan(0)
    expect(new Set(hashes.map(({ hash }) => hash)).size).toBe(hashes.length)
    expect(
      await direct`select pid from pg_locks
        where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
    ).toEqual([])
    await direct.end()
    await drop()
  })
})

// Postgres compiles a plan from a cost of 100,000 on, which takes longer than any of our reads. Behind a pooler that
// cannot be switched off for a connection, so nothing may depend on it: the plans must be cheap by themselves.
describe.skipIf('skipped' in pooler)('the plan of a chain', () => {
  const LENGTH = 2_000
  let opened: Awaited<ReturnType<typeof openPooledStore>>
  let chat: LoadedChat

  beforeAll(async () => {
    opened = await openPooledStore()
    chat = await loadChat(opened.store, { chatId: 'long', length: LENGTH, forkEvery: 2 })
    await opened.store.database.query('analyze')
  })
  afterAll(() => opened?.close())

  test.each([
    ['all of it', {}],
    ['its end', { last: 50 }],
  ])(
    'given %s of a chat forked at every turn, then it costs a hundredth of what is compiled',
    async (_, options) => {
      // given
      const { database, statements } = recording(opened.store.database)
      const chain = await new DrizzleContextStore(database).getMessageChain(chat.chatId, chat.headId, options)
      expect(chain.at(-1)?.id).toBe(idAt(chat.chatId, LENGTH - 1))
      // when
      const [statement] = statements
      const rows = await opened.store.database.query<{ 'QUERY PLAN': [{ Plan: { 'Total Cost': number } }] }>(
        `explain (format json) ${statement?.text}`,
        statement?.params,
      )
      const [limit] = await opened.store.database.query<{ cost: number }>(
        `select current_setting('jit_above_cost')::float8 as cost`,
      )
      // then
      expect(rows[0]?.['QUERY PLAN'][0].Plan['Total Cost']).toBeLessThan((limit?.cost ?? 0) / 100)
    },
  )
})

describe('startPgBouncer', () => {
  afterEach(() => {
    vi.unstubAllEnvs()
    vi.restoreAllMocks()
  })

  test('given a machine without it, then it is skipped loudly', async () => {
    vi.spyOn(process, 'platform', 'get').mockReturnValue('win32')
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    expect(await startPgBouncer('postgres://postgres@127.0.0.1/postgres')).toHaveProperty('skipped')
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('TESTS BEHIND A POOLER SKIPPED'))
  })
})
