import { expect, it } from 'vitest'
import { handleAuth } from '@/lib/server/api/access'
import { useApi } from '@/testing/worlds/api-world'
import { behindFront } from '@/testing/worlds/framework'
import { Browser } from '@/testing/worlds/identity-world'
import { onServedDatabase } from '@/testing/worlds/open-stores'

behindFront()

onServedDatabase('guests of one address', ({ name }) => {
  const api = useApi(name, { RAMIFY_QUOTA_ADDRESS_GUESTS: '3' })
  const begin = (address: string) =>
    new Browser(handleAuth, 'http://localhost:3000', address).post('sign-in/anonymous')
  const network = `2001:db8:0:${name === 'pglite' ? 1 : 2}::/64`
  const people = async () => (await api.query('select 1 from "user"')).length

  it('given an address with three guests today, when a fourth begins there, then it is refused and no one is made; another address is not', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => begin(network)))
    const refused = [...answers.filter(({ status }) => status !== 200), await begin(network)]
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(refused).toHaveLength(3)
    for (const answer of refused) {
      expect(answer.status).toBe(429)
      expect(answer.body).toMatchObject({
        code: 'quota_exceeded',
        limit: 'address_guests',
        allowed: 3,
        used: 3,
        retry_after: Number(answer.headers.get('retry-after')),
      })
      expect(answer.body.retry_after).toBeGreaterThan(0)
    }
    expect(await people()).toBe(3)
    expect((await begin('203.0.113.7')).status).toBe(200)
    expect(await people()).toBe(4)
    // one line, however often it was refused
    expect(api.lines.filter((line) => line.includes('quota_hit'))).toHaveLength(1)
  })
})
