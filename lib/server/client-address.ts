import 'server-only'

/**
 * Set by our own HTTP server (`lib/runtime/front`) on every request, whatever the client sent under this name: the
 * address of the client, behind as many proxies as `RAMIFY_TRUSTED_PROXIES` names.
 */
export const ADDRESS_HEADER = 'x-ramify-address'

/**
 * The network address a request came from, for limits and the audit log. `unknown` where nothing trustworthy says it:
 * all such requests share one limit.
 */
export function clientAddress(request: { headers: Pick<Headers, 'get'> }): string {
  return request.headers.get(ADDRESS_HEADER) ?? 'unknown'
}
