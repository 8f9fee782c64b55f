import { isOwnOrigin, networkAddress, passesFront } from './request-origin.ts'
import { hostName } from './served-hosts.ts'

type HeaderReader = Pick<Headers, 'get'>

/** A browser's statement about requests that no other site has caused; programs send none. */
const OWN_SITES: ReadonlySet<string> = new Set(['none', 'same-origin'])

/** Set by the front on a request that came straight from this machine; a client's own is dropped. */
export const DIRECT_HEADER = 'x-ramify-direct'

/** Set by proxies and tunnels. */
const forwarded = ['forwarded', 'via', 'x-real-ip'] as const

/** True when a host name or an address is this machine's for every program on it, and for no other machine. */
export const isLoopback = (name: string): boolean =>
  /^(localhost|.*\.localhost|127(\.\d+){3}|\[?::1\]?)$/i.test(name)

/**
 * True when a request was sent on this machine, by a program or by a page of ours: it came straight to us, it names `localhost`,
 * and no browser says that another site caused it. Another port of `localhost` is another site, and `0.0.0.0` another host.
 *
 * @param options.opensPage whether a link of another site may lead here, as to a page, which that site cannot read
 */
export function isFromHere(headers: HeaderReader, { opensPage = false } = {}): boolean {
  if (!isDirect(headers) || !isLoopback(hostName(headers.get('host') ?? ''))) return false
  const origin = headers.get('origin')
  if (origin !== null && !isOwnOrigin(origin, headers, undefined)) return false
  if (OWN_SITES.has(headers.get('sec-fetch-site') ?? 'none')) return true
  return (
    opensPage && headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document'
  )
}

/**
 * True when no proxy has passed the request on. In development the framework adds the connecting address, and
 * keeps a proxy's headers.
 */
function isDirect(headers: HeaderReader): boolean {
  if (passesFront()) return headers.get(DIRECT_HEADER) !== null
  if (forwarded.some((name) => headers.get(name) !== null)) return false
  const [from, host] = [headers.get('x-forwarded-for'), headers.get('x-forwarded-host')]
  return (
    (from === null || isLoopback(networkAddress(from) ?? '')) &&
    (host === null || host === headers.get('host'))
  )
}
