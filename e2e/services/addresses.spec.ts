import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { AppServer } from '@/testing/machines/app-server'
import { freePort } from '@/testing/machines/free-port'
import { copyTemplate } from '@/testing/machines/templates'
import { repoRoot } from '@/testing/runner/repo-root'
import { seedTurns, signIn } from '../support/openings'
import { expect, otherPerson, test, watchErrors } from '../support/test'

// What only the built server shows: the framework's routes, its pages and actions behind the front. What an operation
// answers is tested without it, in testing/int/lib/server.

const problem = 'application/problem+json'
const text = 'Content-Type: text/plain;charset=UTF-8'
const json = 'Content-Type: application/json'

interface Answer {
  status: number
  type: string
  body: string
}

/** Sends a request as it is written, also one that no client library would send. */
function send(base: string, head: string[], body = ''): Promise<Answer> {
  const { hostname, port } = new URL(base)
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const socket = connect(Number(port), hostname)
  let said = ''
  socket.on('data', (data) => {
    said += data
  })
  socket.on('error', reject)
  socket.on('close', () => {
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(said)?.[1])
    const type = /^content-type: ([^\r;]*)/im.exec(said)?.[1] ?? ''
    resolve({ status, type, body: said.split('\r\n\r\n')[1] ?? '' })
  })
  socket.write([...head, ...length, 'Connection: close', '', body].join('\r\n'))
  return promise
}

test('the walk-through of the documents does what it says', async ({ baseURL }) => {
  const page = readFileSync(path.join(repoRoot, 'docs/http-api.md'), 'utf8')
  const [, script = ''] = /## API walk-through\n[\s\S]*?```sh\n([\s\S]*?)```/.exec(page) ?? []
  expect(script).toContain('fork-thread')

  const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    env: { ...process.env, RAMIFY: baseURL },
  })

  expect(stderr).toBe('')
  const [met, empty, forked, ...more] = stdout.trim().split('\n')
  expect(more).toEqual([])
  expect(met).toMatch(/devansh/i)
  expect(empty).not.toMatch(/devansh/i)
  expect(forked).toMatch(/your name is devansh/i)
})

