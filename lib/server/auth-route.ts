import 'server-only'
import { getAuth, sessionHeaders } from '@/lib/auth'
import { getServices } from '@/lib/runtime'
import { checkOrigin } from './check-origin'
import { problemResponse } from './define-route'
import { answerSession, identityHandlers } from './identity-requests'
import { identityRoutes } from './identity-routes'
import { RequestRefusedError } from './problem'
import { readBody } from './read-body'

/** Names, addresses and passwords are short. */
const MAX_BODY = 10_000

/** `/api/auth/…`, answered by the identity service once the request has passed the same checks as any other. */
export async function handleAuth(request: Request): Promise<Response> {
  try {
    const path = new URL(request.url).pathname.replace('/api/auth/', '')
    if (!identityRoutes.has(`${request.method} ${path}`))
      throw new RequestRefusedError(404, 'not_found', 'Not found')
    if (request.method === 'GET') return await answerSession(request)
    const services = await getServices()
    const ownUrl = services.env.BETTER_AUTH_URL
    checkOrigin(request, ownUrl)
    const body = await readBody(request, MAX_BODY)
    const handle = identityHandlers[path]
    if (!handle) throw new RequestRefusedError(404, 'not_found', 'Not found')
    const { url, method } = request
    const headers = new Headers(await sessionHeaders(request.headers))
    // the identity service wants one beside every cookie; a script sends none, and what comes from no page needs none
    if (!headers.has('origin')) headers.set('origin', new URL(ownUrl ?? url).origin)
    const ask = async (given: object, at = path) => {
      const auth = await getAuth()
      return auth.handler(
        new Request(new URL(`/api/auth/${at}`, url), { method, headers, body: JSON.stringify(given) }),
      )
    }
    return await handle({ services, request, body, ask })
  } catch (error) {
    return problemResponse(error)
  }
}
