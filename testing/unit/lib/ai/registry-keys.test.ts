import { generateText } from 'ai'
import { expect, it } from 'vitest'
import { KeyUnreadableError } from '@/lib/ai/model-errors'
import type { OwnKey } from '@/lib/ai/models'
import { createModels } from '@/lib/ai/registry'

const own = (given: Partial<OwnKey> = {}): OwnKey => ({
  provider: 'openai',
  baseUrl: null,
  models: [{ name: 'gpt-5.5' }, { name: 'gpt-6-luna' }],
  isReadable: true,
  silenceMs: null,
  open: () => 'sk-ada',
  ...given,
})
const compatible = own({
  provider: 'openai-compatible',
  baseUrl: 'https://models.example.org/v1',
  models: [{ name: 'llama', window: 8192 }],
})

/** Answers each request with its address and key, as a refusal that is not tried again. */
const echo =
  (asked: string[]): typeof fetch =>
  async (input, init) => {
    asked.push(`${new Headers(init?.headers).get('authorization')} ${String(input)}`)
    return new Response('{}', { status: 400 })
  }

/** Asks a model, which is refused. */
const askedOf = (model: ReturnType<ReturnType<typeof createModels>['get']>) =>
  generateText({ model, prompt: 'Hello', maxRetries: 0 }).catch(() => undefined)

it('given a key for a provider, then our list of it is offered as far as the key may use it, before the demo model', () => {
  const models = createModels({}).with({ keys: [own()] })
  expect(models.list().map(({ id }) => id)).toEqual(['openai:gpt-6-luna', 'openai:gpt-5.5', 'demo:demo'])
  expect(models.defaultId).toBe('openai:gpt-6-luna')
})

it('given no key, then the same models as before', () => {
  const models = createModels({ OPENAI_API_KEY: 'k' })
  expect(models.with({}).list()).toEqual(models.list())
  expect(models.with({ keys: [] }).defaultId).toBe(models.defaultId)
})

it('given keys of server and person, when a model is asked, then it is with the person’s', async () => {
  const asked: string[] = []
  const env = {
    OPENAI_API_KEY: 'sk-server',
    OPENAI_COMPATIBLE_BASE_URL: 'https://server.example/v1',
    OPENAI_COMPATIBLE_MODELS: 'llama, other',
  }
  const models = createModels(env, { fetch: echo(asked) }).with({ keys: [own(), compatible] })
  const ids = ['openai:gpt-5.5', 'openai-compatible:llama', 'openai-compatible:other', 'openai:gpt-4.1']
  for (const id of ids) await askedOf(models.get(id))
  expect(asked).toEqual([
    'Bearer sk-ada https://api.openai.com/v1/responses',
    'Bearer sk-ada https://models.example.org/v1/chat/completions',
    'null https://server.example/v1/chat/completions',
    'Bearer sk-server https://api.openai.com/v1/responses',
  ])
})

it('given a server’s default, then a person’s key does not change it', () => {
  const defaultOf = (env: Record<string, string>) => createModels(env).with({ keys: [own()] }).defaultId
  expect(defaultOf({ ANTHROPIC_API_KEY: 'k' })).toBe('anthropic:claude-sonnet-5-5')
  expect(defaultOf({ RAMIFY_DEFAULT_MODEL: 'demo:demo' })).toBe('demo:demo')
})

it('given a key that cannot be read, then its models say so, and none is the default', () => {
  const open = () => {
    throw new KeyUnreadableError('OpenAI')
  }
  const models = createModels({}).with({ keys: [own({ isReadable: false, open })] })
  expect(models.defaultId).toBe('demo:demo')
  expect(() => models.get('openai:gpt-5.5')).toThrow(KeyUnreadableError)
})

it('given a key of another person’s only, then its models are unknown', () => {
  const base = createModels({})
  base.with({ keys: [compatible] })
  expect(() => base.get('openai-compatible:llama')).toThrow('OPENAI_COMPATIBLE_BASE_URL')
  expect(() => base.with({ keys: [own()] }).get('openai-compatible:llama')).toThrow(
    'OPENAI_COMPATIBLE_BASE_URL',
  )
})

it('given what a server lists, then it is known where our table has nothing', () => {
  const described = createModels({})
    .with({ keys: [compatible, own()] })
    .describe()
  expect(described.find(({ id }) => id === 'openai-compatible:llama')).toMatchObject({
    window: 8192,
    price: null,
  })
  expect(described.find(({ id }) => id === 'openai:gpt-5.5')).toMatchObject({ window: 1_050_000 })
})

it.each([
  ['GROQ_API_KEY', 'groq:openai/gpt-oss-120b', 'https://api.groq.com/openai/v1/chat/completions'],
  ['OPENROUTER_API_KEY', 'openrouter:openai/gpt-6-luna', 'https://openrouter.ai/api/v1/chat/completions'],
  ['AI_GATEWAY_API_KEY', 'gateway:openai/gpt-6-luna', 'https://ai-gateway.vercel.sh/v1/chat/completions'],
])('given %s, when %s is asked, then it is at its own address', async (variable, id, address) => {
  const asked: string[] = []
  const models = createModels({ [variable]: 'k-1' }, { fetch: echo(asked) })
  await askedOf(models.get(id))
  expect(asked).toEqual([`Bearer k-1 ${address}`])
})
