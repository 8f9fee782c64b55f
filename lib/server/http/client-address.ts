import 'server-only'
import { hasFront, limitedAddress, networkAddress } from '@/lib/runtime/front/network-address'

/**
 * The address of the client, behind the proxies of `RAMIFY_TRUSTED_PROXIES`. Our own HTTP server (`lib/runtime/front`)
 * sets it on every request, and drops what the client sent under this name.
 */
export const ADDRESS_HEADER = 'x-ramify-address'

/**
 * The network address a request came from, for limits and the audit log: IPv6 by its /64. `unknown` without
 * a trusted source, as under plain `next start`: all such requests share one limit.
 */
export function clientAddress(request: { headers: Pick<Headers, 'get'> }): string {
  const { headers } = request
  if (hasFront()) return headers.get(ADDRESS_HEADER) ?? 'unknown'
  // Vercel writes these two itself, and drops what a client sends under their names
  if (!process.env.VERCEL) return 'unknown'
  const said = headers.get('x-vercel-forwarded-for')?.split(',')[0] ?? headers.get('x-real-ip') ?? ''
  const address = networkAddress(said)
  return address ? limitedAddress(address) : 'unknown'
}
