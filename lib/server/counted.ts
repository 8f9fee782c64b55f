import 'server-only'
import type { Services } from '@/lib/runtime'
import { clientAddress } from './client-address'

/** The services, for a request that writes: what it stores is counted for the address it comes from too. */
export const countedFor = (services: Services, request: Parameters<typeof clientAddress>[0]): Services => ({
  ...services,
  ports: services.portsFor(networkOf(clientAddress(request))),
})

/**
 * The network a client's address stands for: the address itself, but of IPv6 its first half, since a customer is given
 * that many addresses to choose from.
 *
 * @example networkOf('2001:db8:1:2:3:4:5:6') // '2001:db8:1:2::/64'
 * @example networkOf('::ffff:203.0.113.7') // '203.0.113.7'
 */
export function networkOf(address: string): string {
  const bare = address.replace(/%.*$/, '').toLowerCase()
  if (!bare.includes(':')) return address
  const embedded = /^::(?:ffff:)?(\d+\.\d+\.\d+\.\d+)$/.exec(bare)
  if (embedded?.[1] !== undefined) return embedded[1]
  const [head = '', tail] = bare.split('::')
  const groups = (text: string | undefined) => (text ? text.split(':') : [])
  const first = groups(head)
  const last = groups(tail)
  const gap = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length)
  const all = [...first, ...Array<string>(gap).fill('0'), ...last]
  const half = all.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''))
  return `${half.join(':')}::/64`
}
