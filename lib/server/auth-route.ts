import 'server-only'
import { getAuth } from '@/lib/auth'
import { getServices } from '@/lib/runtime'
import { checkOrigin } from './check-origin'
import { problemResponse } from './define-route'
import { identityRoutes } from './identity-routes'
import { RequestRefusedError } from './problem'
import { readBody } from './read-body'
import { noteRefusal } from './refused-access'

/** Names, addresses and passwords are short. */
const MAX_BODY = 10_000

/** `/api/auth/…`, answered by the identity service once the request has passed the same checks as any other. */
export async function handleAuth(request: Request): Promise<Response> {
  try {
    const path = new URL(request.url).pathname.replace('/api/auth/', '')
    if (!identityRoutes.has(`${request.method} ${path}`))
      throw new RequestRefusedError(404, 'not_found', 'Not found')
    const auth = await getAuth()
    if (request.method === 'GET') return await auth.handler(request)
    const { env } = await getServices()
    checkOrigin(request, env.BETTER_AUTH_URL)
    const body = await readBody(request, MAX_BODY)
    const { url, method } = request
    const headers = new Headers(request.headers)
    // the identity service wants one beside every cookie; a script sends none, and what comes from no page needs none
    if (!headers.has('origin')) headers.set('origin', new URL(env.BETTER_AUTH_URL ?? url).origin)
    const response = await auth.handler(new Request(url, { method, headers, body: JSON.stringify(body) }))
    if (response.status !== 429) return response
    throw new RequestRefusedError(
      429,
      'too_many_requests',
      'Too many attempts to sign in. Wait a minute and try again.',
    )
  } catch (error) {
    noteRefusal(error, request)
    return problemResponse(error)
  }
}
