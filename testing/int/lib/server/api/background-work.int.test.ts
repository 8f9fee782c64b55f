import { describe, expect, it } from 'vitest'
import { doWork, doWorkByPost } from '@/lib/server/api/operations'
import { useApi } from '@/testing/worlds/api-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'

const secret = 'a-secret-of-a-scheduler'
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

onOneDatabase('background work over HTTP', ({ name }) => {
  describe('with a secret', () => {
    const api = useApi(name, { CRON_SECRET: secret })

    it.each([doWork, doWorkByPost])(
      'given the secret, then $method does it; given another or none, then nothing',
      async (work) => {
        expect((await api.ask(work, bearer(secret))).status).toBe(200)
        const { key } = await (await api.person()).script()
        for (const asking of [{}, bearer(`${secret}x`), bearer(secret.slice(0, -1)), bearer(key), bearer('')])
          expect((await api.ask(work, asking)).status).toBe(401)
      },
    )
  })

  describe('without a secret', () => {
    const api = useApi(name)

    it('given any secret or none, then the address does not exist', async () => {
      for (const asking of [{}, bearer(secret), bearer('undefined'), bearer('')])
        expect((await api.ask(doWork, asking)).status).toBe(404)
    })
  })
})
