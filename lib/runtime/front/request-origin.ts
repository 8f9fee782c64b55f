import { isIP } from 'node:net'

// The client's address of a request, and the address it was sent to.

type HeaderReader = Pick<Headers, 'get'>

/**
 * A network address in the one form that two spellings of it share: IPv4 inside IPv6 becomes IPv4, brackets, ports and
 * zones are removed, letters are lower case. Undefined for any other text.
 *
 * @example networkAddress('[::FFFF:192.0.2.7]:443') // '192.0.2.7'
 */
export function networkAddress(text: string): string | undefined {
  const bare = text
    .trim()
    .replace(/^\[([^\]]*)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/%.*$/, '')
  const kind = isIP(bare)
  if (kind === 4) return bare
  if (kind !== 6) return undefined
  // the URL parser writes every IPv6 address in its shortest form
  const short = new URL(`http://[${bare}]`).hostname.slice(1, -1)
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short)
  if (!mapped) return short
  const [high = 0, low = 0] = mapped.slice(1).map((group) => Number.parseInt(group, 16))
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/**
 * An address as limits count it: IPv4 unchanged, IPv6 by its /64, since one household has all of those addresses.
 *
 * @example limitedAddress('2001:db8:1:2:3::4') // '2001:db8:1:2::/64'
 */
export function limitedAddress(address: string): string {
  if (isIP(address) !== 6) return address
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  const after = tail ? tail.split(':') : []
  const all = [
    ...groups,
    ...Array(tail === undefined ? 0 : 8 - groups.length - after.length).fill('0'),
    ...after,
  ]
  return `${new URL(`http://[${all.slice(0, 4).join(':')}::]`).hostname.slice(1, -1)}/64`
}

/**
 * The address of the client, behind the proxies of `RAMIFY_TRUSTED_PROXIES`. The front sets it on
 * every request, and drops what the client sent under this name.
 */
export const ADDRESS_HEADER = 'x-ramify-address'

const shared = globalThis as typeof globalThis & { __ramifyFront?: true }

/** Notes that every request of this process passes the front, which sets `x-ramify-address` itself. */
export function announceFront(): void {
  shared.__ramifyFront = true
}

/** True when every request of this process passes the front. */
export const passesFront = (): boolean => shared.__ramifyFront ?? false

/**
 * The network address a request came from, for limits and the audit log: IPv6 by its /64. `unknown` without
 * a trusted source, as under plain `next start`: all such requests share one limit.
 */
export function clientAddress(request: { headers: HeaderReader }): string {
  const { headers } = request
  // without the front, a client may send this header itself
  if (passesFront()) return headers.get(ADDRESS_HEADER) ?? 'unknown'
  // Vercel writes these two itself, and drops what a client sends under their names
  if (!process.env.VERCEL) return 'unknown'
  const said = headers.get('x-vercel-forwarded-for')?.split(',')[0] ?? headers.get('x-real-ip') ?? ''
  const address = networkAddress(said)
  return address ? limitedAddress(address) : 'unknown'
}

/** A host that a page can have: a name, an IPv4 address, or an IPv6 address in brackets; with a port or without. */
const form = /^(?:[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_.-])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/**
 * True when a `Host` header names a host. Names as Docker gives them (`ramify_app:3000`), trailing dots, capitals and
 * addresses do; blanks, user names, paths, ports above 65535 and empty parts do not.
 */
export function isHost(value: string): boolean {
  return value.length <= 255 && form.test(value) && !value.includes('..') && URL.canParse(`http://${value}/`)
}

/**
 * The address a request was sent to, as `scheme://host:port`: the public address if it is set, ignoring
 * headers of a proxy; otherwise the `Host` header. Undefined when that is not a host.
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
 * True when a page of ours can have sent a request with this `Origin`: scheme, host and port are the same. Without a
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

/** True when a path is percent-encoded UTF-8; the framework's router answers any other with a 500. */
export function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