test('given addresses with and without /api, when they are asked, then both answer alike, and only to the methods they have', async ({
  request,
  chat,
  browser,
  baseURL,
}) => {
  const chatId = await seedTurns(chat, ['Hello'])
  const mine = chat.page.request
  const { threads } = await (await mine.get('/threads')).json()
  for (const read of ['messages', 'events', 'branches', 'head']) {
    const address = `/threads/${threads[0].thread_id}/${read}`
    const answer = await mine.get(address)
    expect(answer.status(), read).toBe(200)
    expect(await answer.text()).toBe(await (await mine.get(`/api${address}`)).text())
  }
  expect((await request.get('/health')).status()).toBe(200)
  for (const prefix of ['/api', ''])
    for (const [data, type, status] of [
      ['{}', 'application/json', 400],
      ['{}', 'text/plain', 415],
      [`{"x":"${'x'.repeat(1_000_001)}"}`, 'application/json', 413],
    ] as const) {
      const headers = { 'content-type': type }
      const refused = await mine.post(`${prefix}/commands/send-message`, { headers, data: Buffer.from(data) })
      expect([refused.status(), refused.headers()['content-type']]).toEqual([status, problem])
    }
  const large = { 'content-type': 'application/json' }
  const turn = { headers: large, data: Buffer.from(`{"x":"${'x'.repeat(16_000_001)}"}`) }
  expect((await mine.post('/api/chat', turn)).status()).toBe(413)

  for (const [method, address, allow] of [
    ['GET', '/api/commands/send-message', 'POST, OPTIONS'],
    ['DELETE', '/commands/fork-thread', 'POST, OPTIONS'],
    ['POST', '/api/threads', 'GET, HEAD, OPTIONS'],
    ['PUT', '/threads/x/messages', 'GET, HEAD, OPTIONS'],
    ['PATCH', '/api/keys', 'GET, POST, HEAD, OPTIONS'],
    ['GET', '/api/keys/x', 'DELETE, OPTIONS'],
    ['GET', '/mcp', 'POST, OPTIONS'],
    ['DELETE', '/mcp', 'POST, OPTIONS'],
    ['GET', '/api/chat', 'POST, OPTIONS'],
  ] as const) {
    const refused = await request.fetch(address, { method })
    expect([refused.status(), refused.headers().allow], address).toEqual([405, allow])
    expect(await refused.json()).toMatchObject({ status: 405, code: 'method_not_allowed' })
  }
  const none = await request.post('/mcp', { data: {} })
  expect(none.status()).toBe(401)
  expect(none.headers()['www-authenticate']).toMatch(/^Bearer realm="Ramify", resource_metadata="/)
  expect((await request.get('/api/auth/get-session')).status()).toBe(200)
  expect((await request.post('/api/auth/update-user', { data: {} })).status()).toBe(404)
  // the description needs no session and may be cached
  const described = await request.get('/api/openapi.json')
  expect(described.headers()['cache-control']).toMatch(/public, max-age=\d+/)
  expect((await described.json()).openapi).toBe('3.1.0')

  // a page of another person's chat is one that is not there
  const { page: theirs } = await otherPerson(browser, baseURL)
  await signIn(theirs.request)
  for (const [reader, address, status] of [
    [theirs.request, `/c/${chatId}`, 404],
    [theirs.request, `/c/${randomUUID()}`, 404],
    [mine, `/c/${chatId}`, 200],
    [mine, `/c/${chatId}?branch=%00`, 200],
    [mine, `/c/${chatId}?branch=nowhere`, 200],
    [mine, '/c/%00', 404],
    [mine, '/c/%E0%A4%A', 400],
    [mine, '/api/chat/%E0%A4%A/stream', 400],
    [mine, '/threads/%E0%A4%A/head', 400],
    [mine, `/c/${'x'.repeat(5000)}`, 404],
  ] as const)
    expect((await reader.get(address)).status(), address.slice(0, 80)).toBe(status)
  await theirs.context().close()
})

test('given an action of the page, when its origin or its arguments are not ours, then it is refused and never a 500', async ({
  chat,
  baseURL: base = '',
}) => {
  const { page } = chat
  await chat.open()
  await chat.ask('hello')
  const called = page.waitForRequest((request) => request.headers()['next-action'] !== undefined)
  await chat.ofChat('Checkpoint')
  await page.getByRole('textbox', { name: /name/i }).fill('good')
  await page.keyboard.press('Enter')
  const asked = await called
  const cookies = await page.context().cookies(base)
  const head = [
    ...[`POST ${new URL(asked.url()).pathname} HTTP/1.1`, `Host: ${new URL(base).host}`],
    `Next-Action: ${asked.headers()['next-action']}`,
    `Cookie: ${cookies.map(({ name, value }) => `${name}=${value}`).join('; ')}`,
  ]
  const call = (body: string, ...more: string[]) => send(base, [...head, ...more], body)

  expect((await call('[{}]', text, `Origin: ${base}`)).status).toBe(200)
  for (const origin of ['http://evil.example', 'http://127.0.0.1:1', 'null', 'nonsense'])
    expect(await call('[{}]', text, `Origin: ${origin}`), origin).toMatchObject({
      status: 403,
      type: problem,
    })
  for (const body of ['', '{', '["$F1"]', '["$B1"]', '[{"a":"$Q2"}]', '["$K1"]'])
    expect(await call(body, text, `Origin: ${base}`), body).toMatchObject({ status: 400, type: problem })
  const form = 'Content-Type: multipart/form-data; boundary=x'
  const fields = '--x\r\ncontent-disposition: form-data; name="0"\r\n\r\n[]\r\n--x--'
  expect((await call(fields, form)).status).toBe(400)
  for (const body of ['[]', '[null]', '["$undefined"]', '[{"chatId":{"then":1}}]', '["\\ud800"]', '[1e999]'])
    expect((await call(body, text)).status, body).toBe(200)
})

test('given an address that no page has, then the page says so and leads to the chats', async ({ page }) => {
  const errors = watchErrors(page)
  for (const address of ['/elsewhere', '/settings/elsewhere', '/docs/else/where']) {
    expect((await page.goto(address))?.status(), address).toBe(404)
    await expect(page.getByRole('heading', { name: 'There is no such page' })).toBeVisible()
  }
  await page.getByRole('link', { name: 'Go to your chats' }).click()
  await expect(page.getByRole('textbox', { name: 'Message', exact: true })).toBeVisible()
  expect(errors).toEqual([])
})

test('given any method, header or address, when it is asked for, then the answer is a page or a refusal, never a 500', async ({
  baseURL: base = '',
}) => {
  const host = `Host: ${new URL(base).host}`
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'PROPFIND']) {
    const head = [`${method} ${method === 'CONNECT' ? 'a:1' : '/'} HTTP/1.1`, host]
    expect((await send(base, head)).status, method).toBe(405)
  }
  expect((await send(base, ['FOO / HTTP/1.1', host])).status).toBe(400)
  for (const id of ['x', 'a'.repeat(42), '../x', '%ff']) {
    const { status } = await send(base, ['POST / HTTP/1.1', host, `Next-Action: ${id}`, text], '[]')
    expect([400, 404, 409], id).toContain(status)
  }
  for (const address of [
    ...['/api', '/api/nothing', '/api/auth/nothing', '/commands/nothing', '/threads/a/b/c'],
    ...['/health/x', '/api/%ff', '/commands/%c3', '/api/chats/%00/graph', '/api/threads/%2e%2e/head'],
  ])
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'TRACE', 'PROPFIND']) {
      const answer = await send(base, [`${method} ${address} HTTP/1.1`, host])
      expect([answer.type, answer.status < 500], `${method} ${address}`).toEqual([problem, true])
      const told = JSON.parse(/\{.*\}/s.exec(answer.body)?.[0] ?? '')
      expect(told, `${method} ${address}`).toMatchObject({ status: answer.status })
    }
  for (const body of ['{"email":"ada@example.org","password":"not the right one"}', '{"email":1}', '{'])
    expect((await send(base, ['POST /api/auth/sign-in/email HTTP/1.1', host, json], body)).type).toBe(problem)
  for (const name of [
    ...['LOCALHOST', 'localhost.', '[::1]:3000', '10.0.0.7'],
    ...['ramify_app:3000', 'example.org.', 'evil.example', '127.0.0.1.evil.example:3000'],
    ...['a b', 'a@b', 'a:99999', '%zz', ''],
  ])
    for (const address of ['/', '/api/health', '/v1/models', '/_next/static/x']) {
      const answer = await send(base, [`GET ${address} HTTP/1.1`, `Host: ${name}`])
      const refused = [400, 421].includes(answer.status) && answer.type === problem
      expect(refused, `${name} ${address}`).toBe(!/^(?:localhost|\[::1\]|10\.)/i.test(name))
    }
  for (const header of [
    ...['Next-Router-State-Tree: garbage', 'Next-Url: /%ff', 'Next-Router-Segment-Prefetch: garbage'],
    ...['Accept-Language: %%;;q=zz', 'Cookie: %ff=;==;;a=%', 'Range: bytes=-', 'Expect: much'],
    ...['X-Middleware-Subrequest: proxy:proxy:proxy:proxy:proxy', 'X-Forwarded-Host: a b'],
    ...['X-Forwarded-Proto: javascript', 'Next-Resume: 1', 'If-None-Match: "'],
  ])
    for (const address of ['/', '/?_rsc=1', '/c/x', '/_global-error', '/_not-found', '/docs/api'])
      for (const kind of [[], ['RSC: 1']]) {
        const answer = await send(base, [`GET ${address} HTTP/1.1`, host, header, ...kind])
        expect(answer.status, `${address} ${header}`).toBeLessThan(500)
      }
})

