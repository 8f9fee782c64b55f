import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { admitRequest } from './admit-request.ts'
import { DIRECT_HEADER } from './own-machine.ts'
import { noProxies, readTrustedProxies } from './trusted-proxies.ts'

interface Given {
  headers?: Record<string, string>
  remote?: string
  local?: string
  httpVersion?: string
  proxies?: typeof noProxies
}

/** True when the app is told that a request came straight from this machine. */
function cameStraight({ headers = {}, remote = '127.0.0.1', local = '127.0.0.1', ...rest }: Given): boolean {
  const { httpVersion = '1.1', proxies = noProxies } = rest
  const request = {
    method: 'GET',
    url: '/',
    httpVersion,
    rawHeaders: ['Host', 'localhost:3000'],
    headers: { host: 'localhost:3000', ...headers },
    socket: { remoteAddress: remote, localAddress: local },
  }
  expect(admitRequest(request as unknown as IncomingMessage, { proxies })).toBeUndefined()
  return DIRECT_HEADER in request.headers
}

it.each<[boolean, Given]>([
  [true, {}],
  [true, { remote: '::1', local: '::1' }],
  [true, { remote: '::ffff:127.0.0.1', local: '::ffff:127.0.0.1' }],
  // another machine, or an address of this one that other machines reach
  [false, { remote: '192.168.1.9', local: '192.168.1.7' }],
  [false, { remote: '192.168.1.7', local: '192.168.1.7' }],
  [false, { remote: '2001:db8::1', local: '::1' }],
  // a proxy on this machine
  [false, { headers: { 'x-forwarded-for': '127.0.0.1' } }],
  [false, { headers: { 'x-forwarded-proto': 'https' } }],
  [false, { headers: { forwarded: 'for=127.0.0.1' } }],
  [false, { headers: { 'cf-connecting-ip': '127.0.0.1' } }],
  [false, { headers: { via: '1.1 proxy' } }],
  [false, { httpVersion: '1.0' }],
  [false, { proxies: readTrustedProxies('1') }],
  // its own word for it
  [false, { headers: { [DIRECT_HEADER]: 'yes' } }],
  [false, { headers: { [DIRECT_HEADER]: 'yes' }, remote: '192.168.1.9' }],
])('%s: a request came straight from this machine, given %j', (expected, given) =>
  expect(cameStraight(given)).toBe(expected),
)
