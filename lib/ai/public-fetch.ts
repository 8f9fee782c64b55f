import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Agent } from 'undici'
import { unhurried } from './wire/patient-fetch'
import { plainFetch } from './wire/plain-fetch'

/** An address that leads into a private network, to this machine, or to nothing public. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError'

  constructor() {
    super('The address is not public')
  }
}

/** All that is given out of IPv6; the rest may be routed inside a network. */
const globalIPv6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** True when an IP address is one of the public internet; also of an IPv4 address that is written as IPv6. */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '')
  if (!ipaddr.isValid(bare)) return false
  const parsed = ipaddr.process(bare)
  return parsed.range() === 'unicast' && (parsed instanceof ipaddr.IPv4 || parsed.match(globalIPv6))
}

/**
 * As the platform's lookup, but a name with any address that is not public is unknown: the answer must not tell which
 * names the server's own network has.
 */
const publicLookup: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) return done(error, [])
    if (!found.every(({ address }) => isPublicAddress(address))) return done(unknownName(hostname), [])
    if (options.all) return done(null, found)
    const [first] = found
    done(null, first?.address ?? '', first?.family)
  })
}

const unknownName = (hostname: string): Error =>
  Object.assign(new Error(`${hostname} has no public address`), { code: 'ENOTFOUND' })

// the name is looked up for the connection itself: another answer a moment later changes nothing
const askPublic = plainFetch(new Agent({ ...unhurried, connect: { lookup: publicLookup } }))

/**
 * `fetch` for addresses that people give: it connects to public addresses by https only, also when a name leads elsewhere.
 * Follows no redirect to another host (`ownHostFetch` around it).
 *
 * @throws PrivateAddressError for an address that is not public, or not https; TypeError for a name that leads to one, as
 *   for a name that does not exist
 */
export const publicFetch: typeof globalThis.fetch = async (input, init) => {
  const url = new URL(String(input))
  const isAddress = ipaddr.isValid(url.hostname.replace(/^\[|\]$/g, ''))
  // an address is connected to without a lookup
  if (url.protocol !== 'https:' || (isAddress && !isPublicAddress(url.hostname)))
    throw new PrivateAddressError()
  return askPublic(url, init)
}
