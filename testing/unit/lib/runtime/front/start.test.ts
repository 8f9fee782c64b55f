import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import { readEnv } from '../../../../../lib/runtime/env.ts'
import { listen } from '../../../../../lib/runtime/front/listen.ts'
import { isRouterState } from '../../../../../lib/runtime/front/router-state.ts'
import { openKeyWarning, readServeOptions } from '../../../../../lib/runtime/front/serve-options.ts'

describe('where a server listens', () => {
  const env = readEnv({})

  test('given nothing, then it is localhost and port 3000; given options, then they win over the environment', () => {
    expect(readServeOptions([], env)).toEqual({ dev: false, hostname: 'localhost', port: 3000 })
    const set = readEnv({ HOST: '0.0.0.0', PORT: '80' })
    expect(readServeOptions(['--dev'], set)).toEqual({ dev: true, hostname: '0.0.0.0', port: 80 })
    const all = { dev: false, hostname: '::1', port: 4000 }
    expect(readServeOptions(['-H', '::1', '-p', '4000'], set)).toEqual(all)
    expect(readServeOptions(['--hostname', '::1', '--port=4000'], set)).toEqual(all)
  })

  test.each(['x', '-1', '70000', '1.5'])('given the port %s, then one line says so', (port) =>
    expect(() => readServeOptions([`--port=${port}`], env)).toThrow(/^--port cannot be/),
  )

  test('given localhost, when it listens, then both of its addresses answer, and neither after it has closed', async () => {
    const listening = await listen(
      createServer((_request, response) => response.end('here')),
      'localhost',
      0,
    )
    const answered = await Promise.allSettled(
      ['127.0.0.1', '[::1]'].map((host) =>
        fetch(`http://${host}:${listening.port}/`).then((it) => it.text()),
      ),
    )
    expect(answered[0]).toEqual({ status: 'fulfilled', value: 'here' })
    // a machine without IPv6 has no second one
    if (answered[1]?.status === 'fulfilled') expect(answered[1].value).toBe('here')
    await listening.close()
    await expect(fetch(`http://127.0.0.1:${listening.port}/`)).rejects.toThrow()
  })

  test('given a port that is taken, when it would listen, then it rejects', async () => {
    const first = await listen(createServer(), '127.0.0.1', 0)
    await expect(listen(createServer(), '127.0.0.1', first.port)).rejects.toThrow('EADDRINUSE')
    await first.close()
  })
})

describe('a server with a provider key', () => {
  const warning = (host: string, settings: Record<string, string>) =>
    openKeyWarning(host, readEnv(settings), settings, ['OPENAI_API_KEY'])
  const key = { OPENAI_API_KEY: 'k' }

  test('given a key, no quota and a host that others reach, then one line warns of it', () => {
    for (const host of ['0.0.0.0', '::', '192.168.1.5', 'example.org'])
      expect(warning(host, key)).toMatch(/^HOST=[^\n]*OPENAI_API_KEY[^\n]*RAMIFY_QUOTA_CALLS[^\n]*$/)
  })

  test('given only this machine, no key, or a quota, then nothing is said', () => {
    for (const host of ['localhost', '127.0.0.1', '::1', '127.1.2.3'])
      expect(warning(host, key)).toBeUndefined()
    expect(warning('0.0.0.0', { OPENAI_API_KEY: ' ' })).toBeUndefined()
    expect(warning('0.0.0.0', { ...key, RAMIFY_QUOTA_SITE_CALLS: '100' })).toBeUndefined()
    expect(warning('0.0.0.0', { ...key, DATABASE_URL: 'postgres://x/y' })).toBeUndefined()
  })
})

describe('the router’s header', () => {
  const header = (value: unknown) => encodeURIComponent(JSON.stringify(value))

  test('given what the router sends, then it is read', () => {
    const page = ['__PAGE__', {}, null, 'refetch', 4]
    expect(isRouterState(header(['', { children: [['id', 'x', 'd', null], { children: page }] }]))).toBe(true)
    expect(isRouterState(header(['', {}]))).toBe(true)
  })

  test.each([
    ['no JSON', 'garbage'],
    ['half a character', '%ff'],
    ['no tree', header({})],
    ['a kind of segment that there is not', header([['id', 'x', 'z', null], {}])],
    [
      'a tree that never ends',
      header(Array.from({ length: 90 }).reduce((tree) => ['', { a: tree }], ['', {}])),
    ],
    ['too much', 'a'.repeat(40_001)],
  ])('given %s, then it is refused', (_what, text) => expect(isRouterState(text)).toBe(false))
})
