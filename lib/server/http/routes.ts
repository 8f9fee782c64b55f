import 'server-only'
import { refuseHostOf } from '@/lib/runtime/front/served-hosts'
import type { Handler, Operation } from '../api/operation'
import { problemResponse, RequestRefusedError } from './problem'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
type Method = (typeof METHODS)[number]
type Route = Record<Method | 'HEAD' | 'OPTIONS', Handler>

/** The parts of an operation that make its route. */
type Addressed = Pick<Operation, 'method' | 'path' | 'handle' | 'refuseMethod' | 'openToPages'>

/** Lets pages of other sites read an answer, as apps in a browser do. Such answers read no cookie. */
export const forAnyPage = { 'access-control-allow-origin': '*' } as const

/** Handles the requests to a host of this server, and refuses others (421): a page of theirs could read the answer. */
export const atOwnHost =
  <Rest extends unknown[]>(handle: (request: Request, ...rest: Rest) => Promise<Response>) =>
  async (request: Request, ...rest: Rest): Promise<Response> => {
    const refusal = refuseHostOf(request.headers)
    if (!refusal) return handle(request, ...rest)
    return problemResponse(new RequestRefusedError(refusal.status, refusal.code, refusal.detail))
  }

/**
 * All methods of a catch-all route below an address: each operation at its path, and `otherwise` at any
 * other. A method that an address does not have is refused with a problem document (405) that names its
 * methods. An address with `GET` also answers `HEAD`.
 *
 * @example export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routesBelow('/api', allOperations)
 */
export function routesBelow(
  base: string,
  operations: readonly Addressed[],
  otherwise: Handler = nothingHere,
): Route {
  const addresses = addressesBelow(base, operations)
  return everyMethod(
    atOwnHost(async (request, context) => {
      const { path: asked = [] }: { path?: readonly string[] } = (await context.params) ?? {}
      for (const { segments, route } of addresses) {
        const params = paramsAt(segments, asked)
        if (params) return route[request.method as keyof Route](request, { params: Promise.resolve(params) })
      }
      return otherwise(request, { params: Promise.resolve({}) })
    }),
  )
}

interface Address {
  segments: readonly string[]
  route: Route
}

/** The addresses below one; a word stands before a parameter at the same place. */
function addressesBelow(base: string, operations: readonly Addressed[]): Address[] {
  const below = operations.filter(({ path }) => path === base || path.startsWith(`${base}/`))
  return [...Map.groupBy(below, ({ path }) => path)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([path, those]) => ({ segments: segmentsOf(path.slice(base.length)), route: routeOf(those) }))
}

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '')

/** The parameters of an address, which stand as `{id}` in its path; undefined when another address is asked for. */
function paramsAt(segments: readonly string[], asked: readonly string[]): Record<string, string> | undefined {
  if (segments.length !== asked.length) return undefined
  const params: Record<string, string> = {}
  for (const [at, segment] of segments.entries()) {
    const value = asked[at] ?? ''
    if (segment.startsWith('{')) params[segment.slice(1, -1)] = value
    else if (segment !== value) return undefined
  }
  return params
}

/** All methods of one address. */
function routeOf(operations: readonly Addressed[]): Route {
  const handlers: Partial<Record<string, Handler>> = Object.fromEntries(
    operations.map(({ method, handle }) => [method.toUpperCase(), handle]),
  )
  const allowed = METHODS.filter((method) => handlers[method])
  const allow = [...allowed, ...(handlers.GET ? ['HEAD'] : []), 'OPTIONS'].join(', ')
  const refuseMethod = operations[0]?.refuseMethod
  const refuse: Handler = async (request) => {
    if (refuseMethod) return refuseMethod(request, allow)
    const { method } = request
    const detail = `${method} is not possible here. This address takes ${allowed.join(' and ')}.`
    const refused = problemResponse(new RequestRefusedError(405, 'method_not_allowed', detail))
    refused.headers.set('allow', allow)
    return refused
  }
  const preflight = {
    allow,
    ...forAnyPage,
    'access-control-allow-methods': allow,
    'access-control-allow-headers': 'authorization, content-type, mcp-protocol-version',
  }
  const headers = operations.some(({ openToPages }) => openToPages) ? preflight : { allow }
  return {
    ...everyMethod(refuse),
    HEAD: handlers.GET ?? refuse,
    OPTIONS: async () => new Response(null, { status: 204, headers }),
    ...handlers,
  }
}

const everyMethod = (handle: Handler): Route => ({
  GET: handle,
  HEAD: handle,
  POST: handle,
  PUT: handle,
  PATCH: handle,
  DELETE: handle,
  OPTIONS: handle,
})

const nothingHere: Handler = async () =>
  problemResponse(new RequestRefusedError(404, 'not_found', 'There is nothing at this address.'))
