import 'server-only'
import { bearerOf, type Viewer } from '@/lib/auth'
import { getServices, logError, onBehalfOf, type Services } from '@/lib/runtime'
import { checkOrigin } from './check-origin'
import { checkScope } from './check-scope'
import { clientAddress } from './client-address'
import { countedFor } from './counted'
import { knownViewer } from './known-viewer'
import { problemOf, RequestRefusedError } from './problem'
import { checkRate, checkReads } from './rate-limit'
import { noteRefusal } from './refused-access'
import { requestTurnstile } from './turnstile'

/** What a route's use case is given. */
export interface RouteCall<Params> {
  request: Request
  params: Params
  viewer: Viewer
  services: Services
}

type Handler<Params> = (request: Request, context: { params: Promise<Params> }) => Promise<Response>

/**
 * A route handler in four steps: viewer, parse, one use case, encode. Whatever is thrown becomes a problem document;
 * writes are checked for their origin (but a key is sent by nobody's browser unasked), and writes and reads are counted,
 * each against the viewer's rate. `names` is what the address names, for the sentence that says it is not there.
 */
export function defineRoute<Params = Record<string, never>>(
  use: (call: RouteCall<Params>) => Promise<Response>,
  { names = 'Chat' }: { names?: 'Chat' | 'Thread' | 'Key' } = {},
): Handler<Params> {
  return async (request, context) => {
    try {
      return await requestTurnstile.pass(credentialOf(request), () => answer(request, context))
    } catch (error) {
      noteRefusal(error, request)
      return problemResponse(error)
    }
  }

  async function answer(request: Request, context: { params: Promise<Params> }): Promise<Response> {
    const writes = request.method !== 'GET' && request.method !== 'HEAD'
    const services = await getServices()
    if (writes && bearerOf(request) === undefined) checkOrigin(request, services.env.BETTER_AUTH_URL)
    const viewer = await knownViewer(request, services.limits.readsPerMinute)
    checkScope(viewer, writes ? 'write' : 'read')
    if (writes) checkRate(viewer.id, services.env.RAMIFY_RATE_LIMIT)
    else checkReads(viewer.id, services.limits.readsPerMinute)
    const params = await context.params
    checkAddress(request, params, names)
    const call = {
      request,
      params,
      viewer,
      services: writes ? countedFor(services, request) : services,
    }
    return await onBehalfOf(viewer.id, () => use(call))
  }
}

/** What a request says of who sends it, before that is looked up. */
const credentialOf = (request: Request): string =>
  bearerOf(request) ?? request.headers.get('cookie') ?? clientAddress(request)

/** Where an address has words to look for: they name nothing, and their route says what is wrong with them. */
const words = 'q'

/** No id and no name holds NUL, and Postgres takes none: what asks for one asks for nothing that exists. */
function checkAddress(request: Request, params: unknown, names: string): void {
  const asked = [...new URL(request.url).searchParams].filter(([key]) => key !== words)
  const named = [...Object.values(params ?? {}), ...asked.map(([, value]) => value)]
  if (named.some((value) => String(value).includes('\0'))) {
    throw new RequestRefusedError(404, 'not_found', `${names} not found`)
  }
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
type Method = (typeof METHODS)[number]

/**
 * All methods of an address: the given ones, and for the others a problem document that names those. Where there is a
 * `GET`, `HEAD` is answered by it.
 */
export function defineMethods<Params = Record<string, never>>(
  handlers: Partial<Record<Method, Handler<Params>>>,
): Record<Method | 'HEAD' | 'OPTIONS', Handler<Params>> {
  const allowed = METHODS.filter((method) => handlers[method])
  const allow = [...allowed, ...(handlers.GET ? ['HEAD'] : []), 'OPTIONS'].join(', ')
  const refuse: Handler<Params> = async ({ method }) => {
    const detail = `${method} is not possible here. This address takes ${allowed.join(' and ')}.`
    const refused = problemResponse(new RequestRefusedError(405, 'method_not_allowed', detail))
    refused.headers.set('allow', allow)
    return refused
  }
  return {
    ...{
      GET: refuse,
      HEAD: handlers.GET ?? refuse,
      POST: refuse,
      PUT: refuse,
      PATCH: refuse,
      DELETE: refuse,
    },
    OPTIONS: async () => new Response(null, { status: 204, headers: { allow } }),
    ...handlers,
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
      ...(problem.status === 429 || problem.status === 503
        ? { 'retry-after': String(problem.retry_after ?? 60) }
        : {}),
      ...(problem.status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    },
  })
}
