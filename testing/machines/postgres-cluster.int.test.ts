import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import postgres from 'postgres'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { repoRoot } from '@/testing/runner/repo-root'
import { postgresServer } from '@/testing/worlds/open-stores'
import { createDatabase } from './create-database'
import { findPostgres } from './find-postgres'
import { type PostgresServer, startPostgres } from './postgres-cluster'

const installed = findPostgres() !== null
const given = postgresServer()?.url ?? null

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

async function query(url: string, text: string): Promise<unknown[]> {
  const sql = postgres(url, { max: 1 })
  try {
    return (await sql.unsafe(text)).map((row) => Object.values(row)[0])
  } finally {
    await sql.end()
  }
}

async function gone(folder: string): Promise<boolean> {
  for (let tries = 0; tries < 100 && existsSync(folder); tries++) await sleep(100)
  return !existsSync(folder)
}

describe.skipIf(given === null)('createDatabase', () => {
  test('gives a fresh database each time and drops it under an open connection', async () => {
    if (given === null) return
    const one = await createDatabase(given)
    const other = await createDatabase(given)
    await query(one.url, 'create table t (n int)')
    expect(await query(other.url, "select to_regclass('t')")).toEqual([null])

    const open = postgres(one.url, { max: 1 })
    await open`select 1`
    await Promise.all([one.drop(), other.drop()])
    expect(await query(given, `select datname from pg_database where datname = '${one.name}'`)).toEqual([])
    await open.end({ timeout: 0 })
  })

  test('copies a template, several at once', async () => {
    if (given === null) return
    const template = await createDatabase(given)
    await query(template.url, 'create table t as select 7 as n')
    const copies = await Promise.all([1, 2, 3].map(() => createDatabase(given, { template: template.name })))
    for (const copy of copies) expect(await query(copy.url, 'select n from t')).toEqual([7])
    await Promise.all([template, ...copies].map((database) => database.drop()))
  })
})

describe.skipIf(!installed)('startPostgres', () => {
  test('starts a cluster and leaves nothing behind', async () => {
    vi.stubEnv('TEST_DATABASE_URL', '')
    const server = await startPostgres()
    if ('skipped' in server) throw new Error(server.skipped)
    const [data] = await query(server.url, 'show data_directory')
    const folder = path.dirname(String(data))
    expect(existsSync(folder)).toBe(true)
    expect(await query(server.url, 'show fsync')).toEqual(['off'])
    await server.stop()
    await server.stop()
    expect(existsSync(folder)).toBe(false)
    await expect(query(server.url, 'select 1')).rejects.toThrow(/ECONNREFUSED/)
  })

  test('keeps what production keeps when durable', async () => {
    vi.stubEnv('TEST_DATABASE_URL', '')
    const server = (await startPostgres({ durable: true })) as PostgresServer
    const settings = ['fsync', 'full_page_writes', 'synchronous_commit']
    for (const setting of settings) expect(await query(server.url, `show ${setting}`)).toEqual(['on'])
    await server.stop()
  })

  /** Arguments of a process that starts a cluster and says where it is. */
  const starting = (andThen = '') => [
    ...['--import', 'tsx', '--input-type=module', '--eval'],
    `import { startPostgres } from './testing/machines/postgres-cluster'
    console.log((await startPostgres()).url)
    ${andThen}`,
  ]
  const where = { cwd: repoRoot, env: { ...process.env, TEST_DATABASE_URL: '' } }

  test('goes away when its process is killed', async () => {
    const child = spawn(process.execPath, starting('setInterval(() => {}, 1000)'), {
      ...where,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = await once(child.stdout, 'data')
    const [data] = await query(String(line).trim(), 'show data_directory')
    child.kill('SIGKILL')
    expect(await gone(path.dirname(String(data)))).toBe(true)
  })

  test('lets a process that forgot to stop it end', async () => {
    const run = promisify(execFile)(process.execPath, starting(), { ...where, timeout: 30_000 })
    expect((await run).stdout).toContain('postgres://')
  })
})

describe('startPostgres elsewhere', () => {
  test('uses the server it is given', async () => {
    vi.stubEnv('TEST_DATABASE_URL', 'postgres://someone@example.test/db')
    expect(await startPostgres()).toMatchObject({ url: 'postgres://someone@example.test/db' })
  })

  test('skips loudly without PostgreSQL, and fails on CI', async () => {
    vi.stubEnv('TEST_DATABASE_URL', '')
    vi.spyOn(process, 'platform', 'get').mockReturnValue('win32')
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    vi.stubEnv('CI', '')
    expect(await startPostgres()).toHaveProperty('skipped')
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('POSTGRES TESTS SKIPPED'))
    vi.stubEnv('CI', 'true')
    await expect(startPostgres()).rejects.toThrow('TEST_DATABASE_URL')
  })
})
