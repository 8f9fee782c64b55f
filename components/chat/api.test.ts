import { afterEach, expect, it, vi } from 'vitest'
import { createApi } from './api'

afterEach(() => vi.unstubAllGlobals())

function serve(answers: Array<{ status: number }>) {
  const calls: string[] = []
  vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
    calls.push(`${init?.method ?? 'GET'} ${input}`)
    if (input.endsWith('/anonymous')) return Response.json({})
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
  expect(onSignIn).toHaveBeenCalledTimes(1)
})

it('signs in again after a 401 and repeats the request once', async () => {
  const calls = serve([{ status: 401 }, { status: 401 }])
  const api = createApi({ signedIn: true, onSignIn: vi.fn() })
  await expect(api.fetch('/a', { method: 'POST' })).rejects.toMatchObject({ problem: { status: 401 } })
  expect(calls).toEqual(['POST /a', signIn, 'POST /a'])
})
