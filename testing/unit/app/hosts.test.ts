import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { NextRequest } from 'next/server'
import { afterEach, expect, test, vi } from 'vitest'
import { handleAuth } from '@/lib/server/api/access'
import { routesBelow } from '@/lib/server/http/routes'
import { config, proxy } from '@/proxy'
import { repoRoot } from '@/testing/runner/repo-root'

afterEach(() => vi.unstubAllEnvs())

const asked = (address: string, method = 'GET') =>
  new Request(`http://evil.example:3000${address}`, { method, headers: { host: 'evil.example:3000' } })

/** Whether requests to an address pass the proxy, by its matcher. */
const passesProxy = (address: string) => new RegExp(`^${config.matcher[0]}$`).test(address)

test('given no front and the name of another site, when a route is asked, then it refuses and nothing is done', async () => {
  const handle = vi.fn()
  const [path, otherwise] = ['/api/x', handle]
  const route = routesBelow('/api', [{ method: 'get', path, handle }], otherwise)
  const at = (...segments: string[]) => ({ params: Promise.resolve({ path: segments }) })
  for (const answer of [
    ...[await route.GET(asked('/api/x'), at('x')), await route.HEAD(asked('/api/x', 'HEAD'), at('x'))],
    ...[
      await route.POST(asked('/api/x', 'POST'), at('x')),
      await route.OPTIONS(asked('/api/x', 'OPTIONS'), at('x')),
    ],
    await route.GET(asked('/api/nothing'), at('nothing')),
    await handleAuth(asked('/api/auth/sign-in/anonymous', 'POST')),
  ]) {
    expect(answer.status).toBe(421)
    expect(await answer.json()).toMatchObject({ code: 'wrong_host' })
  }
  expect(handle).not.toHaveBeenCalled()
})

test('given any route that does not pass the proxy, then it is made in a way that looks at the host', () => {
  const routes = readdirSync(path.join(repoRoot, 'app'), { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('/route.ts') && !passesProxy(`/${path.dirname(file)}`))
  expect(routes.length).toBeGreaterThan(2)
  const looks = /^export (?:const \{[^}]+\} = routesBelow\(|\{ handleAuth as )/m
  const others = routes.filter((file) => !looks.test(readFileSync(path.join(repoRoot, 'app', file), 'utf8')))
  expect(others).toEqual([])
})

test('given no front and the name of another site, when a page is asked for, then it is refused; with a public address it is served', async () => {
  for (const address of ['/', '/c/x', '/settings', '/s/token/files/1', '/mcp', '/health']) {
    expect(passesProxy(address), address).toBe(true)
    expect((await proxy(new NextRequest(asked(address)))).status, address).toBe(421)
  }
  vi.stubEnv('BETTER_AUTH_URL', 'https://chat.example.org')
  expect((await proxy(new NextRequest(asked('/')))).status).toBe(200)
})
