import { afterEach, expect, it, vi } from 'vitest'
import { createApi, getJson } from '@/components/app/api'

afterEach(() => vi.unstubAllGlobals())

function serve(answers: Array<{ status: number }>) {
  const calls: string[] = []
  vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
    calls.push(`${init?.method ?? 'GET'} ${input}`)
    if (input.endsWith('/anonymous')) return Response.json({ user: { id: 'guest' } })
    return new Response('{}', answers.shift() ?? { status: 200 })
  })
  return calls
}

const signIn = 'POST /api/auth/sign-in/anonymous'

it('signs in before the first write, once, and never for a read', async () => {
  const calls = serve([])
  const onSignIn = vi.fn()
  const api = createApi({ signedIn: false, onSignIn })
  await api.fetch('/read')
  await Promise.all([api.fetch('/a', { method: 'POST' }), api.fetch('/b', { method: 'POST' })])
  expect(calls).toEqual(['GET /read', signIn, 'POST /a', 'POST /b'])
  expect(onSignIn.mock.calls).toEqual([['guest']])
})

it('makes no guest for a read, also when the session is over', async () => {
  const calls = serve([{ status: 401 }])
  const onSignIn = vi.fn()
  const api = createApi({ signedIn: true, onSignIn })
  await expect(api.fetch('/read')).rejects.toMatchObject({ problem: { status: 401 } })
  expect(calls).toEqual(['GET /read'])
  expect(onSignIn).not.toHaveBeenCalled()
})

const ended = {
  problem: {
    ...{ status: 401, code: 'unauthenticated' },
    detail: 'Your session has ended. Reload the page and sign in.',
  },
}

it.each(['PUT', 'POST', 'DELETE'])(
  'given a session that ended, when a %s is refused, then no guest is made for it, and the words say why',
  async (method) => {
    const calls = serve([{ status: 401 }, { status: 401 }])
    const onSignIn = vi.fn()
    const api = createApi({ signedIn: true, onSignIn })
    await expect(api.fetch('/key', { method, body: 'secret' })).rejects.toMatchObject(ended)
    await expect(api.fetch('/key', { method, body: 'secret' })).rejects.toMatchObject(ended)
    expect(calls).toEqual([`${method} /key`, `${method} /key`])
    expect(onSignIn).not.toHaveBeenCalled()
  },
)

it('given a visitor who became a guest here, when that session ends, then no other guest is made', async () => {
  const calls = serve([{ status: 200 }, { status: 401 }])
  const api = createApi({ signedIn: false, onSignIn: vi.fn() })
  await api.fetch('/a', { method: 'POST' })
  await expect(api.fetch('/key', { method: 'PUT' })).rejects.toMatchObject(ended)
  expect(calls).toEqual([signIn, 'POST /a', 'PUT /key'])
})

it('given a session that ended, when the person goes on as a guest, then one guest is made, and writes go on', async () => {
  const calls = serve([{ status: 401 }])
  const onSignIn = vi.fn()
  const api = createApi({ signedIn: true, onSignIn })
  await expect(api.fetch('/a', { method: 'POST' })).rejects.toMatchObject(ended)
  await Promise.all([api.goOnAsGuest(), api.goOnAsGuest()])
  await api.fetch('/a', { method: 'POST' })
  expect(calls).toEqual(['POST /a', signIn, 'POST /a'])
  expect(onSignIn.mock.calls).toEqual([['guest']])
})

it('given a visitor without a session, when a read is refused, then its own words stay', async () => {
  serve([{ status: 401 }])
  const api = createApi({ signedIn: false, onSignIn: vi.fn() })
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
