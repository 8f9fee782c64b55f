import 'server-only'
import { getAuth } from '@/lib/auth'
import { getServices } from '@/lib/runtime'
import { checkOrigin } from './check-origin'
import { problemResponse } from './define-route'
import { RequestRefusedError } from './problem'
import { readBody } from './read-body'

/** What the app uses of the identity service; the rest of it is not there. */
const served = new Set([
  'GET get-session',
  'POST sign-in/anonymous',
  'POST sign-in/email',
  'POST sign-up/email',
  'POST sign-out',
])

/** Names, addresses and passwords are short. */
const MAX_BODY = 10_000

/** `/api/auth/…`, answered by the identity service once the request has passed the same checks as any other. */
export async function handleAuth(request: Request): Promise<Response> {
  try {
    const path = new URL(request.url).pathname.replace('/api/auth/', '')
    if (!served.has(`${request.method} ${path}`)) throw new RequestRefusedError(404, 'not_found', 'Not found')
    const auth = await getAuth()
    if (request.method === 'GET') return await auth.handler(request)
    const { env } = await getServices()
    checkOrigin(request, env.BETTER_AUTH_URL)
    const body = await readBody(request, MAX_BODY)
    const { url, method, headers } = request
    const response = await auth.handler(new Request(url, { method, headers, body: JSON.stringify(body) }))
    if (response.status !== 429) return response
    throw new RequestRefusedError(
      429,
      'too_many_requests',
      'Too many attempts to sign in. Wait a minute and try again.',
    )
  } catch (error) {
    return problemResponse(error)
  }
}
