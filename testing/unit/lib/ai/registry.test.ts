import { generateText } from 'ai'
import { convertReadableStreamToArray } from 'ai/test'
import { expect, it } from 'vitest'
import { ModelSettingError, ProviderNotConfiguredError, UnknownModelError } from '@/lib/ai/model-errors'
import { createModels } from '@/lib/ai/registry'

const compatible = {
  OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1:1/v1',
  OPENAI_COMPATIBLE_MODELS: 'llama3.2:3b, qwen ,',
}

it('given nothing, then the demo model is all there is, and it answers', async () => {
  const models = createModels({})
  expect(models.list()).toEqual([{ id: 'demo:demo', label: expect.any(String), provider: 'demo' }])
  expect(models.defaultId).toBe('demo:demo')
  const { text } = await generateText({ model: models.get('demo:demo'), prompt: 'what is 2+2' })
  expect(text).toBe('2 + 2 = 4')
})

it.each([
  ['OPENAI_API_KEY', 'openai'],
  ['ANTHROPIC_API_KEY', 'anthropic'],
  ['GOOGLE_GENERATIVE_AI_API_KEY', 'google'],
])('given %s, then %s is on and its first model is the default', (variable, provider) => {
  const models = createModels({ [variable]: 'secret' })
  const listed = models.list()
  expect(new Set(listed.map((model) => model.provider))).toEqual(new Set([provider, 'demo']))
  expect(models.defaultId).toBe(listed[0]?.id)
  for (const { id } of listed) {
    expect(id).toBe(`${id.split(':', 1)[0]}:${models.get(id).modelId}`)
  }
})

it('given an empty key, then it counts as not set', () => {
  expect(createModels({ OPENAI_API_KEY: '  ' }).list()).toHaveLength(1)
})

it('given a compatible server, then its models are named as they are, colons included', () => {
  const models = createModels(compatible)
  expect(models.list().map(({ id }) => id)).toEqual([
    'openai-compatible:llama3.2:3b',
    'openai-compatible:qwen',
    'demo:demo',
  ])
  expect(models.get('openai-compatible:llama3.2:3b').modelId).toBe('llama3.2:3b')
})

it('given a model twice, then it is the same object', () => {
  const models = createModels({})
  expect(models.get('demo:demo')).toBe(models.get('demo:demo'))
})

it.each(['demo:other', 'nope', 'nope:model', '', 'openai:', 'demo:__proto__', 'constructor'])(
  'given the unknown id "%s", then UnknownModelError names it and what would work',
  (id) => {
    const get = () => createModels({}).get(id)
    expect(get).toThrow(UnknownModelError)
    expect(get).toThrow(`"${id}"`)
    expect(get).toThrow('demo:demo')
  },
)

it.each([
  ['openai:gpt-6-astra', 'OPENAI_API_KEY'],
  ['anthropic:claude-sonnet-5-5', 'ANTHROPIC_API_KEY'],
  ['openai-compatible:llama', 'OPENAI_COMPATIBLE_BASE_URL'],
])('given %s without its key, then ProviderNotConfiguredError names %s', (id, variable) => {
  const get = () => createModels({}).get(id)
  expect(get).toThrow(ProviderNotConfiguredError)
  expect(get).toThrow(variable)
  expect(get).toThrow(id)
})

it.each([
  ['the demo model, then it wins', 'demo:demo', 'demo'],
  ['another of a provider that is on, then the operator is believed', 'openai:gpt-99', 'gpt-99'],
  ['one with colons, then only the first separates', 'openai:ft:gpt-4.1:acme', 'ft:gpt-4.1:acme'],
])('given as RAMIFY_DEFAULT_MODEL %s', (_, id, modelId) => {
  const models = createModels({ OPENAI_API_KEY: 'k', RAMIFY_DEFAULT_MODEL: id })
  expect(models.defaultId).toBe(id)
  expect(models.get(id).modelId).toBe(modelId)
  expect(models.list().map((model) => model.id)).toContain(id)
})

it.each([
  ['RAMIFY_DEFAULT_MODEL', { RAMIFY_DEFAULT_MODEL: 'nope' }],
  ['RAMIFY_DEFAULT_MODEL', { RAMIFY_DEFAULT_MODEL: 'openai:gpt-6-astra' }],
  ['RAMIFY_DEFAULT_MODEL', { ...compatible, RAMIFY_DEFAULT_MODEL: 'openai-compatible:other' }],
  ['RAMIFY_DEMO_DELAY_MS', { RAMIFY_DEMO_DELAY_MS: '-1' }],
  ['RAMIFY_DEMO_DELAY_MS', { RAMIFY_DEMO_DELAY_MS: 'fast' }],
  ['OPENAI_COMPATIBLE_BASE_URL', { ...compatible, OPENAI_COMPATIBLE_BASE_URL: 'ftp://x' }],
  ['OPENAI_COMPATIBLE_BASE_URL', { ...compatible, OPENAI_COMPATIBLE_BASE_URL: '127.0.0.1:11434' }],
  ['OPENAI_COMPATIBLE_BASE_URL', { OPENAI_COMPATIBLE_MODELS: 'llama' }],
  ['OPENAI_COMPATIBLE_MODELS', { OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1:1/v1' }],
])('given a bad %s %j, then one line names it', (variable, env) => {
  const create = () => createModels(env)
  expect(create).toThrow(ModelSettingError)
  expect(create).toThrow(new RegExp(`^${variable} [^\\n]+$`))
})

it('given the demo model, when it is asked the same twice, then it knows, whoever opened it', async () => {
  const models = createModels({ RAMIFY_DEMO_DELAY_MS: '0' })
  const say = async (from: typeof models) => {
    const model = from.get('demo:demo')
    const prompt = [
      { role: 'user' as const, content: [{ type: 'text' as const, text: 'Find a name for a cat' }] },
    ]
    const { stream } = await model.doStream({ prompt })
    const parts = await convertReadableStreamToArray(stream)
    return parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')
  }
  expect(await say(models)).not.toBe(await say(models.with({})))
})
