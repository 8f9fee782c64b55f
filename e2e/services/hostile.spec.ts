import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { AppServer } from '@/testing/machines/app-server'
import { freePort } from '@/testing/machines/free-port'
import { copyTemplate } from '@/testing/machines/templates'
import type { ChatPage } from '../support/chat-page'
import { expect, test } from '../support/test'

// Hostile requests to the framework behind the front. The database plays no part.
test.skip(
  ({ baseURL }) => baseURL !== `http://127.0.0.1:${process.env.E2E_pglite_PORT}`,
  'one database is enough',
)

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
  let text = ''
  socket.on('data', (data) => {
    text += data
  })
  socket.on('error', reject)
  socket.on('close', () => {
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1])
    resolve({
      status,
      type: /^content-type: ([^\r;]*)/im.exec(text)?.[1] ?? '',
      body: text.split('\r\n\r\n')[1] ?? '',
    })
  })
  socket.write([...head, ...length, 'Connection: close', '', body].join('\r\n'))
  return promise
}

const problem = 'application/problem+json'
const text = 'Content-Type: text/plain;charset=UTF-8'

/** The id by which the page calls one of its actions, as a browser sends it. */
async function actionOf(
  chat: ChatPage,
  base: string,
): Promise<{ id: string; address: string; cookie: string }> {
  const { page } = chat
  await chat.open()
  await chat.ask('hello')
  const called = page.waitForRequest((request) => request.headers()['next-action'] !== undefined)
  await page.getByRole('button', { name: 'Checkpoint', exact: true }).first().click()
  await page.getByRole('textbox', { name: /name/i }).fill('good')
  await page.keyboard.press('Enter')
  const request = await called
  const cookies = await page.context().cookies(base)
  return {
    id: request.headers()['next-action'] ?? '',
    address: new URL(request.url()).pathname,
    cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
  }
}

test('given an action of the page, when its origin or its arguments are not ours, then it is refused and never a 500', async ({
  chat,
  baseURL,
}) => {
  const base = baseURL ?? ''
  const { id, address, cookie } = await actionOf(chat, base)
  const { host } = new URL(base)
  const call = (body: string, ...more: string[]) =>
    send(
      base,
      [`POST ${address} HTTP/1.1`, `Host: ${host}`, `Next-Action: ${id}`, `Cookie: ${cookie}`, ...more],
      body,
    )

  expect((await call('[{}]', text, `Origin: ${base}`)).status).toBe(200)
  for (const origin of ['http://evil.example', `https://${host}:1`, 'http://127.0.0.1:1', 'null', 'nonsense'])
    expect(await call('[{}]', text, `Origin: ${origin}`), origin).toMatchObject({
      status: 403,
      type: problem,
    })
  const form = 'Content-Type: multipart/form-data; boundary=x'
  for (const body of [
    '',
    '{',
    '{}',
    'null',
    '["$F1"]',
    '["$B1"]',
    '[{"a":"$Q2"}]',
    '["$K1"]',
    '[1,2,3,4,5,6]',
  ])
    expect(await call(body, text, `Origin: ${base}`), body).toMatchObject({ status: 400, type: problem })
  expect(
    (await call('--x\r\ncontent-disposition: form-data; name="0"\r\n\r\n[]\r\n--x--', form)).status,
  ).toBe(400)
  for (const body of ['[]', '[null]', '["$undefined"]', '[{"chatId":{"then":1}}]', '["\\ud800"]', '[1e999]'])
    expect((await call(body, text)).status, body).toBe(200)
})

test('given a page, when it is asked by another method or for an action there is not, then the answer is a refusal', async ({
  baseURL,
}) => {
  const base = baseURL ?? ''
  const { host } = new URL(base)
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'PROPFIND'])
    expect(
      (await send(base, [`${method} ${method === 'CONNECT' ? 'a:1' : '/'} HTTP/1.1`, `Host: ${host}`]))
        .status,
      method,
    ).toBe(405)
  expect((await send(base, ['FOO / HTTP/1.1', `Host: ${host}`])).status).toBe(400)
  for (const id of ['x', 'a'.repeat(42), '../x', '%ff']) {
    const { status } = await send(
      base,
      ['POST / HTTP/1.1', `Host: ${host}`, `Next-Action: ${id}`, text],
      '[]',
    )
    expect([400, 404, 409], id).toContain(status)
  }
})

