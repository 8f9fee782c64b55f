import 'server-only'
import { z } from 'zod'
import { ENDED_KEYS, ENDED_SESSIONS } from '@/lib/auth'
import { asProblem, refusalOfStatus } from '@/lib/runtime/front/problem-text'

/** The same answer whether the address was free or taken: only its owner can find out, by signing in. */
export const signedUp = (): Response =>
  answerOf({ next: 'sign-in', detail: 'Sign in with this address and password now.' })

/** The fields of an error of the identity service; each may be missing. */
const serviceError = z
  .object({
    code: z
      .string()
      .regex(/^\w{1,60}$/)
      .toLowerCase()
      .catch('refused'),
    message: z.string().optional().catch(undefined),
  })
  .catch({ code: 'refused', message: undefined })

/**
 * An answer of the identity service, its errors as the problem documents of every other address: the status stays, its
 * code becomes ours (`INVALID_EMAIL` → `invalid_email`), its sentence the detail. Cookies it sets are kept.
 */
export async function withProblem(response: Response): Promise<Response> {
  const { status, headers } = response
  if (status < 400) return response
  // an empty answer, or one that is not JSON, has only its status
  const { code, message } = serviceError.parse(await response.json().catch(() => undefined))
  const refusal = status < 500 ? { status, code, detail: message ?? '' } : refusalOfStatus(status)
  const problem = asProblem(refusal)
  return answerOf(
    { ...problem, detail: problem.detail || `${problem.title}.` },
    status,
    headers,
    'application/problem+json',
  )
}

/**
 * An answer of the identity service without the session's token: only the cookie carries it, out of reach of the page's
 * scripts. After a guest has signed in to an account, the answer says how many keys and sessions of the guest ended.
 */
export async function withoutToken(response: Response): Promise<Response> {
  if (!response.headers.get('content-type')?.includes('application/json')) return response
  // it stands at the top, or in the session
  const bare: unknown = JSON.parse(await response.text(), (key, value) =>
    key === 'token' ? undefined : value,
  )
  const headers = new Headers(response.headers)
  const keys = Number(headers.get(ENDED_KEYS) ?? 0)
  const sessions = Number(headers.get(ENDED_SESSIONS) ?? 0)
  const isLinked = headers.has(ENDED_KEYS)
  for (const name of [ENDED_KEYS, ENDED_SESSIONS]) headers.delete(name)
  const told = isLinked ? { ...(bare as object), guest: { keys, sessions, note: noteOf(keys) } } : bare
  return answerOf(told, response.status, headers)
}

/** The sentence for a person who was a guest and has signed in. */
function noteOf(keys: number): string | null {
  if (keys === 0) return null
  return `${keys} API ${keys === 1 ? 'key' : 'keys'} of your guest account ended. Make new ones for this account.`
}

function answerOf(body: unknown, status = 200, sent = new Headers(), type = 'application/json'): Response {
  const headers = new Headers(sent)
  headers.delete('content-length')
  headers.set('content-type', type)
  headers.set('cache-control', 'no-store')
  return Response.json(body, { status, headers })
}
