import 'server-only'
import type { Handler, Operation } from '../api/operation'
import { problemResponse, RequestRefusedError } from './problem'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
type Method = (typeof METHODS)[number]
type Route = Record<Method | 'HEAD' | 'OPTIONS', Handler>

const everyMethod = (handle: Handler): Route => ({
  ...{ GET: handle, HEAD: handle, POST: handle, PUT: handle },
  ...{ PATCH: handle, DELETE: handle, OPTIONS: handle },
})

/**
 * All methods of one address: its operations, and for the others a problem document (405) that names those. Where there
 * is a `GET`, it answers `HEAD` too.
 *
 * @example export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeOf(createKey, listKeys)
 */
export function routeOf(...operations: Operation[]): Route {
  const handlers = Object.fromEntries(
    operations.map(({ method, handle }) => [method.toUpperCase(), handle]),
  ) as Partial<Record<Method, Handler>>
  const allowed = METHODS.filter((method) => handlers[method])
  const allow = [...allowed, ...(handlers.GET ? ['HEAD'] : []), 'OPTIONS'].join(', ')
  const refuse: Handler = async ({ method }) => {
    const detail = `${method} is not possible here. This address takes ${allowed.join(' and ')}.`
    const refused = problemResponse(new RequestRefusedError(405, 'method_not_allowed', detail))
    refused.headers.set('allow', allow)
    return refused
  }
  return {
    ...everyMethod(refuse),
    HEAD: handlers.GET ?? refuse,
    OPTIONS: async () => new Response(null, { status: 204, headers: { allow } }),
    ...handlers,
  }
}

/** Every method of an address that the API does not have. */
export const noRoute = everyMethod(async () =>
  problemResponse(new RequestRefusedError(404, 'not_found', 'There is nothing at this address.')),
)
