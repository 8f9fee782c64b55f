import { afterEach, describe, expect, test, vi } from 'vitest'
import { refuseHost, refuseHostOf } from './served-hosts.ts'

const laptop = { hostname: 'localhost' }

describe('the hosts of a server without a public address', () => {
  test.each([
    ...['localhost', 'LOCALHOST', 'localhost:3000', 'localhost.', 'ada.localhost:80'],
    ...['127.0.0.1:3000', '10.0.0.7', '[::1]:3000', '[::1]', '[FE80::1]:80', '127.0.0.1.', '0x7f.1'],
    ...['host.docker.internal:3000', 'host.containers.internal'],
  ])('given %s, which no other site can be, then it is served', (host) =>
    expect(refuseHost(host, laptop)).toBeUndefined(),
  )

  test.each([
    ...['evil.example', 'evil.example:3000', 'EVIL.example.', 'localhost.evil.example', 'notlocalhost'],
    ...['127.0.0.1.evil.example', 'localhost..', 'localhost@evil.example', 'ramify_app:3000'],
    ...['docker.internal', 'host.docker.internal.evil.example', '', ' ', '[::1', '[evil]', '.localhost.x'],
  ])('given "%s", then it is refused with words that say what to set', (host) =>
    expect(refuseHost(host, laptop)).toMatchObject({
      status: 421,
      code: 'wrong_host',
      detail: expect.stringContaining('BETTER_AUTH_URL'),
    }),
  )

  test('given a name or an address to listen at, then that is served in any spelling, and no other name', () => {
    const box = { hostname: 'Box.lan' }
    for (const host of ['box.lan', 'BOX.LAN:3000', 'box.lan.']) expect(refuseHost(host, box)).toBeUndefined()
    expect(refuseHost('other.lan', box)).toBeDefined()
    for (const hostname of ['0.0.0.0', '::', '', undefined]) {
      expect(refuseHost('box.lan', { hostname })).toBeDefined()
      expect(refuseHost('', { hostname })).toBeDefined()
    }
  })

  test('given a public address, then every name counts as that address: proxies and probes use their own', () => {
    const publicUrl = 'https://chat.example.org'
    for (const host of ['chat.example.org', 'ramify_app:3000', '10.0.0.7:80', 'probe.internal'])
      expect(refuseHost(host, { publicUrl })).toBeUndefined()
  })
})

describe('a request that has passed no front', () => {
  const shared = globalThis as typeof globalThis & { __ramifyFront?: true }
  afterEach(() => {
    delete shared.__ramifyFront
    vi.unstubAllEnvs()
  })
  const refused = (headers: Record<string, string>) => refuseHostOf(new Headers(headers))?.status

  test('given the name of another site, then it is refused by its Host, whatever other headers say', () => {
    expect(refused({ host: 'evil.example:3000' })).toBe(421)
    const forged = { 'x-forwarded-host': 'localhost', 'x-ramify-address': '127.0.0.1', 'x-vercel-id': 'x' }
    expect(refused({ host: 'evil.example', ...forged })).toBe(421)
    expect(refused({ host: 'localhost:3000', 'x-forwarded-host': 'evil.example' })).toBeUndefined()
    expect(refused({ host: '' })).toBe(421)
  })

  test('given HTTP/1.0 without a host, a public address, Vercel or a front, then it is served', () => {
    expect(refused({})).toBeUndefined()
    vi.stubEnv('BETTER_AUTH_URL', 'https://chat.example.org')
    expect(refused({ host: 'inner:3000' })).toBeUndefined()
    vi.unstubAllEnvs()
    vi.stubEnv('VERCEL', '1')
    expect(refused({ host: 'ramify-git-main.vercel.app' })).toBeUndefined()
    vi.unstubAllEnvs()
    shared.__ramifyFront = true
    expect(refused({ host: 'inner:3000' })).toBeUndefined()
  })
})
