import 'server-only'
import { getAuth, sessionHeaders } from '@/lib/auth'
import { getServices } from '@/lib/runtime'
import { ownOrigin } from '@/lib/runtime/front/request-origin'
import { checkOrigin } from '../http/check-origin'
import { problemResponse } from '../http/define-route'
import { RequestRefusedError } from '../http/problem'
import { readBody } from '../http/read-body'
import { noteRefusal } from '../http/refused-access'
import { withProblem } from './identity-problem'
import { answerSession, identityHandlers } from './identity-requests'
import { identityRoutes } from './identity-routes'

/** Names, addresses and passwords are short. */
const BODY = { bytes: 10_000, values: 50 }

/** `/api/auth/…`, answered by the identity service once the request has passed the same checks as any other. */
export async function handleAuth(request: Request): Promise<Response> {
  try {
    const path = new URL(request.url).pathname.replace('/api/auth/', '')
    if (!identityRoutes.has(`${request.method} ${path}`))
      throw new RequestRefusedError(404, 'not_found', 'Not found')
    if (request.method === 'GET') return await withProblem(await answerSession(request))
    const services = await getServices()
    const { BETTER_AUTH_URL } = services.env
    checkOrigin(request, BETTER_AUTH_URL)
    const body = await readBody(request, BODY)
    const handle = identityHandlers[path]
    if (!handle) throw new RequestRefusedError(404, 'not_found', 'Not found')
    const { method } = request
    // as it was sent, not as a proxy or the server's own name make it: the identity service compares the two
    const own = ownOrigin(request.headers, BETTER_AUTH_URL) ?? new URL(request.url).origin
    const headers = new Headers(await sessionHeaders(request.headers))
    // it was checked above; a script sends none, and the identity service wants one beside every cookie
    headers.set('origin', own)
    const ask = async (given: object, at = path) => {
      const auth = await getAuth()
      return auth.handler(
        new Request(`${own}/api/auth/${at}`, { method, headers, body: JSON.stringify(given) }),
      )
    }
    return await withProblem(await handle({ services, request, body, ask }))
  } catch (error) {
    noteRefusal(error, request)
    return problemResponse(error)
  }
}