test('given a public address, when a proxy changes the host, then sign-in, routes and actions work there and only there', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'ramify-public-'))
  copyTemplate('migrated', folder)
  const server = new AppServer(await freePort(), {
    ...process.env,
    NODE_ENV: 'production',
    DATABASE_URL: '',
    RAMIFY_DATA_DIR: folder,
    RAMIFY_RATE_LIMIT: 'off',
    RAMIFY_SECURITY_CONTACT: 'mailto:security@example.org',
    BETTER_AUTH_URL: 'https://chat.example.org',
    BETTER_AUTH_SECRET: 'a-secret-for-end-to-end-tests-and-nothing-else',
  })
  const inner = server.url
  const [signsIn, creates] = ['/api/auth/sign-in/anonymous', '/api/commands/create-thread']
  const post = (address: string, ...head: string[]) =>
    send(inner, [`POST ${address} HTTP/1.1`, ...head], '{}')
  try {
    await server.start()
    for (const host of ['ramify_app:3000', 'internal.', '10.0.0.7:80', 'chat.example.org']) {
      const own = [`Host: ${host}`, 'Origin: https://chat.example.org', json]
      expect((await send(inner, ['GET / HTTP/1.1', `Host: ${host}`])).status, host).toBe(200)
      expect((await post(signsIn, ...own)).status, host).toBe(200)
      // the command is reached: its refusal is about the missing session
      expect((await post(creates, ...own)).status, host).toBe(401)
      for (const origin of [`http://${host}`, 'http://chat.example.org', 'https://chat.example.org:8443'])
        for (const [address, type] of [
          ['/', text],
          [creates, json],
          [signsIn, json],
        ] as const) {
          const answer = await post(address, `Host: ${host}`, `Origin: ${origin}`, 'Next-Action: x', type)
          expect(answer, `${address} ${origin}`).toMatchObject({ status: 403, type: problem })
        }
    }
    const { headers } = await fetch(inner)
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(headers.get('content-security-policy')).toContain("style-src-elem 'self' 'nonce-")
    const security = await (await fetch(`${inner}/.well-known/security.txt`)).text()
    expect(security).toMatch(/^Contact: mailto:security@example\.org\nExpires: \d{4}-/)
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
