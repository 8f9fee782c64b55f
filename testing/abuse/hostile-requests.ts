import { randomUUID } from 'node:crypto'
import type { Dice } from '@/testing/worlds/dice'
import { type Attack, inParallel, times } from './attack'
import { type RawOutcome, sendRaw } from './raw-http'

/** An answer that takes longer is none, in ms. */
const HANG = 30_000
/** Requests of the whole suite, and of each round of a shorter one. */
const [ALL, OF_A_ROUND] = [3000, 120]

/** What an address below this answers with 400 and more is a problem document. */
const isApi = (path: string): boolean => /^\/(api|commands|threads|v1|health)(\/|\?|$)/.test(path)

interface Draft {
  method: string
  path: string
  headers: [name: string, value: string][]
  body: string | Buffer
  /** what the route takes */
  fields: object
  /** sent as it stands instead */
  raw?: string
}

interface World {
  cookie: string
  key: string
  chat: string
  thread: string
  dice: Dice
}

const words = (line: string): string[] => line.split(' ')

const reads = [
  ...words('/ /c/{chat} /c/{chat}?branch=main&at=x /c/{chat}/compare?left=main&right=main /docs/api'),
  ...words('/api/health /health /api/openapi.json /api/search?q=a&limit=3 /api/live?chat={chat}'),
  ...words('/api/chats/{chat}/graph /api/chats/{chat}/graph?columns=nodes /api/chats/{chat}/history'),
  ...words('/api/chats/{chat}/messages?limit=3 /api/chat/{chat}/stream /api/threads'),
  ...words('/threads/{thread}/messages /threads/{thread}/events /threads/{thread}/head'),
  ...words('/threads/{thread}/branches /api/keys /api/auth/get-session /api/cron/replies'),
  ...words('/api/no/such/route /v1/models'),
]
const routes: readonly (readonly [method: string, path: string, body?: object])[] = [
  ...reads.map((path) => ['GET', path] as const),
  [
    'POST',
    '/api/chat',
    { id: '{chat}', message: { id: 'm', role: 'user', parts: [{ type: 'text', text: 'a' }] } },
  ],
  ['POST', '/api/chat/{chat}/stop', { runId: 'x' }],
  ['POST', '/commands/create-thread', { title: 'a' }],
  ['POST', '/commands/send-message', { thread_id: '{thread}', content: '' }],
  ['POST', '/api/commands/fork-thread', { source_thread_id: '{thread}', event_number: 1 }],
  ['POST', '/api/keys', { name: 'a' }],
  ['DELETE', '/api/keys/x'],
  ['POST', '/api/auth/sign-in/email', { email: 'a@example.org', password: 'no' }],
  ['POST', '/api/auth/sign-up/email', { email: 'a', password: 'b', name: 'c' }],
  ['POST', '/api/auth/sign-out', {}],
  ['POST', '/api/auth/no-such-thing', {}],
  ['POST', '/c/{chat}', []],
  ['POST', '/', []],
]

const pick = <T>({ dice }: World, values: readonly T[]): T => values[dice.roll(values.length)] as T

const odd = [
  ...words(
    `%00 %ff % %e0%a4 %2e%2e .. \\ ; | ' " < {} [ 😀 null undefined -1 1e999 __proto__ constructor \u00ff`,
  ),
  ...['%0d%0aX: y', 'a'.repeat(3000), '/'.repeat(200)],
]
const values: readonly unknown[] = [
  ...[null, true, 0, -1, 1e308, '', ' ', 'a'.repeat(200_000), '\u0000', '\ud800', '\u202e', [], {}, [[[]]]],
  ...[[null], { a: 1 }, { toString: 1 }, 'null', '$F1', '$undefined', 'main', '9'.repeat(400)],
]
const types = [
  ...['', 'text/plain', 'application/xml', 'multipart/form-data', 'multipart/form-data; boundary=x'],
  ...['application/json; charset=utf-16', 'application/x-www-form-urlencoded', 'a'.repeat(500)],
  'text/plain;charset=UTF-8',
]
const forwarded = ['evil.example', 'a, b', '😀', 'http://x']
const bypass = ['middleware:middleware:middleware:middleware:middleware']
const hostileValues: Readonly<Record<string, readonly string[]>> = {
  Origin: words('null https://evil.example http:// file:// 😀'),
  Host: [
    ...['', 'a b', 'a'.repeat(300)],
    ...words('ramify_app:3000 example.org. [::1 [::1]:80 a:99999 ex%41mple ..'),
  ],
  'Transfer-Encoding': ['gzip', 'chunked, gzip', 'x'],
  'Content-Encoding': ['gzip', 'br', 'x'],
  Authorization: [
    ...['Bearer', 'Bearer x', 'bearer  rk_x', 'Basic YTpi', 'Bearer \u00ff', `Bearer ${'a'.repeat(9000)}`],
  ],
  Cookie: ['%', 'better-auth.session_token=x', 'a=b; a=c; ;;=', '\u00ff', 'a'.repeat(9000)],
  'Next-Router-State-Tree': words('[ %5B%5D [""] ["",{},null,null,true] %ff null {}'),
  RSC: ['1', 'x', ''],
  'Next-Router-Prefetch': ['1', 'x', ''],
  'Next-Action': ['x', '0'.repeat(40), '4'.repeat(42), ''],
  'Next-Url': words('/../.. http://evil.example %ff 😀'),
  'Last-Event-ID': ['x', '-1', '0', '99999999999999999999', 'x, y'],
  'Idempotency-Key': ['\u0001', 'a'.repeat(300), ''],
  'X-Forwarded-Host': forwarded,
  'X-Forwarded-For': forwarded,
  'X-Forwarded-Proto': forwarded,
  'x-middleware-subrequest': bypass,
  'x-nextjs-data': bypass,
  'x-invoke-path': bypass,
  'x-matched-path': bypass,
  'x-now-route-matches': bypass,
  Range: ['bytes=0-', 'bytes=9-1', 'x'],
  Expect: ['100-continue', 'x'],
  Accept: ['text/event-stream', '*', 'text/x-component', '\u00ff'],
  Upgrade: ['websocket'],
  Connection: ['Upgrade'],
  traceparent: ['00-zz'],
  'Accept-Language': [`${'x,'.repeat(3000)}`],
}
const hostile = Object.entries(hostileValues).flatMap(([name, all]) => all.map((v) => [name, v] as const))

