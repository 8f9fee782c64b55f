// What a command line says of servers that refuse it, or are none.

import { writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { newId } from '@/lib/events'
import { createServices } from '@/lib/runtime'
import type { KeyScope } from '@/lib/store'
import { openShell, type Shell } from '@/testing/worlds/cli-world'
import { closeServers, serveHttp } from '@/testing/worlds/http-servers'
import { databaseEnv } from '@/testing/worlds/open-stores'
import { serveApi } from '@/testing/worlds/served-api'
import { addPerson } from '@/testing/worlds/turn-world'
import { useWorld } from '@/testing/worlds/use-world'

const shells: Shell[] = []
const shellOf = (env: Record<string, string>): Shell => {
  const shell = openShell({ env })
  shells.push(shell)
  return shell
}
afterEach(() => {
  for (const shell of shells.splice(0)) shell.close()
})

describe('a server of Ramify', () => {
  const { world } = useWorld(async () => {
    const { env, remove } = await databaseEnv('pglite')
    const services = await createServices({
      ...env,
      RAMIFY_DEMO_DELAY_MS: '0',
      RAMIFY_LOCAL_MODELS: 'off',
      RAMIFY_TITLES: 'words',
      BETTER_AUTH_SECRET: 'a-secret-for-these-tests-and-nothing-else',
    })
    const api = await serveApi(services)
    return {
      services,
      url: api.url,
      async close() {
        await api.close()
        await services.database.close()
        await remove()
      },
    }
  })

  /** A shell with a key of a person. */
  const shellWith = async (owner: string, scopes: KeyScope[]) => {
    const made = await world.services.apiKeys.create(owner, { id: newId(), name: 'shell', scopes })
    if (!made?.made) throw new Error('No key')
    return shellOf({ RAMIFY_SERVER: world.url, RAMIFY_API_KEY: made.key })
  }

  it('given a key that may only read, when it reads, then it is answered; when it writes, then it is refused and nothing is written', async () => {
    const owner = await addPerson(world.services)
    const own = await shellWith(owner, ['read', 'write'])
    expect((await own.run(['chat', 'I am devansh'])).code).toBe(0)
    const shell = await shellWith(owner, ['read'])

    expect(await shell.run(['checkout', 'I am devansh'])).toMatchObject({ code: 0 })
    expect((await shell.run(['log', '--json'])).json).toHaveLength(2)
    expect((await shell.run(['export', '-f', 'markdown'])).out).toContain('devansh')
    const err = 'ramify: This API key may only read.\n'
    for (const line of [
      ...['chat Hello', 'tag met', 'branch other', 'branch -m other', 'undo', 'checkout HEAD~1'],
      'checkout -b other',
    ])
      expect(await shell.run(line.split(' ')), line).toMatchObject({ code: 1, out: '', err })
    expect((await own.run(['branch', '--json'])).json).toMatchObject([{ name: 'main', messages: 2 }])
    expect((await own.run(['tag', '--json'])).json).toEqual([])
  })

  it('given no key, or a wrong one, then the words say where one is made', async () => {
    const without = await shellOf({}).run(['--server', `${world.url}/`, 'log'])
    expect(without).toMatchObject({ code: 1, out: '' })
    expect(without.err).toContain(`RAMIFY_API_KEY is missing: make a key at ${world.url}/settings/keys`)
    const wrong = await shellOf({ RAMIFY_SERVER: world.url, RAMIFY_API_KEY: 'nothing' }).run(['log'])
    expect(wrong.err).toContain('This API key is wrong')
    expect(wrong.err).toContain(`${world.url}/settings/keys`)
    const folder = await shellOf({ RAMIFY_SERVER: world.url }).run(['--as', 'ada', 'log'])
    expect(folder).toMatchObject({ code: 2, err: expect.stringContaining('--as is for a folder') })
  })
})

describe('another server', () => {
  afterEach(closeServers)
  const serving = async (listener: RequestListener) => (await serveHttp(listener)).url
  const ask = (url: string, ...argv: string[]) =>
    shellOf({ RAMIFY_SERVER: url, RAMIFY_API_KEY: 'secret-key' }).run(argv.length > 0 ? argv : ['log'])

  it('given none, then the words say that nothing listens there', async () => {
    const { url, close } = await serveHttp(() => undefined)
    await close()
    const refused = await ask(url)
    expect(refused).toMatchObject({ code: 1, out: '' })
    expect(refused.err).toContain(`${url} cannot be reached: nothing listens there.`)
  })

  it('given one that is not of Ramify, then the words ask for the address', async () => {
    const page = await serving((_request, response) => response.writeHead(500).end('<h1>Oops</h1>'))
    expect((await ask(page)).err).toContain('answered 500, and not as Ramify does')
    const other = await serving((_request, response) => response.writeHead(200).end('{"chats": 5}'))
    expect((await ask(other)).err).toContain('did not answer /api/chats as expected')
  })

  it('given one that sends elsewhere, then the key does not go along', async () => {
    const asked: string[] = []
    const url = await serving((request, response) => {
      asked.push(request.url ?? '')
      response.writeHead(302, { location: '/elsewhere' }).end()
    })
    expect((await ask(url)).err).toContain('sends elsewhere, to /elsewhere')
    expect(asked).toHaveLength(1)
    expect(asked[0]).toMatch(/^\/api\/chats\?/)
  })

  it('given one that asks to wait, then the words say how long', async () => {
    const detail = 'You have used 5 of 5 messages today.'
    const told = { type: 'about:blank', title: 'Too many', status: 429, detail }
    const problem = JSON.stringify({ ...told, code: 'quota_exceeded', retry_after: 7 })
    const headers = { 'content-type': 'application/problem+json' }
    const url = await serving((_request, response) => response.writeHead(429, headers).end(problem))
    expect((await ask(url, 'chat', 'Hello')).err).toBe(`ramify: ${detail} Try again in 7 s.\n`)
  })

  it('given a file that is being sent, when Ctrl-C is pressed, then the sending stops, and nothing else fails', async () => {
    let interrupt: () => void = () => undefined
    const url = await serving(() => interrupt())
    const shell = shellOf({ RAMIFY_SERVER: url, RAMIFY_API_KEY: 'secret-key' })
    writeFileSync(path.join(shell.home, 'large.json'), Buffer.alloc(20_000_000, '{}'))
    const stopped = await shell.run(['import', 'large.json'], {
      onListen: (press) => {
        interrupt = press
      },
    })
    expect(stopped).toMatchObject({ code: 1, out: '', err: 'ramify: Stopped; nothing was imported.\n' })
  })

  it('given a reply that breaks off, then the words say so, and what came of it is on the screen', async () => {
    const url = await serving((request, response) => {
      if (request.url !== '/api/chat') return void response.writeHead(404).end()
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const half = '{"type":"text-delta","id":"0","delta":"Half"}'
      response.write(`data: {"type":"text-start","id":"0"}\n\ndata: ${half}\n\n`, () => response.destroy())
    })
    const broken = await ask(url, 'chat', 'Hello')
    expect(broken).toMatchObject({ code: 1, out: expect.stringContaining('Half') })
    expect(broken.err).toMatch(/^ramify: .*broke off.*`ramify show`/)
  })
})
