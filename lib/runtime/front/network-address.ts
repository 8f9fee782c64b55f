import { isIP } from 'node:net'

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

const shared = globalThis as typeof globalThis & { __ramifyFront?: true }

/** Notes that every request of this process passes the front, which sets `x-ramify-address` itself. */
export function announceFront(): void {
  shared.__ramifyFront = true
}

/** Whether the front stands before this process's routes; without it, a client may send any `x-ramify-address`. */
export const hasFront = (): boolean => shared.__ramifyFront === true
