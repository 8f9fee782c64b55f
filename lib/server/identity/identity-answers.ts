import 'server-only'
import { ENDED_KEYS, ENDED_SESSIONS } from '@/lib/auth'

/** The same answer whether the address was free or taken: only its owner can find out, by signing in. */
export const signedUp = (): Response =>
  answerOf({ next: 'sign-in', detail: 'Sign in with this address and password now.' })

/**
 * An answer of the identity service without the session's token, which its cookie alone carries, out of reach of the
 * page's scripts; and with what of a guest ended by signing in.
 */
export async function withoutToken(response: Response): Promise<Response> {
  if (!response.headers.get('content-type')?.includes('application/json')) return response
  const body: unknown = await response.json()
  const headers = new Headers(response.headers)
  const keys = Number(headers.get(ENDED_KEYS) ?? 0)
  const sessions = Number(headers.get(ENDED_SESSIONS) ?? 0)
  const isLinked = headers.has(ENDED_KEYS)
  for (const name of [ENDED_KEYS, ENDED_SESSIONS, 'content-length']) headers.delete(name)
  const bare = bareOf(body)
  const told = isLinked && isRecord(bare) ? { ...bare, guest: { keys, sessions, note: noteOf(keys) } } : bare
  return answerOf(told, response.status, headers)
}

/** What to tell a person who was a guest and has signed in. */
function noteOf(keys: number): string | null {
  if (keys === 0) return null
  return `${keys} API ${keys === 1 ? 'key' : 'keys'} of your guest account ended. Make new ones for this account.`
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function bareOf(body: unknown): unknown {
  if (!isRecord(body)) return body
  const { token: _token, session, ...rest } = body
  if (!isRecord(session)) return rest
  const { token: _sessionToken, ...bareSession } = session
  return { session: bareSession, ...rest }
}

function answerOf(body: unknown, status = 200, sent = new Headers()): Response {
  const headers = new Headers(sent)
  headers.set('content-type', 'application/json')
  headers.set('cache-control', 'no-store')
  return new Response(JSON.stringify(body), { status, headers })
}