test('given any address of the API, when nothing is there or the request is broken, then the answer is a problem document', async ({
  baseURL,
}) => {
  const base = baseURL ?? ''
  const { host } = new URL(base)
  const paths = [
    '/api',
    '/api/nothing',
    '/api/auth/nothing',
    '/commands/nothing',
    '/threads/a/b/c',
    '/v1/nothing',
    '/health/x',
  ]
  for (const path of [
    ...paths,
    '/api/%ff',
    '/commands/%c3',
    '/api/chats/%00/graph',
    '/api/threads/%2e%2e/head',
  ]) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'TRACE', 'PROPFIND']) {
      const answer = await send(base, [`${method} ${path} HTTP/1.1`, `Host: ${host}`])
      expect(answer.type, `${method} ${path}`).toBe(problem)
      expect(JSON.parse(/\{.*\}/s.exec(answer.body)?.[0] ?? ''), `${method} ${path}`).toMatchObject({
        status: answer.status,
      })
      expect(answer.status, `${method} ${path}`).toBeLessThan(500)
    }
  }
  const signIn = ['POST /api/auth/sign-in/email HTTP/1.1', `Host: ${host}`, 'Content-Type: application/json']
  for (const body of ['{"email":"ada@example.org","password":"not the right one"}', '{"email":1}', '{'])
    expect((await send(base, signIn, body)).type, body).toBe(problem)
})

test('given any header, when a page is asked for with it, then the answer is never a 500', async ({
  baseURL,
}) => {
  const base = baseURL ?? ''
  const { host } = new URL(base)
  const hosts = [
    'ramify_app:3000',
    'example.org.',
    'EXAMPLE.ORG',
    '[::1]:3000',
    'a b',
    'a@b',
    'a:99999',
    '%zz',
    '',
  ]
  for (const name of hosts) {
    const answer = await send(base, ['GET / HTTP/1.1', `Host: ${name}`])
    expect(answer.status === 200 || (answer.status === 400 && answer.type === problem), name).toBe(true)
  }
  for (const header of [
    'Next-Router-State-Tree: garbage',
    'Next-Url: /%ff',
    'Next-Router-Segment-Prefetch: garbage',
    'Accept-Language: %%;;q=zz',
    'Cookie: %ff=;==;;a=%',
    'Range: bytes=-',
    'Expect: much',
    'X-Middleware-Subrequest: proxy:proxy:proxy:proxy:proxy',
    'X-Forwarded-Host: a b',
    'X-Forwarded-Proto: javascript',
    'Next-Resume: 1',
    'If-None-Match: "',
  ]) {
    for (const address of ['/', '/?_rsc=1', '/c/x', '/_global-error', '/_not-found', '/docs/api'])
      for (const kind of [[], ['RSC: 1']]) {
        const answer = await send(base, [`GET ${address} HTTP/1.1`, `Host: ${host}`, header, ...kind])
        expect(answer.status, `${address} ${header}`).toBeLessThan(500)
      }
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
  try {
    await server.start()
    const json = 'Content-Type: application/json'
    for (const host of ['ramify_app:3000', 'internal.', '10.0.0.7:80', 'chat.example.org']) {
      const own = [`Host: ${host}`, 'Origin: https://chat.example.org']
      expect((await send(inner, ['GET / HTTP/1.1', `Host: ${host}`])).status, host).toBe(200)
      expect(
        (await send(inner, ['POST /api/auth/sign-in/anonymous HTTP/1.1', ...own, json], '{}')).status,
        host,
      ).toBe(200)
      // the command is reached: its refusal is about the missing session
      expect(
        (await send(inner, ['POST /api/commands/create-thread HTTP/1.1', ...own, json], '{}')).status,
        host,
      ).toBe(401)
      for (const origin of [`http://${host}`, 'http://chat.example.org', 'https://chat.example.org:8443']) {
        const foreign = [`Host: ${host}`, `Origin: ${origin}`]
        for (const [address, type] of [
          ['/', text],
          ['/api/commands/create-thread', json],
          ['/api/auth/sign-in/anonymous', json],
        ]) {
          const answer = await send(
            inner,
            [`POST ${address} HTTP/1.1`, ...foreign, 'Next-Action: x', type ?? ''],
            '{}',
          )
          expect(answer, `${address} ${origin}`).toMatchObject({ status: 403, type: problem })
        }
      }
    }
    const page = await fetch(inner)
    expect(page.headers.get('strict-transport-security')).toBe('max-age=31536000')
    expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(page.headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(page.headers.get('content-security-policy')).toContain("style-src-elem 'self' 'nonce-")
    const security = await (await fetch(`${inner}/.well-known/security.txt`)).text()
    expect(security).toMatch(/^Contact: mailto:security@example\.org\nExpires: \d{4}-/)
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})
