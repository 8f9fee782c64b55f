import 'server-only'
import { bearerOf, UnauthenticatedError, type Viewer } from '@/lib/auth'
import type { Services } from '@/lib/runtime'
import type { KeyScope } from '@/lib/store'
import { admitAgent, checkStranger } from '../http/admit'

/**
 * A request as the door (`admit`) knows it, without its body: the key of `x-ramify-key`, or else of `x-api-key`, is a bearer
 * token, and there is no cookie, which a page of another site could send. With `x-ramify-key` the other keys are the client's
 * own at its provider (`ownCredential`).
 */
export function keyed(request: Request): Request {
  const headers = new Headers(request.headers)
  const ours = headers.get('x-ramify-key') || undefined
  const key = ours ?? (bearerOf(request) === undefined ? headers.get('x-api-key') : null)
  if (key !== null) headers.set('authorization', `Bearer ${key}`)
  for (const name of ['x-ramify-key', 'x-api-key', 'cookie', 'origin']) headers.delete(name)
  return new Request(request.url, { method: request.method, headers })
}

/**
 * The viewer of a request that `keyed` has made. It brings a key, also at a machine of one owner: its sender
 * is unknown without its `Origin`.
 */
export async function admitKeyed(known: Request, services: Services, scope?: KeyScope): Promise<Viewer> {
  if (bearerOf(known) !== undefined) return admitAgent(known, services, scope)
  checkStranger(known, services)
  throw new UnauthenticatedError('session')
}
