import { expect, it } from 'vitest'
import { KeyTestError, testKey } from '@/lib/ai'
import { createServices } from '@/lib/runtime'
import { startOpenAIServer } from '@/testing/machines/openai-server'
import { databaseEnv, onEachDatabase } from '@/testing/worlds/open-stores'

onEachDatabase('addresses of a deployed server’s own network', ({ name }) => {
  it.each([
    { RAMIFY_PRIVATE_ADDRESSES: 'off' },
    { HOST: '0.0.0.0' },
    { HOST: 'localhost', VERCEL: '1' },
    { HOST: 'localhost', BETTER_AUTH_URL: 'https://chat.example.org' },
    { HOST: 'localhost', RAMIFY_TRUSTED_PROXIES: '10.0.0.0/8' },
    // `next start` by itself listens everywhere, and sets nothing
    {},
  ])(
    'given a server with %j, when a key is tested at an address inside, then it is refused',
    async (deployed) => {
      const inside = await startOpenAIServer()
      const { env, remove } = await databaseEnv(name)
      const services = await createServices({ ...env, ...deployed })
      try {
        const { ownFetch } = services.models.catalogue
        const given = { provider: 'openai-compatible', key: 'k', baseUrl: inside.url } as const
        const refused = await testKey(given, ownFetch).catch((error: unknown) => error)
        expect(refused).toBeInstanceOf(KeyTestError)
        expect(refused).toMatchObject({ code: 'address_refused' })
      } finally {
        await services.database.close()
        await remove()
        await inside.close()
      }
    },
  )
})
