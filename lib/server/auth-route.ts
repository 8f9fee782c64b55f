import 'server-only'
import { getAuth } from '@/lib/auth'
import { getServices } from '@/lib/runtime'
import { ownOrigin } from '@/lib/runtime/front/request-origin'
import { checkOrigin } from './check-origin'
import { problemResponse } from './define-route'
import { identityAnswer } from './identity-answer'
import { identityRoutes } from './identity-routes'
import { RequestRefusedError } from './problem'
import { readBody } from './read-body'

/** Names, addresses and passwords are short. */
const BODY = { bytes: 10_000, values: 50 }

/** `/api/auth/…`, answered by the identity service once the request has passed the same checks as any other. */
export async function handleAuth(request: Request): Promise<Response> {
  try {
    const path = new URL(request.url).pathname.replace('/api/auth/', '')
    if (!identityRoutes.has(`${request.method} ${path}`))
      throw new RequestRefusedError(404, 'not_found', 'Not found')
    const auth = await getAuth()
    if (request.method === 'GET') return await identityAnswer(await auth.handler(request))
    const { env } = await getServices()
    checkOrigin(request, env.BETTER_AUTH_URL)
    const body = await readBody(request, BODY)
    const { method } = request
    // as it was sent, not as a proxy or the server's own name make it: the identity service compares the two
    const own = ownOrigin(request.headers, env.BETTER_AUTH_URL) ?? new URL(request.url).origin
    const url = `${own}${new URL(request.url).pathname}`
    const headers = new Headers(request.headers)
    // it was checked above; a script sends none, and the identity service wants one beside every cookie
    headers.set('origin', own)
    const response = await auth.handler(new Request(url, { method, headers, body: JSON.stringify(body) }))
    if (response.status !== 429) return identityAnswer(response)
    throw new RequestRefusedError(
      429,
      'too_many_requests',
      'Too many attempts to sign in. Wait a minute and try again.',
    )
  } catch (error) {
    return problemResponse(error)
  }
}
