import { BlockList, isIP } from 'node:net'
import { networkAddress } from './request-origin.ts'

/** The machines that pass a request on and may name its client. */
export interface TrustedProxies {
  /**
   * True when the machine at `address`, `hops` steps before this server, is trusted (0: the one that
   * connected).
   */
  trusts(address: string, hops: number): boolean
}

/** No proxy: the address that connected is the client's. */
export const noProxies: TrustedProxies = { trusts: () => false }

/**
 * Reads `RAMIFY_TRUSTED_PROXIES`: how many proxies every request passes, or the addresses and ranges they have.
 *
 * @param setting `2`, or `10.0.0.0/8, 192.0.2.1, fd00::/8`; absent or `0` trusts none
 * @throws Error with one line that names the variable, for anything else
 */
export function readTrustedProxies(setting: string | undefined): TrustedProxies {
  const text = setting?.trim() ?? ''
  if (text === '') return noProxies
  if (/^\d{1,2}$/.test(text)) {
    const count = Number(text)
    return { trusts: (_address, hops) => hops < count }
  }
  const ranges = new BlockList()
  for (const part of text.split(',')) addRange(ranges, part.trim())
  return {
    trusts: (address) => isIP(address) !== 0 && ranges.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4'),
  }
}

function addRange(ranges: BlockList, part: string): void {
  const [written = '', prefix, ...rest] = part.split('/')
  const address = networkAddress(written)
  const bits = address && isIP(address) === 6 ? 128 : 32
  const length = prefix === undefined ? bits : Number(prefix)
  const whole = prefix === undefined || /^\d{1,3}$/.test(prefix)
  if (!address || rest.length > 0 || !whole || length > bits) {
    throw new Error(
      `RAMIFY_TRUSTED_PROXIES must be a number of proxies or a list of addresses and ranges like 10.0.0.0/8, not "${part}"`,
    )
  }
  ranges.addSubnet(address, length, bits === 128 ? 'ipv6' : 'ipv4')
}

/**
 * The client of a request: the last address in the chain that is not a trusted proxy's. Earlier entries of
 * `X-Forwarded-For` were written by that client or for it, and do not count.
 *
 * @param peer the address that connected to us
 * @param forwardedFor the header as it came, all its lines joined by commas
 */
export function clientOf(peer: string | undefined, forwardedFor: string, proxies: TrustedProxies): string {
  let client = networkAddress(peer ?? '')
  if (client === undefined) return 'unknown'
  const chain = forwardedFor.split(',')
  for (let hops = 0; proxies.trusts(client, hops); hops += 1) {
    const before = networkAddress(chain.pop() ?? '')
    // a proxy that names no origin is the origin
    if (before === undefined) break
    client = before
  }
  return client
}
