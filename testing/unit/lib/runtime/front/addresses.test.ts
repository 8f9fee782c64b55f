import { describe, expect, test } from 'vitest'
import {
  isHost,
  isOwnOrigin,
  limitedAddress,
  networkAddress,
} from '../../../../../lib/runtime/front/request-origin.ts'
import { clientOf, readTrustedProxies } from '../../../../../lib/runtime/front/trusted-proxies.ts'

describe('a network address', () => {
  test.each([
    ...['::ffff:1.2.3.4 1.2.3.4', '::FFFF:102:304 1.2.3.4', '1.2.3.4:567 1.2.3.4', 'fe80::1%eth0 fe80::1'],
    ...['[2001:DB8::1]:443 2001:db8::1', '2001:0db8:0:0::0001 2001:db8::1', 'unknown', '1.2.3.400', ''],
  ])('given an address, then it is the same without port and zone: %s', (line) => {
    const [text = '', address] = line.split(' ')
    expect(networkAddress(text)).toBe(address)
  })

  test.each([
    ['1.2.3.4', '1.2.3.4'],
    ['2001:db8:1:2:3::4', '2001:db8:1:2::/64'],
    ['2001:db8::4', '2001:db8::/64'],
    ['::1', '::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ])('given %s, then limits count it as %s', (address, counted) =>
    expect(limitedAddress(address)).toBe(counted),
  )
})

describe('RAMIFY_TRUSTED_PROXIES', () => {
  const client = (setting: string | undefined, peer: string, chain: string) =>
    clientOf(peer, chain, readTrustedProxies(setting))

  test.each([
    ['is not set', undefined, '10.0.0.1', '1.1.1.1', '10.0.0.1'],
    ['is 0', '0', '10.0.0.1', '1.1.1.1', '10.0.0.1'],
    ['is 1 and the chain is forged', '1', '10.0.0.1', '6.6.6.6, 1.1.1.1', '1.1.1.1'],
    ['is 2', '2', '10.0.0.1', '6.6.6.6, 1.1.1.1, 10.0.0.2', '1.1.1.1'],
    ['is 2 and the chain is short', '2', '10.0.0.1', '1.1.1.1', '1.1.1.1'],
    ['is 1 and the proxy says nothing', '1', '10.0.0.1', '', '10.0.0.1'],
    ['is 1 and the proxy says nonsense', '1', '10.0.0.1', '1.1.1.1, unknown', '10.0.0.1'],
    ['names a range', '10.0.0.0/8', '::ffff:10.0.0.1', '6.6.6.6, 1.1.1.1, 10.9.9.9', '1.1.1.1'],
    ['names a range and another peer connects', '10.0.0.0/8', '9.9.9.9', '1.1.1.1', '9.9.9.9'],
    ['names addresses of both kinds', '127.0.0.1, fd00::/8', 'fd00::5', '1.1.1.1,127.0.0.1', '1.1.1.1'],
    ['names a range that holds all of the chain', '10.0.0.0/8', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ])('given that it %s, then the client is found', (_what, setting, peer, chain, expected) =>
    expect(client(setting, peer, chain)).toBe(expected),
  )

  test.each('yes|-1|10.0.0.0/33|10.0.0/8|::1/129|10.0.0.1,|1.2.3.4/8/9|100|10.0.0.0/x'.split('|'))(
    'given %s, then one line names the variable',
    (setting) => expect(() => readTrustedProxies(setting)).toThrow(/^RAMIFY_TRUSTED_PROXIES must be [^\n]+$/),
  )
})

describe('the host and the origin of a request', () => {
  test('given hosts and texts that are none, then they are told apart', () => {
    const hosts = 'ramify_app:3000 a. [::1] LOCALHOST:1 _dmarc.example a-b.c 127.0.0.1:65535'.split(' ')
    const others = 'a/b a@b a:99999 %zz ü [::1 1.2.3.999 a..b a?b a: [x]'.split(' ')
    const all = [...hosts, ...others, '', 'a b', 'a\n']
    expect(all.map((host) => [host, isHost(host)])).toEqual(all.map((host) => [host, hosts.includes(host)]))
  })

  const own = (origin: string, publicUrl: string | undefined, headers: Record<string, string>) =>
    isOwnOrigin(origin, new Headers(headers), publicUrl)
  const at = (host: string, proto?: string) => ({ host, ...(proto ? { 'x-forwarded-proto': proto } : {}) })

  test.each([
    ['the public address', 'https://chat.example', 'https://chat.example', at('inside:3000'), true],
    ['it with its default port', 'https://chat.example:443', 'https://chat.example/', at('inside'), true],
    ['it without encryption', 'http://chat.example', 'https://chat.example', at('chat.example'), false],
    ['another port of it', 'https://chat.example:8443', 'https://chat.example', at('chat.example'), false],
    ['the inner host', 'http://inside:3000', 'https://chat.example', at('inside:3000'), false],
    ['the host asked for', 'http://a_b:3000', undefined, at('a_b:3000'), true],
    ['another port of the host', 'http://a:3001', undefined, at('a:3000'), false],
    ['a page without encryption on a host with it', 'http://a', undefined, at('a', 'https'), false],
    ['an encrypted page behind a silent proxy', 'https://a', undefined, at('a', 'http'), true],
    ['no origin that can be told', 'null', undefined, at('null'), false],
    ['another site', 'https://evil.example', undefined, at('a'), false],
  ])('given %s, then it is ours or not', (_what, origin, publicUrl, headers, expected) =>
    expect(own(origin, publicUrl, headers as Record<string, string>)).toBe(expected),
  )
})
