/** A host that a page can have: a name, an IPv4 address, or an IPv6 address in brackets; with a port or without. */
const form = /^(?:[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_.-])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/**
 * Whether a `Host` header names a host. Names as Docker gives them (`ramify_app:3000`), trailing dots, capitals and
 * addresses do; blanks, user names, paths, ports above 65535 and empty parts do not.
 */
export function isHost(value: string): boolean {
  return value.length <= 255 && form.test(value) && !value.includes('..') && URL.canParse(`http://${value}/`)
}

type HeaderReader = Pick<Headers, 'get'>

/**
 * The address a request was sent to, as `scheme://host:port`: the public address if it is set, whatever headers a proxy
 * has set; otherwise the `Host` header. Undefined when that is not a host.
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
 * public address, a page under https on our host is ours too: a proxy may end the encryption without saying so.
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

/** Whether a path is percent-encoded UTF-8; the framework's router answers any other with a 500. */
export function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
