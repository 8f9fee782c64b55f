// Other servers on the command line: a folder in its own process, and a server over HTTP.

import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { LocalChats } from '@/lib/cli/backs/local-chats'
import { Session } from '@/lib/cli/session'
import { newId } from '@/lib/events'
import { close, listen } from '@/testing/machines/listen'
import { openShell, type Shell } from '@/testing/worlds/cli-world'
import { serveApi } from '@/testing/worlds/served-api'
import { addPerson, openTurnWorld } from '@/testing/worlds/turn-world'

const KEY = 'rk_a-key-of-these-tests-1234'
const settings = { RAMIFY_RATE_LIMIT: 'off', RAMIFY_LOCAL_MODELS: 'off', RAMIFY_PRIVATE_ADDRESSES: 'on' }

async function openFolder() {
  const world = await openTurnWorld('pglite')
  const services = await world.process(settings)
  const owner = await addPerson(services)
  const release = async () => undefined
  const chats = () => new LocalChats(services, owner, { place: 'the folder', release })
  return {
    shell: openShell({
      open: async (_, { chat }, heads) => new Session(chats(), heads, { key: 'folder', chat }),
    }),
    close: () => world.close(),
  }
}

async function openServer() {
  const world = await openTurnWorld('pglite')
  const services = await world.process(settings)
  const api = await serveApi(services)
  const made = await services.apiKeys.create(await addPerson(services), { id: newId(), name: 'shell' })
  if (!made?.made) throw new Error('No key')
  return {
    shell: openShell({ env: { RAMIFY_SERVER: api.url, RAMIFY_API_KEY: made.key } }),
    async close() {
      await api.close()
      await world.close()
    },
  }
}

describe.each([
  ['a folder', openFolder],
  ['a server', openServer],
])('remotes on the command line of %s', (_place, openPlace) => {
  const other = createServer((request, response) => {
    const isTaken = request.headers.authorization === `Bearer ${KEY}`
    const problem = { type: 'about:blank', title: 'x', status: 401, detail: 'No.', code: 'unauthenticated' }
    response.writeHead(isTaken ? 200 : 401, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isTaken ? { server: 'ramify', exchange: 1, writes: false } : problem))
  })
  let url: string
  let place: { shell: Shell; close(): Promise<void> }

  beforeAll(async () => {
    // the server's log
    vi.spyOn(console, 'log').mockImplementation(() => undefined)
    url = `http://127.0.0.1:${await listen(other)}`
    place = await openPlace()
  })
  afterAll(async () => {
    place?.shell.close()
    await place?.close()
    await close(other)
    vi.restoreAllMocks()
  })

  it('given no remote, when one is added with a key from standard input, then it is listed, and it is removed', async () => {
    const { shell } = place
    expect(await shell.run(['remote'])).toMatchObject({
      code: 0,
      out: '',
      err: expect.stringContaining('ramify remote add NAME URL --key KEY'),
    })
    const added = await shell.run(['remote', 'add', 'work', url, '--key', '-'], { stdin: `${KEY}\n` })
    expect(added).toMatchObject({
      code: 0,
      out: `Added work, ${url}.\n`,
      err: expect.stringContaining('may only read'),
    })
    expect((await shell.run(['remote'])).out).toBe(`work  ${url}\n`)
    expect((await shell.run(['remote', '--json'])).json).toEqual([
      { name: 'work', url, has_key: true, readable: true, created_at: expect.any(String) },
    ])
    expect((await shell.run(['remote', 'rm', 'work'])).out).toBe('Removed work.\n')
    expect(await shell.run(['remote', 'remove', 'work'])).toMatchObject({ code: 1, out: '' })
    expect((await shell.run(['remote', '--json'])).json).toEqual([])
  })

  it.each([
    [1, ['add', 'work', 'http://127.0.0.1:9'], /work cannot be reached at http:\/\/127\.0\.0\.1:9/],
    [2, ['add', 'has space', 'http://127.0.0.1:9'], /A name has up to 32 letters/],
    [2, ['add', 'work', 'ftp://x'], /An address like https:\/\/ramify\.example\.org/],
    [2, ['add', 'work'], /Give its address/],
    [2, ['add'], /Name a remote/],
    [2, ['show', 'work'], /knows add and remove, not “show”/],
    [2, ['remove', 'work', 'http://127.0.0.1:9'], /are for ramify remote add/],
  ])('given what cannot be (%s, %j), then it is refused in words', async (code, argv, words) => {
    const refused = await place.shell.run(['remote', ...argv])
    expect(refused).toMatchObject({ code, out: '', err: expect.stringMatching(words) })
  })

  it('given a key that the other server refuses, then its words do not hold it', async () => {
    const refused = await place.shell.run([
      'remote',
      'add',
      'work',
      url,
      '--key',
      'rk_another-key-of-these-tests',
    ])
    expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/work refused the key/) })
    expect(refused.err).not.toContain('another-key')
  })
})
