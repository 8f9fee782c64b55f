import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createServices, type Services } from '@/lib/runtime'
import { handleAuth } from '@/lib/server/api/access'
import { databaseEnv, onEachDatabase } from '@/testing/worlds/open-stores'

vi.mock('@/lib/runtime/front/request-origin', async (original) => ({
  ...(await original<object>()),
  clientAddress: ({ headers }: { headers: Headers }) => headers.get('x-test-address'),
}))

type Shared = { __ramifyServices?: Promise<Services>; __ramifyAuth?: unknown }

onEachDatabase('guests of one address', ({ name }) => {
  const shared = globalThis as Shared
  let services: Services
  let drop: () => Promise<void> = async () => undefined
  beforeAll(async () => {
    const { env, remove } = await databaseEnv(name)
    services = await createServices({
      ...env,
      BETTER_AUTH_SECRET: 'x'.repeat(32),
      RAMIFY_QUOTA_ADDRESS_GUESTS: '3',
    })
    drop = async () => {
      await services.database.close()
      await remove()
    }
    shared.__ramifyServices = Promise.resolve(services)
    delete shared.__ramifyAuth
  })
  afterAll(async () => {
    delete shared.__ramifyServices
    delete shared.__ramifyAuth
    await drop()
  })

  const begin = (address: string) =>
    handleAuth(
      new Request('http://localhost:3000/api/auth/sign-in/anonymous', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-test-address': address },
        body: '{}',
      }),
    )
  const network = `2001:db8:0:${name === 'pglite' ? 1 : 2}::/64`
  const people = async () => (await services.database.query('select 1 from "user"')).length

  it('given an address with three guests today, when a fourth begins there, then it is refused and no one is made; another address is not', async () => {
    const told = vi.spyOn(console, 'log').mockImplementation(() => undefined)
    const answers = await Promise.all(Array.from({ length: 5 }, () => begin(network)))
    const refused = [...answers.filter(({ ok }) => !ok), await begin(network)]
    expect(answers.filter(({ ok }) => ok)).toHaveLength(3)
    expect(refused).toHaveLength(3)
    for (const answer of refused) {
      expect(answer.status).toBe(429)
      const problem = await answer.json()
      expect(problem).toMatchObject({
        ...{ code: 'quota_exceeded', limit: 'address_guests', allowed: 3, used: 3 },
        retry_after: Number(answer.headers.get('retry-after')),
      })
      expect(problem.retry_after).toBeGreaterThan(0)
    }
    expect(await people()).toBe(3)
    expect((await begin('203.0.113.7')).ok).toBe(true)
    expect(await people()).toBe(4)
    // one line, however often it was refused
    const lines = told.mock.calls.map(([line]) => String(line)).filter((line) => line.includes('quota_hit'))
    told.mockRestore()
    expect(lines).toHaveLength(1)
  })
})
