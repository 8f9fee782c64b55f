import { afterEach, describe, expect, it, vi } from 'vitest'
import { readEnv } from './env'
import { isForOneOwner } from './own-machine'

const shared = globalThis as typeof globalThis & { __ramifyFront?: true }

/** True when a server that listens itself is its owner's, with settings over those of a laptop. */
const served = (settings: Record<string, string>, brief = false) => {
  const source = { HOST: 'localhost', ...settings }
  return isForOneOwner(source, readEnv(source), brief)
}

describe('a machine of one owner', () => {
  afterEach(() => {
    delete shared.__ramifyFront
    vi.unstubAllEnvs()
  })

  it.each([
    [true, {}],
    [true, { HOST: '127.0.0.1' }],
    [true, { HOST: '::1' }],
    [true, { RAMIFY_PERSONAL: 'on', RAMIFY_RATE_LIMIT: 'off' }],
    [false, { RAMIFY_PERSONAL: 'off' }],
    [false, { RAMIFY_GUESTS: 'off' }],
    [false, { HOST: '0.0.0.0' }],
    [false, { HOST: '::' }],
    [false, { HOST: '192.168.1.7' }],
    [false, { HOST: 'box.lan' }],
    [false, { DATABASE_URL: 'postgres://localhost/ramify' }],
    [false, { BETTER_AUTH_URL: 'http://localhost:3000' }],
    [false, { RAMIFY_TRUSTED_PROXIES: '1' }],
    [false, { VERCEL: '1' }],
  ])('is %s of a server behind its front with %j', (expected, settings) => {
    shared.__ramifyFront = true
    expect(served(settings)).toBe(expected)
  })

  it('is in development also a server without a front, and otherwise none that listens anywhere', () => {
    expect(served({ NODE_ENV: 'development' })).toBe(true)
    expect(served({ NODE_ENV: 'production' })).toBe(false)
    // `npx next start` and `npx next dev` listen at every address, and set no HOST
    shared.__ramifyFront = true
    expect(served({ HOST: '' })).toBe(false)
  })

  it('is for a command what it is for a server that would be started with its settings', () => {
    expect(served({ HOST: '' }, true)).toBe(true)
    expect(served({ HOST: '0.0.0.0' }, true)).toBe(false)
    expect(served({ RAMIFY_PERSONAL: 'off' }, true)).toBe(false)
    expect(served({ DATABASE_URL: 'postgres://localhost/ramify' }, true)).toBe(false)
  })
})
