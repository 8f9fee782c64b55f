import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { UnauthenticatedError } from '@/lib/auth'
import { NotFoundError } from '@/lib/context'
import { RequestRefusedError } from '@/lib/server/http/problem'
import { noteRefusal } from '@/lib/server/http/refused-access'

vi.mock('@/lib/runtime/front/request-origin', async (original) => ({
  ...(await original<object>()),
  clientAddress: ({ headers }: { headers: Headers }) => headers.get('x-test-address'),
}))
vi.mock('@/lib/auth', () => ({ UnauthenticatedError: class extends Error {} }))

const lines: Record<string, unknown>[] = []
beforeEach(() => {
  lines.length = 0
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(JSON.parse(line)))
})
afterEach(() => vi.restoreAllMocks())

const wrongOrigin = new RequestRefusedError(403, 'wrong_origin', 'No.')
const request = (address: string, headers: Record<string, string> = {}) =>
  new Request('http://ramify.test/api/chats/trip/graph?q=my+secret+words', {
    headers: { 'x-test-address': address, ...headers },
  })

it('given a shared chat that is copied without a session, then the audit log has no token', () => {
  const token = '4fZ8qXn0v3Yw1kQm7sTbJc2LhRg5uPaE9iOdNfKzMxA'
  const headers = { 'x-test-address': '192.0.2.9' }
  const copy = new Request(`http://ramify.test/api/shares/${token}/fork`, { method: 'POST', headers })
  noteRefusal(new UnauthenticatedError('session'), copy)
  expect(lines).toEqual([expect.objectContaining({ path: '/api/shares/[token]/fork' })])
})

it('given a wrong key, then the audit log has address, path and kind of credential, and neither the key nor the query', () => {
  const key = 'rk_4fZ8qXn0v3Yw1kQm7sTbJc2LhRg5uPaE9iOdNfKzMxA'
  noteRefusal(new UnauthenticatedError('key'), request('192.0.2.1', { authorization: `Bearer ${key}` }))
  const noted = { audit: 'access_refused', address: '192.0.2.1', code: 'unauthenticated', status: 401 }
  const asked = { method: 'GET', path: '/api/chats/trip/graph', credential: 'key' }
  expect(lines).toEqual([expect.objectContaining({ ...noted, ...asked })])
  expect(JSON.stringify(lines)).not.toMatch(/rk_|secret/)
})

it('given a wrong origin and a wrong secret, then both are noted', () => {
  noteRefusal(wrongOrigin, request('192.0.2.2', { cookie: 'a=b' }))
  noteRefusal(new RequestRefusedError(401, 'unauthorized', 'No.'), request('192.0.2.2'))
  const noted = lines.map(({ code, credential }) => `${code} ${credential}`)
  expect(noted).toEqual(['wrong_origin session', 'unauthorized none'])
})

it('given errors of other kinds, then nothing is noted', () => {
  const tooLarge = new RequestRefusedError(413, 'too_large', 'No.')
  for (const error of [new NotFoundError('chat', 'trip'), tooLarge, new Error('broken')])
    noteRefusal(error, request('192.0.2.3'))
  expect(lines).toEqual([])
})

it('given a thousand refusals of one address, then ten lines are written, and another address is still heard', () => {
  for (let n = 0; n < 1000; n++) noteRefusal(wrongOrigin, request('192.0.2.4'))
  noteRefusal(new RequestRefusedError(403, 'wrong_origin', 'No.'), request('192.0.2.5'))
  expect(lines.filter(({ address }) => address === '192.0.2.4')).toHaveLength(10)
  expect(lines.filter(({ address }) => address === '192.0.2.5')).toHaveLength(1)
})
