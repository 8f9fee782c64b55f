import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createFront, type FrontHandler, type FrontOptions } from '../../../../../lib/runtime/front/front.ts'
import { readTrustedProxies } from '../../../../../lib/runtime/front/trusted-proxies.ts'

const servers: Server[] = []
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

/** Limits of a tenth of a second, so that a test need not wait for seconds. */
const hasty = {
  headersMs: 200,
  requestMs: 3_000,
  bodyGraceMs: 200,
  idleMs: 200,
  idleGraceMs: 50,
  unreadMs: 300,
  checkMs: 50,
}

async function serve(handler: FrontHandler, options: FrontOptions = {}): Promise<number> {
  const server = createFront(handler, { limits: hasty, ...options })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const echo: FrontHandler = (request, response) => {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ url: request.url, headers: request.headers }))
}

/** A connection on which `text` is sent; `closed` resolves with all that came back when the server has ended it. */
async function talk(port: number, text: string): Promise<{ socket: Socket; closed: Promise<string> }> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  await once(socket, 'connect')
  let answer = ''
  socket.on('data', (data) => {
    answer += data
  })
  const closed = new Promise<string>((resolve) => {
    // a reset after the answer is an end as well
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(answer))
  })
  socket.write(text)
  return { socket, closed }
}

/** Sends a byte now and then for as long as the connection is open. */
function drip(socket: Socket, byte: string): void {
  const timer = setInterval(() => socket.writable && socket.write(byte), 30)
  socket.once('close', () => clearInterval(timer))
}

const get = 'GET /api/x HTTP/1.1\r\nHost: localhost\r\n'
/** A request with a header of its own. */
const asks = (path: string, header = '', method = 'GET') =>
  `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${header && `${header}\r\n`}\r\n`
const post = 'POST /api/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n'

describe('a body whose answer comes before its end', () => {
  const long = 3_000_000
  const posted = `POST /api/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${long}\r\n\r\n`
  /** Reads the first part of a body alone. */
  const refusing: FrontHandler = (request, response) => {
    if (request.method === 'GET') echo(request, response)
    else
      request.once('data', () => {
        request.pause()
        response.writeHead(413, { 'content-length': 0 }).end()
      })
  }

  test('given a next request behind the rest of it, then that is answered', async () => {
    const { socket, closed } = await talk(await serve(refusing), posted)
    socket.write('a'.repeat(long))
    socket.write(asks('/api/next', 'Connection: close'))
    expect(await closed).toMatch(/^HTTP\/1\.1 413 .*HTTP\/1\.1 200 .*"url":"\/api\/next"/s)
  })

  test('given a reader that has given it up, then the connection ends with the answer, before its time', async () => {
    const giveUp: FrontHandler = async (request, response) => {
      await Readable.toWeb(request).cancel()
      response.writeHead(413, { 'content-length': 0 }).end()
    }
    const limits = { ...hasty, bodyGraceMs: 60_000, idleMs: 60_000 }
    const { socket, closed } = await talk(await serve(giveUp, { limits }), posted)
    socket.write('a'.repeat(1000))
    expect(await closed).toMatch(/^HTTP\/1\.1 413 /)
  })

  test('given a rest that does not come, then the connection ends after the answer', async () => {
    const { socket, closed } = await talk(await serve(refusing), posted)
    socket.write('a'.repeat(1000))
    expect(await closed).toMatch(/^HTTP\/1\.1 413 /)
  })
})

