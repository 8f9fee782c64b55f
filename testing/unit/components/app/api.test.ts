import { afterEach, expect, it, vi } from 'vitest'
import { createApi, getJson } from '@/components/app/api'

afterEach(() => vi.unstubAllGlobals())

/** A page's API, with or without a session; what it asks the server for, and whom it made a guest. */
function open({ signedIn, answers = [] }: { signedIn: boolean; answers?: number[] }) {
  const calls: string[] = []
  const guests: string[] = []
  vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
    calls.push(`${init?.method ?? 'GET'} ${input}`)
    if (input.endsWith('/anonymous')) return Response.json({ user: { id: 'guest' } })
    return new Response('{}', { status: answers.shift() ?? 200 })
  })
  const api = createApi({ signedIn, onSignIn: (id) => void guests.push(id) })
  const write = (method = 'POST') => api.fetch('/a', { method, body: 'secret' })
  return { api, calls, guests, write }
}

const signIn = 'POST /api/auth/sign-in/anonymous'

it('signs in before the first write, once, and never for a read', async () => {
  const { api, calls, guests, write } = open({ signedIn: false })
  await api.fetch('/read')
  await Promise.all([write(), write('PUT')])
  expect(calls).toEqual(['GET /read', signIn, 'POST /a', 'PUT /a'])
  expect(guests).toEqual(['guest'])
})

it('makes no guest for a read, also when the session is over', async () => {
  const { api, calls, guests } = open({ signedIn: true, answers: [401] })
  await expect(api.fetch('/read')).rejects.toMatchObject({ problem: { status: 401 } })
  expect([calls, guests]).toEqual([['GET /read'], []])
})

const ended = {
  problem: {
    status: 401,
    code: 'unauthenticated',
    detail: 'Your session has ended. Reload the page and sign in.',
  },
}

it.each(['PUT', 'POST', 'DELETE'])(
  'given a session that ended, when a %s is refused, then no guest is made for it, and the words say why',
  async (method) => {
    const { calls, guests, write } = open({ signedIn: true, answers: [401, 401] })
    await expect(write(method)).rejects.toMatchObject(ended)
    await expect(write(method)).rejects.toMatchObject(ended)
    expect([calls, guests]).toEqual([[`${method} /a`, `${method} /a`], []])
  },
)

it('given a visitor who became a guest here, when that session ends, then no other guest is made', async () => {
  const { calls, write } = open({ signedIn: false, answers: [200, 401] })
  await write()
  await expect(write('PUT')).rejects.toMatchObject(ended)
  expect(calls).toEqual([signIn, 'POST /a', 'PUT /a'])
})

it('given a session that ended, when the person goes on as a guest, then one guest is made, and writes go on', async () => {
  const { api, calls, guests, write } = open({ signedIn: true, answers: [401] })
  await expect(write()).rejects.toMatchObject(ended)
  await Promise.all([api.goOnAsGuest(), api.goOnAsGuest()])
  await write()
  expect(calls).toEqual(['POST /a', signIn, 'POST /a'])
  expect(guests).toEqual(['guest'])
})

it('given a visitor without a session, when a read is refused, then its own words stay', async () => {
  const { api } = open({ signedIn: false, answers: [401] })
  await expect(api.fetch('/read')).rejects.toMatchObject({ problem: { code: 'unknown', status: 401 } })
})

it('reads an answer that comes compressed as the JSON it was', async () => {
  const answer = { words: 'so '.repeat(99) }
  vi.stubGlobal('fetch', async () => {
    const body = new Response(JSON.stringify(answer)).body?.pipeThrough(new CompressionStream('gzip'))
    return new Response(body, { headers: { 'content-type': 'application/gzip' } })
  })
  const api = createApi({ signedIn: true, onSignIn: () => undefined })
  expect(await getJson(api, '/graph')).toEqual(answer)
  vi.stubGlobal('fetch', async () => Response.json(answer))
  expect(await getJson(api, '/graph')).toEqual(answer)
})
