import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '@/lib/db'
import { newId } from '@/lib/events'
import { listenForCommands, logError } from '@/lib/runtime'
import { DrizzleContextStore, followSome } from '@/lib/store'
import { databaseEnv, onServedDatabase, pgliteFolder } from '@/testing/worlds/open-stores'

const folder = mkdtempSync(path.join(tmpdir(), 'ramify-commands-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const SECRET = 'a-secret-of-32-characters-or-more'

/** `npm run db:…` on a folder, or on the database of an environment; this process goes on meanwhile. */
async function run(
  command: 'backup' | 'restore' | 'check' | 'rebuild',
  place: string | Record<string, string>,
  ...args: string[]
): Promise<{ status: number; out: string[]; error: string }> {
  const { DATABASE_URL: _served, ...env } = process.env
  const where = typeof place === 'string' ? { RAMIFY_DATA_DIR: place } : place
  // else a process spends half of its time on compiling the embedded server once more, to be faster than so short a one needs
  const node = ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']
  const cli = [...node, 'lib/runtime/cli/run.mjs', `db-${command}`, ...args]
  const child = spawn(process.execPath, cli, {
    env: { ...env, ...where, BETTER_AUTH_SECRET: SECRET },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, error] = ['', '']
  child.stdout.on('data', (text) => {
    out += text
  })
  child.stderr.on('data', (text) => {
    error += text
  })
  const [status] = await once(child, 'close')
  return { status, out: out.trim().split('\n'), error: error.trim() }
}

/** The status of a request to the port that the process listens on. */
async function knock(dataDir: string, authorization: string): Promise<number | undefined> {
  const { port } = JSON.parse(readFileSync(path.join(dataDir, 'control.json'), 'utf8'))
  const asking = request({
    host: '127.0.0.1',
    port,
    method: 'POST',
    path: `/copies/${newId()}`,
    headers: { authorization },
  })
  asking.end()
  const [response] = await once(asking, 'response')
  response.resume()
  return response.statusCode
}

describe('npm run db:backup and db:restore', () => {
  it('given a process that has the folder open, when it is backed up, then it goes on, and the file makes another folder the same', async () => {
    // given
    const [{ dataDir, remove }, other] = [pgliteFolder(), pgliteFolder({ migrated: false })]
    const file = path.join(folder, 'laptop.backup')
    const store = await DrizzleContextStore.open({ dataDir })
    const chatId = newId()
    await store.upsertChat({ id: chatId, userId: 'ada', title: 'Trip' })
    const stop = await listenForCommands(store.database, dataDir, logError)
    expect(statSync(path.join(dataDir, 'control.json')).mode & 0o777).toBe(0o600)
    expect(await knock(dataDir, '')).toBe(404)
    expect(await knock(dataDir, `Bearer ${'x'.repeat(43)}`)).toBe(404)

    // when
    const backup = await run('backup', dataDir, file)

    // then
    expect(backup.error).toBe('')
    expect(backup.status).toBe(0)
    expect(backup.out[0]).toMatch(/^Wrote .+laptop\.backup: 1 chat, 0 messages, 0 files, .+ MB, as of /)
    expect(backup.out[1]).toMatch(/^Keep BETTER_AUTH_SECRET as well/)
    expect(readdirSync(path.join(dataDir, 'copies'))).toEqual([])
    await store.updateChat(chatId, { title: 'later' })

    // and a folder without tables becomes the same
    stop()
    expect(existsSync(path.join(dataDir, 'control.json'))).toBe(false)
    await store.close()
    expect(await run('restore', other.dataDir, file)).toEqual({
      status: 0,
      out: [expect.stringMatching(/^Restored .+: 1 chat, /), '0 problems found by db:check'],
      error: '',
    })
    const restored = await DrizzleContextStore.open({ dataDir: other.dataDir })
    expect((await restored.getChat(chatId))?.title).toBe('Trip')
    await restored.close()
    remove()
    other.remove()
    // two commands start, one after the other
  }, 120_000)

  it('given no database, or no file, then one line says so and nothing is made', async () => {
    const nowhere = path.join(folder, 'nowhere')
    const file = path.join(folder, 'none.backup')
    const fails = async (command: 'backup' | 'restore', at: string, error: string) =>
      expect(await run(command, nowhere, at)).toMatchObject({ status: 1, error })
    await fails('backup', file, `${nowhere} holds no database of Ramify's.`)
    await fails('restore', file, `There is no file ${file}.`)
    await fails('restore', folder, `${folder} is a folder, not a backup.`)
    expect(existsSync(nowhere) || existsSync(file)).toBe(false)
  })
})

onServedDatabase('npm run db:check and db:rebuild', ({ name }) => {
  const [well, broken] = [newId(), newId()]
  let place: Awaited<ReturnType<typeof databaseEnv>>
  const options = () => {
    const { DATABASE_URL: url, RAMIFY_DATA_DIR: dataDir } = place.env
    return url ? { url } : { dataDir }
  }
  beforeAll(async () => {
    place = await databaseEnv(name)
    const store = await DrizzleContextStore.open(options())
    for (const id of [well, broken]) await store.upsertChat({ id, userId: 'ada', title: 'Trip' })
    await followSome(store.database)
    await store.close()
  })
  afterAll(() => place.remove())

  const query = async (sql: string, ...params: unknown[]) => {
    const database = await openDatabase(options())
    return database.query(sql, params).finally(() => database.close())
  }

  it('given a broken chat, when it is checked, then each broken invariant is one line, and it fails; a good chat is said to be good', async () => {
    await query('update chats set title = $2 where id = $1', broken, 'two\nlines')
    await query('update branches set archived_at = now() where chat_id = $1', broken)

    expect(await run('check', place.env)).toEqual({
      status: 1,
      error: '2 problems in 2 chats',
      out: [
        expect.stringMatching(`chat ${broken}, branch main: .+ \\[follows-log\\]`),
        expect.stringMatching(`chat ${broken}, the chat: its title is two lines, .+ \\[follows-log\\]`),
      ],
    })
    const good = { status: 0, out: ['0 problems in 1 chat'], error: '' }
    expect(await run('check', place.env, '--chat', well)).toEqual(good)
    expect(await run('check', place.env, '--chat', 'nowhere')).toMatchObject({
      status: 1,
      error: 'There is no chat "nowhere".',
    })
    await query(`update branches set archived_at = null where chat_id = $1`, broken)
  }, 120_000)

  it('given a chat that differs from its log, when it is rebuilt, then each difference is one line, and is corrected', async () => {
    const rebuild = (...args: string[]) => run('rebuild', place.env, ...args)
    await query('update chats set title = $2 where id = $1', broken, 'two\nlines')

    const line = `chat ${broken}, the chat: its title is two lines, the log says Trip`
    const summary = (what: string) =>
      expect.stringMatching(new RegExp(`^4 events of 2 chats in [\\d.]+ s: ${what}$`))
    expect(await rebuild('--chat', well, '--dry')).toMatchObject({ status: 0 })
    expect(await rebuild('--dry')).toEqual({ status: 1, error: '', out: [line, summary('1 difference')] })
    expect(await rebuild('--search')).toEqual({
      status: 0,
      error: '',
      out: [line, summary('1 difference, set right')],
    })
    expect(await query('select distinct title from chats')).toEqual([{ title: 'Trip' }])

    expect(await rebuild('--follower', 'usage')).toEqual({
      status: 0,
      error: '',
      out: ['usage has taken in 4 events again.'],
    })
    expect(await rebuild('--follower', 'missing')).toMatchObject({
      status: 1,
      error: 'There is no follower "missing", only usage, usage-days, titles.',
    })
    expect(await rebuild('--follower', 'usage', '--dry')).toMatchObject({
      status: 1,
      error: expect.stringContaining('--follower goes alone'),
    })
  }, 120_000)
})
