import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createThread, sendMessage } from '@/lib/server/api/commands'
import { doWork, doWorkByPost } from '@/lib/server/api/operations'
import { readMessages } from '@/lib/server/api/threads'
import { given } from '@/testing/machines/framework/given'
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

  describe('where a process sleeps between requests', () => {
    const api = useApi(name, { VERCEL: '1' })
    const later: (() => Promise<unknown>)[] = []
    beforeAll(() => {
      vi.stubEnv('VERCEL', '1')
      given.after = (task) => void later.push(task)
    })
    afterAll(() => {
      vi.unstubAllEnvs()
    })

    it('given a command, then its reply is written before the process sleeps, without a worker or a scheduler', async () => {
      const { ask } = await (await api.person()).script()
      const { thread_id } = (await ask(createThread, { body: {} })).body
      expect((await ask(sendMessage, { body: { thread_id, content: 'My name is Ada.' } })).status).toBe(202)
      for (const task of later.splice(0)) await task()
      expect((await ask(readMessages, { id: thread_id })).body.messages).toMatchObject([
        { content: 'My name is Ada.' },
        { role: 'assistant' },
      ])
    })
  })
})