describe('a peer that is slow', () => {
  test.each([
    ['a connection without a word', '', ''],
    ['headers that come a byte at a time', `${get}x-slow: `, 'a'],
  ])('given %s, when the limit for headers is over, then it is told so and ended', async (_, text, byte) => {
    const { socket, closed } = await talk(await serve(echo), text)
    if (byte) drip(socket, byte)
    expect(await closed).toMatch(/^HTTP\/1\.1 408 .*application\/problem\+json.*"code":"request_timeout"/s)
  })

  test('given a body that comes a byte at a time, when it is slower than it must be, then its reader gets an error and the peer 408', async () => {
    const { promise: failed, resolve } = Promise.withResolvers<unknown>()
    const port = await serve(async (request) => {
      try {
        for await (const part of request) expect(part).toBeDefined()
      } catch (error) {
        resolve(error)
      }
    })
    const { socket, closed } = await talk(port, post)
    drip(socket, 'a')
    expect(await closed).toMatch(/^HTTP\/1\.1 408 .*"code":"request_timeout"/s)
    expect(await failed).toBeInstanceOf(Error)
  })

  test.each([
    ['a body that stops, when its handler has answered without reading it', `${post}abc`],
    ['an answered request, when no other follows', `${get}\r\n`],
  ])('given %s, then the connection ends', async (_, text) => {
    const { closed } = await talk(await serve(echo), text)
    expect(await closed).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('given a body that the handler reads late, when it waits for the handler, then it is not called slow', async () => {
    const body = 'a'.repeat(1_000_000)
    const started = Promise.withResolvers<void>()
    const port = await serve(async (request, response) => {
      await started.promise
      let size = 0
      for await (const part of request) size += (part as Buffer).length
      response.end(String(size))
    })
    const { socket, closed } = await talk(port, `${post}${body}`)
    // longer than a slow body may take
    await new Promise((resolve) => setTimeout(resolve, 3 * hasty.bodyGraceMs))
    started.resolve()
    await once(socket, 'data')
    expect(await closed).toMatch(/1000000$/)
  })

  test('given requests to upgrade, when they are answered, then no connection stays', async () => {
    // fifty at once may be read late on a busy machine, which is not what this is about
    const port = await serve(echo, { limits: { ...hasty, headersMs: hasty.requestMs } })
    const upgrade = `${get}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\r\n`
    const all = await Promise.all(Array.from({ length: 50 }, () => talk(port, upgrade)))
    for (const { closed } of all) expect(await closed).toMatch(/^HTTP\/1\.1 426 /)
  })

  test('given a peer that does not read, when bytes wait for it too long, then the connection ends', async () => {
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    const port = await serve((_request, response) => {
      response.once('close', resolve)
      const chunk = Buffer.alloc(1_000_000)
      const more = () => {
        while (response.write(chunk));
        response.once('drain', more)
      }
      more()
    })
    const { socket } = await talk(port, `${get}\r\n`)
    socket.pause()
    await ended
  })

  test('given an answer that is silent for longer than any limit, when it goes on, then its reader gets all of it', async () => {
    const port = await serve(async (_request, response) => {
      response.write('first ')
      await new Promise((resolve) => setTimeout(resolve, 4 * hasty.unreadMs))
      response.end('last')
    })
    const response = await fetch(`http://127.0.0.1:${port}/`)
    expect(await response.text()).toBe('first last')
  })

  test('given a thousand requests on one connection without reading, then all but the first few are refused and it ends', async () => {
    let handled = 0
    const port = await serve(async (_request, response) => {
      handled += 1
      await new Promise((resolve) => setTimeout(resolve, 100))
      response.end('ok')
    })
    const { closed } = await talk(port, `${get}\r\n`.repeat(1000))
    expect(await closed).toContain('"code":"too_many_requests"')
    expect(handled).toBe(16)
  })
})

describe('a connection between two requests', () => {
  test('given the time it is told, when a request comes after it and within the grace, then it is answered', async () => {
    const port = await serve(echo, { limits: { ...hasty, idleMs: 1_000, idleGraceMs: 30_000 } })
    const { socket, closed } = await talk(port, `${get}\r\n`)
    const [first] = await once(socket, 'data')
    expect(String(first)).toContain('Keep-Alive: timeout=1')
    // longer than it is told, and than the second that Node adds of its own
    await pause(2_500)
    socket.write(`${get}connection: close\r\n\r\n`)
    expect((await closed).match(/HTTP\/1\.1 200 /g)).toHaveLength(2)
  })
})

describe('a request that cannot be answered', () => {
  type Row = [what: string, text: string, status: number]
  const hosted = (host: string, more = '') => `GET / HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`
  test.each<Row>([
    ['an unknown method', 'FOO / HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
    ['TRACE', 'TRACE / HTTP/1.1\r\nHost: localhost\r\n\r\n', 405],
    ['CONNECT', 'CONNECT a:80 HTTP/1.1\r\nHost: localhost\r\n\r\n', 405],
    ['PROPFIND', 'PROPFIND / HTTP/1.1\r\nHost: localhost\r\n\r\n', 405],
    ['bytes that are not HTTP', 'hello\r\n\r\n', 400],
    ['no Host', 'GET / HTTP/1.1\r\n\r\n', 400],
    ['two Hosts', asks('/', 'Host: b'), 400],
    ...['a b', 'a/b', 'a@b', 'a:99999', '%zz'].map((host): Row => [`the host ${host}`, hosted(host), 400]),
    ['half a character in the path', asks('/api/%ff'), 400],
    ['a target that is no path', asks('*'), 400],
    ['an address of 9,000 characters', asks(`/${'a'.repeat(9_000)}`), 414],
    ['headers of 20 kB', asks('/', `x: ${'a'.repeat(20_000)}`), 431],
    ['another expectation', asks('/', 'Expect: much'), 417],
    ['lengths that differ', asks('/', 'Content-Length: 1\r\nContent-Length: 2', 'POST'), 400],
    ['a router state of others', asks('/', 'next-router-state-tree: x'), 400],
  ])('given %s, then the answer is a problem and the handler is not asked', async (_what, text, status) => {
    const handler = vi.fn()
    const { closed } = await talk(await serve(handler), text)
    const answer = await closed
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(answer).toMatch(/content-type: application\/problem\+json/i)
    const problem = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))
    expect(problem).toMatchObject({ type: 'about:blank', status })
    expect(handler).not.toHaveBeenCalled()
  })

  test.each(['LOCALHOST', 'localhost.', 'ada.localhost:3000', '[::1]:3000', '10.0.0.1', 'BOX.lan'])(
    'given the host %s, then the request is answered',
    async (host) => {
      const port = await serve(echo, { hostname: 'box.lan' })
      const { closed } = await talk(port, hosted(host, 'Connection: close\r\n'))
      expect(await closed).toContain(`"host":"${host}"`)
    },
  )

  test.each(['ramify_app:3000', 'example.org.', 'EXAMPLE.org', 'xn--bcher-kva.de'])(
    'given a public address and the host %s of a proxy or a probe, then the request is answered as one to the public address',
    async (host) => {
      const port = await serve(echo, { publicUrl: 'https://chat.example.org' })
      const { closed } = await talk(port, hosted(host, 'Connection: close\r\n'))
      expect(await closed).toContain('"host":"chat.example.org"')
    },
  )

  test.each<[string, string, FrontOptions]>([
    ['in the Host header', hosted('evil.example:3000'), {}],
    ['in the target', 'GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n', {}],
    ['in HTTP/1.0', 'GET / HTTP/1.0\r\nHost: evil.example\r\n\r\n', {}],
    [
      'in what a trusted proxy passes on',
      hosted('localhost', 'X-Forwarded-Host: evil.example\r\n'),
      { proxies: readTrustedProxies('1') },
    ],
  ])('given the name of another site %s, then the answer says what to set', async (_where, text, options) => {
    const handler = vi.fn()
    const { closed } = await talk(await serve(handler, options), text)
    expect(await closed).toMatch(/^HTTP\/1\.1 421 .*"code":"wrong_host"/s)
    expect(await closed).toContain('BETTER_AUTH_URL')
    expect(handler).not.toHaveBeenCalled()
  })
})

describe('what the app is told about a request', () => {
  async function told(options: FrontOptions, headers: Record<string, string> = {}) {
    const response = await fetch(`http://127.0.0.1:${await serve(echo, options)}/`, { headers })
    return { response, headers: ((await response.json()) as { headers: Record<string, string> }).headers }
  }
  const claims = {
    'x-forwarded-for': '198.51.100.1, 203.0.113.9',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    forwarded: 'for=198.51.100.1;host=evil.example',
    'x-real-ip': '198.51.100.1',
    'x-ramify-address': '198.51.100.1',
  }

  test('given no trusted proxy, when a client claims an address and a host, then the app sees the ones of the connection', async () => {
    const { headers } = await told({}, claims)
    expect(headers).toMatchObject({
      'x-ramify-address': '127.0.0.1',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': headers.host,
    })
    expect(headers).not.toHaveProperty('forwarded')
    expect(headers).not.toHaveProperty('x-real-ip')
  })

  test('given one trusted proxy, when it says where a request came from, then the app is told that', async () => {
    const proxied = { ...claims, 'x-forwarded-host': '192.0.2.1:8080' }
    const { headers } = await told({ proxies: readTrustedProxies('1') }, proxied)
    const seen = { 'x-ramify-address': '203.0.113.9', host: '192.0.2.1:8080', 'x-forwarded-proto': 'https' }
    expect(headers).toMatchObject(seen)
  })

  test('given a proxy that is not named, when it passes a request on, then that is told, and a request without a proxy is not', async () => {
    const told: string[] = []
    const port = await serve((_request, response) => response.end(), {
      onUnnamedProxy: (address) => told.push(address),
    })
    await fetch(`http://127.0.0.1:${port}/`)
    expect(told).toEqual([])
    await fetch(`http://127.0.0.1:${port}/`, { headers: claims })
    expect(told).toEqual(['127.0.0.1'])
  })

  test('given a public address, when a proxy has changed the host, then the request counts as sent to the public one', async () => {
    const { response, headers } = await told({ publicUrl: 'https://chat.example.org' }, claims)
    const host = 'chat.example.org'
    expect(headers).toMatchObject({ host, 'x-forwarded-host': host, 'x-forwarded-proto': 'https' })
    expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000')
  })
})

test('given a client that asks for a WebSocket, then it is answered 426 at once; who asks for another protocol is served', async () => {
  const port = await serve(echo)
  const asked = (upgrade: string) =>
    `GET /v1/responses HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: ${upgrade}\r\n\r\n`
  const socket = await (await talk(port, asked('websocket'))).closed
  expect(socket).toMatch(/^HTTP\/1\.1 426 /)
  expect(socket).toMatch(/^upgrade: HTTP\/1\.1\r$/im)
  expect(socket).toContain('"upgrade_required"')
  expect(await (await talk(port, asked('h2c'))).closed).toMatch(/^HTTP\/1\.1 200 /)
})

describe('an answer of the framework', () => {
  const answerOf = async (path: string, handler: FrontHandler, init?: RequestInit) =>
    fetch(`http://127.0.0.1:${await serve(handler)}${path}`, init)
  test.each(['/api/x', '/commands/x', '/threads', '/health'])(
    'given an error under %s that is no problem document, then it becomes one of the same status',
    async (path) => {
      const response = await answerOf(path, (_request, response) => {
        response.writeHead(404, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
        response.write('<h1>')
        response.end('no</h1>')
      })
      expect(response.status).toBe(404)
      expect(response.headers.get('content-type')).toBe('application/problem+json')
      expect(response.headers.has('content-encoding')).toBe(false)
      expect(await response.json()).toMatchObject({ status: 404, code: 'not_found' })
    },
  )

  test.each(['/v1/chat/completions', '/v1/messages?beta=true', '/v1/models/gpt', '/v1/files/x', '/v1/v1/x'])(
    'given an error under %s, where a provider is passed on, then it stays as it is',
    async (path) => {
      const response = await answerOf(path, (_request, response) => {
        response.writeHead(529, { 'content-type': 'text/html' })
        response.end('<h1>overloaded</h1>')
      })
      expect([response.status, await response.text()]).toEqual([529, '<h1>overloaded</h1>'])
    },
  )

  test('given an error without a body, or a problem document of a route, then the one gets a document and the other keeps its own', async () => {
    const handler: FrontHandler = (request, response) => {
      response.statusCode = 405
      if (request.url === '/api/own') response.setHeader('content-type', 'application/problem+json')
      response.end(request.url === '/api/own' ? '{"code":"own"}' : undefined)
    }
    expect(await (await answerOf('/api/x', handler)).json()).toMatchObject({ code: 'method_not_allowed' })
    expect(await (await answerOf('/api/own', handler)).json()).toEqual({ code: 'own' })
    expect((await answerOf('/api/x', handler, { method: 'HEAD' })).status).toBe(405)
  })

  test('given a process that is not well, then what it says of its health is left as it is', async () => {
    const ask = async (path: string) => {
      const answer = await answerOf(path, (_request, response) => {
        response.writeHead(503, { 'content-type': 'application/json' }).end('{"database":"unreachable"}')
      })
      return answer.json()
    }
    expect(await ask('/api/health')).toEqual({ database: 'unreachable' })
    expect(await ask('/api/healthy')).toMatchObject({ code: 'internal' })
  })

  test('given a page, or an answer that is no error, then it leaves as it is', async () => {
    for (const path of ['/page', '/api/x', '/apiary']) {
      const response = await answerOf(path, (request, response) => {
        response.writeHead(request.url === '/page' ? 404 : 200, { 'content-type': 'text/html' }).end('<h1>')
      })
      expect([response.headers.get('content-type'), await response.text()]).toEqual(['text/html', '<h1>'])
    }
  })
})
