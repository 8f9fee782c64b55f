import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { UnauthenticatedError } from '@/lib/auth'
import { RequestRefusedError } from './problem'
import { auditRefusal } from './refused-access'

vi.mock('./client-address', () => ({
  clientAddress: (request: Request) => request.headers.get('x-test-address'),
}))

let lines: Record<string, unknown>[]
beforeEach(() => {
  lines = []
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(JSON.parse(line)))
})
afterEach(() => void vi.restoreAllMocks())

const from = (address: string, headers: Record<string, string> = {}) =>
  new Request('http://localhost/api/threads?q=secret', { headers: { 'x-test-address': address, ...headers } })

test('given a key or a session that is none, or may not do this, when it is refused, then a line says so, without it', () => {
  auditRefusal(from('a', { authorization: 'Bearer rk_wrong' }), new UnauthenticatedError('key'))
  auditRefusal(from('a', { cookie: 'better-auth.session_token=old' }), new UnauthenticatedError('session'))
  auditRefusal(from('a'), new RequestRefusedError(403, 'insufficient_scope', 'This API key may only read.'))
  expect(lines.map(({ reason }) => reason)).toEqual(['key', 'session', 'insufficient_scope'])
  for (const line of lines)
    expect(line).toMatchObject({ audit: 'access_refused', address: 'a', path: '/api/threads' })
  expect(JSON.stringify(lines)).not.toMatch(/rk_wrong|=old|secret/)
})

test('given a request without any credential, or a refusal of another kind, then nothing is written', () => {
  auditRefusal(from('b'), new UnauthenticatedError('session'))
  auditRefusal(from('b'), new RequestRefusedError(404, 'not_found', 'Not found'))
  auditRefusal(from('b'), new Error('anything'))
  expect(lines).toEqual([])
})

test('given one address that tries a thousand keys in a minute, then the log has twenty lines of it, and those of others', () => {
  for (let n = 0; n < 1000; n++) {
    auditRefusal(from('c', { authorization: `Bearer rk_${n}` }), new UnauthenticatedError('key'))
  }
  auditRefusal(from('d', { authorization: 'Bearer rk_1' }), new UnauthenticatedError('key'))
  expect(lines).toHaveLength(21)
})
