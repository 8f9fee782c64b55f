import { isHost } from './public-host.ts'

type HeaderReader = Pick<Headers, 'get'>

/**
 * The address a request came to, as `scheme://host:port`: the public address where it is set, whatever a proxy made of
 * the request; else the host that was asked for. Undefined when that cannot be a host.
 *
 * @param publicUrl `BETTER_AUTH_URL`
 */
export function ownOrigin(headers: HeaderReader, publicUrl: string | undefined): string | undefined {
  if (publicUrl) return new URL(publicUrl).origin
  const host = headers.get('host') ?? ''
  if (!isHost(host)) return undefined
  return new URL(`${isSecure(headers) ? 'https' : 'http'}://${host}`).origin
}

/**
 * Whether a page of ours can have sent a request with this `Origin`: scheme, host and port are the same. Without a
 * public address, a page under https is ours too when the host is: its encryption ends at a proxy that does not say so.
 */
export function isOwnOrigin(origin: string, headers: HeaderReader, publicUrl: string | undefined): boolean {
  if (!URL.canParse(origin)) return false
  const asked = new URL(origin).origin
  if (asked === 'null') return false
  const own = ownOrigin(headers, publicUrl)
  if (own === undefined || asked === own) return own !== undefined
  return !publicUrl && !isSecure(headers) && asked === new URL(`https://${headers.get('host')}`).origin
}

const isSecure = (headers: HeaderReader): boolean =>
  headers.get('x-forwarded-proto')?.split(',').at(-1)?.trim().toLowerCase() === 'https'