/** One thing that is wrong with a request. */
const kinds: Readonly<Record<string, (draft: Draft, world: World) => void>> = {
  'another method': (draft, world) => {
    draft.method = pick(world, words('GET POST PUT PATCH DELETE HEAD OPTIONS TRACE CONNECT PROPFIND get X'))
  },
  'an odd address': (draft, world) => {
    const parts = draft.path.split(/(?=[/?&=])/)
    const at = world.dice.roll(parts.length)
    parts.splice(at, world.dice.roll(2), `${pick(world, ['/', '', '?', '&', '='])}${pick(world, odd)}`)
    draft.path = encoded(parts.join('') || '/')
  },
  'an odd query': (draft, world) => {
    const names = words('q limit since after before branch chat columns role offset left at _rsc')
    const name = pick(world, names)
    draft.path = `${draft.path}${draft.path.includes('?') ? '&' : '?'}${name}=${encoded(pick(world, odd))}`
  },
  'no identity': (draft) => {
    draft.headers = draft.headers.filter(([name]) => name !== 'Cookie')
  },
  'a key as identity': (draft, world) => {
    draft.headers = draft.headers.filter(([name]) => name !== 'Cookie')
    draft.headers.push(['Authorization', `Bearer ${world.key}`])
  },
  'a hostile header': (draft, world) => {
    const [name, value] = pick(world, hostile)
    if (world.dice.roll(4) > 0) draft.headers = draft.headers.filter(([given]) => given !== name)
    draft.headers.push([name, value])
  },
  'another type': (draft, world) => {
    draft.headers = draft.headers.filter(([name]) => name !== 'Content-Type')
    draft.headers.push(['Content-Type', pick(world, types)])
  },
  'a broken body': (draft, world) => {
    const text = draft.body.toString() || '{"a":1}'
    draft.body = pick<() => string | Buffer>(world, [
      () => text.slice(0, world.dice.roll(text.length)),
      () => Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xff, 0xfe, 0xc0])]),
      () => '{"a":'.repeat(100),
      () => '['.repeat(5000),
      () => `{"a":[${'{},'.repeat(30_000)}{}]}`,
      () => text.repeat(2),
      () => JSON.stringify(pick(world, values)),
      () => 'a'.repeat(1_200_000),
      () => '',
    ])()
  },
  'odd values': (draft, world) => {
    const names = [...Object.keys(draft.fields), '__proto__', 'extra']
    draft.body = JSON.stringify({ ...draft.fields, [pick(world, names)]: pick(world, values) })
  },
  'an action': (draft, world) => {
    draft.method = 'POST'
    draft.path = pick(world, ['/', `/c/${world.chat}`, '/no-such-page', '/docs/api'])
    draft.headers.push(['Next-Action', pick(world, ['x', '0'.repeat(42), '40'.padEnd(42, 'a'), ''])])
    draft.headers.push(['Content-Type', pick(world, ['text/plain;charset=UTF-8', ...types])])
    draft.body = pick(world, [
      '',
      ...words('[] [{}] ["$F1"] ["$K1"] ["$Q1"] ["$1:a:b"] { [1 ["$@0"] [[[[]]]] ["$B1"]'),
    ])
  },
  'a wrong length': (draft, world) => {
    draft.headers.push(['Content-Length', pick(world, ['-1', 'x', '0', '99999999999999', '5, 6', '1e3'])])
  },
  'no HTTP': (draft, world) => {
    draft.raw = pick(world, [
      'GET\r\n\r\n',
      'GET / HTTP/9.9\r\nHost: a\r\n\r\n',
      'GET / HTTP/1.1\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
      'GET http://evil.example/api/health HTTP/1.1\r\nHost: localhost\r\n\r\n',
      `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: localhost\r\n${'X: y\r\n'.repeat(3000)}\r\n`,
      'POST /api/chat HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      'POST /api/chat HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      'GET / HTTP/1.0\r\n\r\n',
      'GET //evil.example/%2e%2e HTTP/1.1\r\nHost: localhost\r\n\r\n',
      'OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n',
      '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    ])
  },
}

/** Requests of every route with one to three things wrong, as a client that means harm sends them. */
export const hostileRequests: Attack = {
  name: 'hostile requests',
  async run({ base, arena, dice, rounds }) {
    arena.answer = () => 'Noted.'
    const guest = await arena.visitor(base)
    const chat = randomUUID()
    await (await guest.send(base, chat, 'hello')).rest()
    const { thread_id } = await guest.createThread(base)
    const { key } = await guest.json<{ key: string }>(`${base}/api/keys`, { name: 'hostile' })
    const world: World = { cookie: guest.cookie, key, chat, thread: thread_id, dice }
    const requests = times(Math.min(ALL, OF_A_ROUND * rounds), (i) => draftOf(i, base, world))
    const problems = await inParallel(requests, 8, async ({ bytes, path, what }) =>
      judge(await sendRaw(base, bytes, HANG), path).map((problem) => `${problem}: ${what}`),
    )
    return problems.flat()
  },
}

function draftOf(index: number, base: string, world: World): { bytes: Buffer; path: string; what: string } {
  const [method, path, body] = routes[index % routes.length] ?? ['GET', '/']
  const filled = (text: string) => text.replaceAll('{chat}', world.chat).replaceAll('{thread}', world.thread)
  const draft: Draft = {
    method,
    path: filled(path),
    headers: [
      ['Host', new URL(base).host],
      ['Cookie', world.cookie],
      ...(body ? [['Content-Type', 'application/json'] as [string, string]] : []),
    ],
    body: body ? filled(JSON.stringify(body)) : '',
    fields: JSON.parse(filled(JSON.stringify(body ?? {}))) as object,
  }
  const names = Object.keys(kinds)
  const wrong = times(
    1 + world.dice.roll(3),
    (i) => (i === 0 ? names[index % names.length] : pick(world, names)) ?? '',
  )
  for (const name of wrong) kinds[name]?.(draft, world)
  const bytes = draft.raw === undefined ? bytesOf(draft) : Buffer.from(draft.raw, 'latin1')
  const shown = bytes
    .subarray(0, 400)
    .toString('latin1')
    .replaceAll('\r\n', '⏎')
    .replace(/Cookie: [^⏎]{40,}/, 'Cookie: …')
  return {
    bytes,
    path: draft.raw === undefined ? draft.path : (/^\w+ (\S+) /.exec(draft.raw)?.[1] ?? '/'),
    what: `[${wrong.join(', ')}] ${shown}`,
  }
}

function bytesOf({ method, path, headers, body }: Draft): Buffer {
  const bytes = Buffer.from(body)
  const framed = headers.some(([name]) => name === 'Content-Length' || name === 'Transfer-Encoding')
  const length = framed || bytes.length === 0 ? [] : [`Content-Length: ${bytes.length}`]
  const lines = [
    `${method} ${path} HTTP/1.1`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...length,
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), bytes])
}

