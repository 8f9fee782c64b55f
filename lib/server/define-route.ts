import 'server-only'
import { requireViewer, type Viewer } from '@/lib/auth'
import { getServices, logError, type Services } from '@/lib/runtime'
import { checkOrigin } from './check-origin'
import { problemOf, RequestRefusedError } from './problem'
import { checkRate } from './rate-limit'

/** What a route's use case is given. */
export interface RouteCall<Params> {
  request: Request
  params: Params
  viewer: Viewer
  services: Services
}

/**
 * A route handler in four steps: viewer, parse, one use case, encode. Whatever is thrown becomes a problem document;
 * writes are checked for their origin and counted against the viewer's rate.
 */
export function defineRoute<Params = Record<string, never>>(
  use: (call: RouteCall<Params>) => Promise<Response>,
): (request: Request, context: { params: Promise<Params> }) => Promise<Response> {
  return async (request, context) => {
    try {
      const writes = request.method !== 'GET' && request.method !== 'HEAD'
      const services = await getServices()
      if (writes) checkOrigin(request, services.env.BETTER_AUTH_URL)
      const viewer = await requireViewer()
      if (writes) checkRate(viewer.id, services.env.RAMIFY_RATE_LIMIT)
      const params = await context.params
      checkAddress(request, params)
      return await use({ request, params, viewer, services })
    } catch (error) {
      return problemResponse(error)
    }
  }
}

/** No id and no name holds NUL, and Postgres takes none: what asks for one asks for nothing that exists. */
function checkAddress(request: Request, params: unknown): void {
  const named = [...Object.values(params ?? {}), ...new URL(request.url).searchParams.values()]
  if (named.some((value) => String(value).includes('\0'))) {
    throw new RequestRefusedError(404, 'not_found', 'Chat not found')
  }
}

/** An error as the response that says it. */
export function problemResponse(error: unknown): Response {
  const problem = problemOf(error)
  if (problem.status === 500) logError('route', error)
  return Response.json(problem, {
    status: problem.status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      ...(problem.status === 429 ? { 'retry-after': '60' } : {}),
    },
  })
}
