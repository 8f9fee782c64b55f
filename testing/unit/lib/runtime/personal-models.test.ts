import { expect, it } from 'vitest'
import { testKey } from '@/lib/ai'
import { readEnv } from '@/lib/runtime/env'
import { openCatalogue } from '@/lib/runtime/personal-models'

const allows = (source: Record<string, string>) => openCatalogue(source, readEnv(source)).allowsPrivate
/** Whether a model on this machine may be the default: where local models are off, it is no model. */
function offersLocal(source: Record<string, string>): boolean {
  const given = { ...source, RAMIFY_DEFAULT_MODEL: 'ollama:llama3.2' }
  try {
    return openCatalogue(given, readEnv(given)).base.defaultId === 'ollama:llama3.2'
  } catch (error) {
    expect(error).toMatchObject({ name: 'ModelSettingError' })
    return false
  }
}

it.each([{ HOST: 'localhost' }, { HOST: '127.0.0.1' }, { HOST: '::1' }])(
  'given %j, which only this machine reaches, then its network and its models are offered',
  (source) => {
    expect([allows(source), offersLocal(source)]).toEqual([true, true])
  },
)

it.each([
  {},
  { HOST: '0.0.0.0' },
  { HOST: 'localhost', VERCEL: '1' },
  { HOST: 'localhost', BETTER_AUTH_URL: 'https://chat.example.org' },
  { HOST: 'localhost', RAMIFY_TRUSTED_PROXIES: '10.0.0.0/8' },
  { HOST: 'localhost', DATABASE_URL: 'postgres://db' },
  { RAMIFY_PRIVATE_ADDRESSES: 'off' },
] as Record<string, string>[])('given %j, then neither is, unless it is switched on', async (source) => {
  expect([allows(source), offersLocal(source)]).toEqual([false, false])
  // a key is not tested at an address inside
  const { ownFetch } = openCatalogue(source, readEnv(source))
  const inside = { provider: 'openai-compatible', key: 'k', baseUrl: 'http://127.0.0.1:9/v1' } as const
  await expect(testKey(inside, ownFetch)).rejects.toMatchObject({ code: 'address_refused' })
  const on = { ...source, RAMIFY_PRIVATE_ADDRESSES: 'on', RAMIFY_LOCAL_MODELS: 'on' }
  expect([allows(on), offersLocal(on)]).toEqual([true, true])
})
