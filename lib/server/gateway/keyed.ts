import 'server-only'
import { bearerOf } from '@/lib/auth'

/**
 * A request as the door (`admit`) knows it, without its body: the key of `x-api-key` is a bearer token, and there is no
 * cookie, which a page of another site could send. Its `Origin` stays: it tells such a page from a program on this machine.
 */
export function keyed(request: Request): Request {
  const headers = new Headers(request.headers)
  const key = headers.get('x-api-key')
  if (key !== null && bearerOf(request) === undefined) headers.set('authorization', `Bearer ${key}`)
  for (const name of ['x-api-key', 'cookie']) headers.delete(name)
  return new Request(request.url, { method: request.method, headers })
}