/** As a careless client writes it: only what would end the line is encoded. */
const encoded = (text: string): string => text.replaceAll(/\s/g, (c) => encodeURIComponent(c))

function judge(outcome: RawOutcome, path: string): string[] {
  if (outcome.kind === 'hung') return [`no answer after ${HANG} ms`]
  // what is no HTTP may be hung up on
  if (outcome.kind === 'closed') return []
  const { status, headers, body } = outcome.answer
  if (outcome.ms >= HANG) return [`an answer of ${status} without end`]
  if (status >= 500 && status !== 503) return [`answered ${status}`]
  if (status < 400 || !isApi(path)) return []
  // a server that calls itself unwell is no refusal
  if (status === 503 && HEALTH.test(path)) return []
  const type = headers.get('content-type') ?? 'nothing'
  const isProblem = type.startsWith('application/problem+json')
  // where agents call models, refusals of what has come in are told as their protocol tells them
  if (!isProblem && !(AGENTS.test(path) && type.startsWith('application/json')))
    return [`${status} is told as ${type}`]
  // an answer to HEAD has no body
  if (body === '') return []
  try {
    const told = JSON.parse(body) as Refusal
    const says = isProblem ? told.status === status && told.detail && told.code : told.error?.message
    return says ? [] : [`${status} says ${body.slice(0, 200)}`]
  } catch {
    return [`${status} says ${body.slice(0, 200)}`]
  }
}

const HEALTH = /^(?:\/api)?\/health(?:[/?]|$)/
const AGENTS = /^\/v1\/(?:chat\/completions|responses|messages|models)(?:[/?]|$)/

/** A problem document, or an error of OpenAI's or Anthropic's form. */
interface Refusal {
  status?: number
  detail?: string
  code?: string
  error?: { message?: string }
}
