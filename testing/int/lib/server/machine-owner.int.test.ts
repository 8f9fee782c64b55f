import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request as ask } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readViewer } from '@/lib/auth'
import { createThread, driveImport } from '@/lib/conversations'
import { schema } from '@/lib/db'
import { newId } from '@/lib/events'
import { createServices, listenForCommands, logError } from '@/lib/runtime'
import { answerMcp } from '@/lib/server/mcp/endpoint'
import { openShell } from '@/testing/worlds/cli-world'
import { behindFront, inRequestOf } from '@/testing/worlds/framework'
import { forgetRefusals } from '@/testing/worlds/identity-world'
import { openMcpWorld } from '@/testing/worlds/mcp-world'
import { pgliteFolder } from '@/testing/worlds/open-stores'
import { handleApi } from '@/testing/worlds/served-api'
import { useWorld } from '@/testing/worlds/use-world'

// A server that only its own machine reaches, over HTTP and behind its front: one owner, and no sign-in.

const handle = (request: Request): Promise<Response> =>
  inRequestOf(request, () =>
    new URL(request.url).pathname === '/mcp' ? answerMcp(request) : handleApi(request),
  )

interface Asked {
  headers?: Record<string, string>
  body?: object
}

function useOwnMachine(env: Record<string, string> = {}) {
  behindFront()
  beforeAll(forgetRefusals)
  const { world, ...logged } = useWorld(() =>
    openMcpWorld('pglite', handle, { RAMIFY_PERSONAL: 'on', HOST: 'localhost', ...env }),
  )
  /** One request of a browser or a program, which keeps no cookie. */
  async function send(method: string, path: string, { headers = {}, body }: Asked = {}) {
    const sent = body === undefined ? undefined : JSON.stringify(body)
    const asking = ask(new URL(path, world.url), {
      method,
      headers: {
        host: `localhost:${world.url.port}`,
        ...(sent !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
    })
    const answered = new Promise<import('node:http').IncomingMessage>((resolve, reject) =>
      asking.on('response', resolve).on('error', reject),
    )
    asking.end(sent)
    const response = await answered
    const said = await text(response)
    // biome-ignore lint/suspicious/noExplicitAny: each test knows its type
    const json: any = said.startsWith('{') ? JSON.parse(said) : undefined
    return { status: response.statusCode, said, body: json, cookies: response.headers['set-cookie'] ?? [] }
  }
  const site = () => `http://localhost:${world.url.port}`
  /** What a page of ours sends along. */
  const page = () => ({ origin: site(), 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' })
  const writes = (title: string, headers: Record<string, string> = page()) =>
    send('POST', '/api/commands/create-thread', { headers, body: { title } })
  const titles = async (headers: Record<string, string> = {}) => {
    const { status, body } = await send('GET', '/api/chats', { headers })
    return status === 200 ? body.chats.map(({ title }: { title: string }) => title).sort() : status
  }
  /** The unmodified client of the protocol, with the address alone. */
  const agent = async () => {
    const client = new Client({ name: 'tested', version: '1.0.0' })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${site()}/mcp`)))
    return client
  }
  return { world, ...logged, send, site, page, writes, titles, agent }
}

const account = { name: 'Ada', email: 'ada@example.org', password: 'correct horse battery staple' }

describe('a machine of one owner', () => {
  const { world, send, site, page, writes, titles, agent } = useOwnMachine()
  const shells: ReturnType<typeof openShell>[] = []
  afterEach(() => {
    for (const shell of shells.splice(0)) shell.close()
  })
  const shellOf = (env: Record<string, string>) => {
    const shell = openShell({ env })
    shells.push(shell)
    return shell
  }

  it('given browsers, a cookie that is gone, a program, the command line and an agent without a key, then all meet the same chats', async () => {
    expect((await writes('From a browser')).status).toBe(201)
    expect((await writes('From a program', {})).status).toBe(201)
    const client = await agent()
    await client.callTool({ name: 'send_message', arguments: { text: 'From an agent', wait_seconds: 0 } })
    const shell = shellOf({ RAMIFY_SERVER: site() })
    expect(await shell.run(['chat', '--new', 'From the command line'])).toMatchObject({ code: 0, err: '' })

    const all = ['From a browser', 'From a program', 'From an agent', 'From the command line']
    expect(await titles(page())).toEqual(all)
    expect(
      await titles({ 'sec-fetch-site': 'none', cookie: 'better-auth.session_token=an-old-one' }),
    ).toEqual(all)
    expect(await titles()).toEqual(all)
    const listed = (await shell.run(['chats', '--json'])).json
    expect(listed.map(({ title }: { title: string }) => title).sort()).toEqual(all)
    const { structuredContent } = await client.callTool({ name: 'list_chats' })
    expect(structuredContent).toMatchObject({ chats: all.map(() => ({ title: expect.any(String) })) })
    await client.close()

    // a script that signs in as a guest and makes a key, as it would on any server
    const guest = await send('POST', '/api/auth/sign-in/anonymous', { headers: page(), body: {} })
    expect(guest).toMatchObject({ status: 200, cookies: [], body: { user: { name: 'Owner' } } })
    const { key } = (await send('POST', '/api/keys', { body: { name: 'a script' } })).body
    expect(await titles({ authorization: `Bearer ${key}` })).toEqual(all)
    expect(await titles({ authorization: 'Bearer rk_wrong' })).toBe(401)
    // a client of the models always brings a key
    const models = async (headers = {}) => (await send('GET', '/v1/models', { headers })).status
    expect([await models(), await models({ authorization: `Bearer ${key}` })]).toEqual([401, 200])
    expect((await send('GET', '/api/account')).body).toMatchObject({
      name: 'Owner',
      email: null,
      guest: false,
    })
    expect(await world.services.database.query('select id from "user"')).toEqual([{ id: 'owner' }])
  })

  it('given a page of another site, another host name or a request that was passed on, then it meets nothing and writes nothing', async () => {
    await writes('Secret')
    const before = await titles()
    const { port } = world.url
    const elsewhere: Record<string, string>[] = [
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://localhost:5173', 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' },
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
      { host: `evil.example:${port}` },
      { host: `0.0.0.0:${port}` },
      { host: `192.168.1.7:${port}` },
      { host: `host.docker.internal:${port}` },
      { 'x-forwarded-for': '127.0.0.1' },
      { 'x-forwarded-for': '203.0.113.5', 'x-forwarded-host': 'localhost' },
      { forwarded: 'for=127.0.0.1' },
      { via: '1.1 a-proxy', 'x-ramify-direct': 'yes' },
      { 'x-real-ip': '127.0.0.1' },
      { 'x-ramify-direct': 'yes' },
    ]
    for (const headers of elsewhere) {
      const what = JSON.stringify(headers)
      for (const path of ['/api/chats', '/api/export', '/api/account', '/api/keys', '/api/search?q=Secret']) {
        const read = await send('GET', path, { headers })
        expect([401, 403, 421], `${what} ${path}`).toContain(read.status)
        expect(read.said).not.toContain('Secret')
      }
      for (const [path, body] of [
        ['/api/commands/create-thread', { title: 'Planted' }],
        ['/api/keys', { name: 'planted' }],
        ['/api/auth/sign-in/anonymous', {}],
        ['/api/auth/sign-up/email', account],
        ['/api/auth/delete-account', { confirm: 'delete' }],
        [
          '/mcp',
          { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_chats', arguments: {} } },
        ],
        ['/v1/chat/completions', { model: 'x', messages: [] }],
      ] as const) {
        const written = await send('POST', path, { headers, body })
        expect([401, 403, 404, 421], `${what} ${path} ${written.said}`).toContain(written.status)
        expect(written.cookies).toEqual([])
        expect(written.said).not.toContain('Secret')
      }
    }
    expect(await titles()).toEqual(before)
    expect(await world.services.database.query('select id from "user"')).toEqual([{ id: 'owner' }])
  })

  it('given a program that passes requests on and says nothing, as nginx does by HTTP/1.0, then it meets nothing', async () => {
    const socket = connect(Number(world.url.port), '127.0.0.1')
    socket.end(`GET /api/chats HTTP/1.0\r\nHost: localhost:${world.url.port}\r\nConnection: close\r\n\r\n`)
    expect(await text(socket)).toMatch(/^HTTP\/1\.[01] 401 /)
  })

  it('given a link of another site, then it opens a page, and in a frame nothing', async () => {
    const link = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    }
    const viewerOf = (headers: Record<string, string>) =>
      inRequestOf(
        { headers: new Headers({ host: 'localhost:3000', 'x-ramify-direct': 'yes', ...headers }) },
        readViewer,
      )
    expect(await viewerOf(link)).toMatchObject({ id: 'owner', guest: false })
    expect(await viewerOf({ ...link, 'sec-fetch-dest': 'iframe' })).toBeNull()
    expect(await viewerOf({ ...link, host: 'evil.example' })).toBeNull()
  })

  it('given the folder of a running server, when the command line is asked about it, then it asks the server, which needs no key', async () => {
    await writes('Of the server')
    const { database, env } = world.services
    const stop = await listenForCommands(database, env.RAMIFY_DATA_DIR, logError, site())
    const folder = { RAMIFY_DATA_DIR: env.RAMIFY_DATA_DIR, DATABASE_URL: '' }
    const asked = await shellOf(folder).run(['chats', '--json'])
    const named = await shellOf(folder).run(['--as', 'ada@example.org', 'chats'])
    stop()
    expect(asked.json.map(({ title }: { title: string }) => title)).toContain('Of the server')
    expect(named).toMatchObject({
      code: 1,
      err: expect.stringContaining('is open in another Ramify process'),
    })
  })

  it('given an owner who deletes everything, then nothing is left, and the next request begins anew', async () => {
    await writes('To be deleted')
    const deleted = await send('POST', '/api/auth/delete-account', {
      headers: page(),
      body: { confirm: 'delete' },
    })
    expect(deleted).toMatchObject({ status: 200, body: { deleted: true } })
    expect(await titles()).toEqual([])
    await writes('Begun anew')
    expect(await titles()).toEqual(['Begun anew'])
  })
})

describe('a data folder of before', () => {
  const { world, send, page, titles } = useOwnMachine()

  it('given guests and a person of the command line, when the owner comes, at first several times at once, then all of theirs is the owner’s', async () => {
    const { services } = world
    const { orm } = services.database
    const guests = [newId(), newId()]
    const line = newId()
    const people = [
      ...guests.map((id) => ({
        id,
        name: 'Anonymous',
        email: `temp-${id}@guest.invalid`,
        isAnonymous: true,
      })),
      { id: line, name: 'Command line', email: `${line}@users.invalid` },
    ]
    await orm.insert(schema.user).values(people)
    for (const [at, { id }] of people.entries()) {
      await createThread(services.ports, { ownerId: id, once: undefined, title: `Of ${at}` })
      await services.toolServers.add(id, {
        id: newId(),
        name: 'weather',
        url: 'http://localhost:9/mcp',
        token: undefined,
      })
    }
    await orm.insert(schema.session).values({
      id: newId(),
      token: newId(),
      userId: guests[0] ?? '',
      expiresAt: new Date(Date.now() + 86_400_000),
    })
    const made = await services.apiKeys.create(guests[1] ?? '', { id: newId(), name: 'a script' })
    if (!made?.made) throw new Error('No key')

    // the sweep of guests leaves them alone
    await services.database.query(`update "user" set created_at = now() - interval '90 days'`)
    await services.database.query(`update chats set updated_at = now() - interval '90 days'`)
    for (const chore of Object.values(services.chores)) await chore()

    const seen = await Promise.all(Array.from({ length: 5 }, () => titles(page())))
    expect(seen).toEqual(Array(5).fill(['Of 0', 'Of 1', 'Of 2']))
    expect(await services.database.query('select id from "user"')).toEqual([{ id: 'owner' }])
    expect(await services.database.query('select 1 from session')).toEqual([])
    expect(await titles({ authorization: `Bearer ${made.key}` })).toEqual(['Of 0', 'Of 1', 'Of 2'])
    const { servers } = (await send('GET', '/api/tool-servers')).body
    expect(servers.map(({ name }: { name: string }) => name).sort()).toEqual([
      'weather',
      'weather-2',
      'weather-3',
    ])
  })
})

describe('a data folder that no server has open', () => {
  it('given chats of two guests, when the command line opens it, then it has all of them, and needs no name', async () => {
    const { dataDir, remove } = pgliteFolder()
    const env = {
      RAMIFY_DATA_DIR: dataDir,
      DATABASE_URL: '',
      RAMIFY_LOCAL_MODELS: 'off',
      RAMIFY_TITLES: 'words',
    }
    const before = await createServices({ ...env, RAMIFY_PERSONAL: 'off' })
    for (const id of ['ada', 'bob']) {
      await before.database.orm
        .insert(schema.user)
        .values({ id, name: 'Anonymous', email: `${id}@guest.invalid`, isAnonymous: true })
      await createThread(before.ports, { ownerId: id, once: undefined, title: `Of ${id}` })
    }
    await before.database.close()
    const shell = openShell({ env })
    // a person that an earlier command has named
    expect(await shell.run(['--as', 'bob', 'chats'], { env: { RAMIFY_PERSONAL: 'off' } })).toMatchObject({
      code: 0,
    })
    const { json } = await shell.run(['chats', '--json'])
    shell.close()
    remove()
    expect(json.map(({ title }: { title: string }) => title).sort()).toEqual(['Of ada', 'Of bob'])
  })
})

describe('a data folder with an account', () => {
  const { world, send, page, writes, titles } = useOwnMachine()

  it('given an account and a guest, then nothing changes: people sign in, and the guest stays', async () => {
    const { orm } = world.services.database
    const [ada, guest] = [newId(), newId()]
    await orm.insert(schema.user).values([
      { id: ada, name: 'Ada', email: 'ada@example.org' },
      { id: guest, name: 'Anonymous', email: `temp-${guest}@guest.invalid`, isAnonymous: true },
    ])
    await orm
      .insert(schema.account)
      .values({ id: newId(), accountId: ada, providerId: 'credential', userId: ada, password: 'x' })
    expect(await titles(page())).toBe(401)
    expect((await writes('Nobody’s')).status).toBe(401)
    const made = await send('POST', '/api/auth/sign-in/anonymous', { headers: page(), body: {} })
    expect(made).toMatchObject({ status: 200, cookies: [expect.stringContaining('session_token')] })
    const people = await world.services.database.query<{ id: string }>('select id from "user"')
    expect(people.map(({ id }) => id)).toEqual(expect.arrayContaining([ada, guest]))
    expect(people).toHaveLength(3)
  })
})

describe('the first account of a machine of one owner', () => {
  const { world, send, page, writes, titles, agent, audits } = useOwnMachine({ RAMIFY_SIGN_IN_LIMIT: 'off' })

  it('given an owner with chats and keys, when the owner signs up, then the account has all of it, and from then on people sign in', async () => {
    await writes('Of the owner')
    const { key } = (await send('POST', '/api/keys', { body: { name: 'a script' } })).body
    const other = { ...account, email: 'eve@example.org' }
    const signUp = (body: object) => send('POST', '/api/auth/sign-up/email', { headers: page(), body })
    expect((await signUp(account)).status).toBe(200)

    // nobody meets it without signing in, and the next account gets nothing of it
    expect(await titles(page())).toBe(401)
    await expect(agent()).rejects.toThrow()
    expect((await signUp(other)).status).toBe(200)
    const signIn = async ({ email, password }: typeof account) => {
      const { cookies } = await send('POST', '/api/auth/sign-in/email', {
        headers: page(),
        body: { email, password },
      })
      return { ...page(), cookie: cookies.map((line) => line.split(';', 1)[0]).join('; ') }
    }
    expect(await titles(await signIn(account))).toEqual(['Of the owner'])
    expect(await titles(await signIn(other))).toEqual([])
    expect(await titles({ authorization: `Bearer ${key}` })).toEqual(['Of the owner'])
    expect(audits('account_linked')).toMatchObject([{ guest: 'owner' }])
    const people = await world.services.database.query<{ email: string }>('select email from "user"')
    expect(people.map(({ email }) => email).sort()).toEqual([account.email, other.email])
  })
})

describe('a machine of one owner that was opened to others', () => {
  const { world, titles, writes } = useOwnMachine({ HOST: '0.0.0.0' })

  it('given chats of an owner without an account, then no request reaches them, and the operator is told', async () => {
    const { services } = world
    await services.database.orm
      .insert(schema.user)
      .values({ id: 'owner', name: 'Owner', email: 'owner@users.invalid' })
    await createThread(services.ports, { ownerId: 'owner', once: undefined, title: 'Of the owner' })
    expect(await titles()).toBe(401)
    expect((await writes('Mine')).status).toBe(401)
    expect(await services.owner.leftBehind()).toBe(1)
  })
})

describe('the sessions of agents on a machine of one owner', () => {
  const home = mkdtempSync(path.join(tmpdir(), 'ramify-agents-test-'))
  const session = '7801b8ed-252d-4174-8045-4bee94c511ae'
  beforeAll(() => {
    const folder = path.join(home, '.claude/projects/-home-ada-trips')
    mkdirSync(folder, { recursive: true })
    const line = {
      uuid: '1',
      parentUuid: null,
      isSidechain: false,
      sessionId: session,
      cwd: '/home/ada/trips',
      type: 'user',
      timestamp: '2026-03-14T09:00:00.000Z',
      message: { role: 'user', content: 'mend it' },
    }
    writeFileSync(path.join(folder, `${session}.jsonl`), JSON.stringify(line))
  })
  afterAll(() => rmSync(home, { recursive: true, force: true }))
  const { world, send, page, titles } = useOwnMachine({ HOME: home })
  const asks = (body: object, headers: Record<string, string> = page()) =>
    send('POST', '/api/import/agents', { headers, body })

  it('given a session of Claude Code, when its owner looks and chooses it, then it becomes a chat; a key and another site are shown nothing', async () => {
    const looked = await asks({})
    expect(looked).toMatchObject({ status: 200, body: { problems: [], import_ids: [] } })
    const [found] = looked.body.sessions
    expect(found).toMatchObject({ client: 'claude-code', title: 'mend it', project: 'trips', messages: 1 })
    expect(
      (await asks({ sessions: [found.id, 'claude-code/../../../etc/passwd'] })).body.import_ids,
    ).toHaveLength(1)
    const driven = await driveImport(world.services.ports, new AbortController().signal)
    await driven?.ended
    expect(await titles(page())).toEqual(['mend it'])

    const { body } = await send('POST', '/api/keys', { headers: page(), body: { name: 'script' } })
    expect(await asks({}, { authorization: `Bearer ${body.key}` })).toMatchObject({
      status: 409,
      body: { code: 'not_own_machine' },
    })
    expect(
      (await asks({}, { ...page(), origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })).status,
    ).not.toBe(200)
  })
})
