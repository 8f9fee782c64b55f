import { expect, it } from 'vitest'
import { modelsIn } from '@/lib/ai/catalogue/found-models'

const list = (...data: object[]) => ({ object: 'list', data })

it('given OpenAI’s form, then the models are those that chat, by name', () => {
  const ids = 'gpt-6-luna text-embedding-3-large whisper-1 dall-e-3 omni-moderation-latest tts-1'.split(' ')
  expect(modelsIn(list(...ids.map((id) => ({ id, object: 'model' }))))).toEqual([{ name: 'gpt-6-luna' }])
})

it('given Google’s form, then the prefix is not part of a name', () => {
  const chats = { supportedGenerationMethods: ['generateContent'] }
  const models = [
    { name: 'models/gemini-4-argon', displayName: 'Gemini 4 Argon', ...chats },
    { name: 'models/text-embedding-005', supportedGenerationMethods: ['embedContent'] },
  ]
  expect(modelsIn({ models })).toEqual([{ name: 'gemini-4-argon', label: 'Gemini 4 Argon' }])
})

it('given OpenRouter’s facts, then prices are for a million tokens', () => {
  const model = {
    ...{ id: 'openai/gpt-6-luna', name: 'GPT-6 Luna', context_length: 1_050_000 },
    architecture: { input_modalities: ['text', 'image', 'file'], output_modalities: ['text'] },
    pricing: { prompt: '0.0000001', completion: '0.0000005', input_cache_read: '0.00000001' },
    supported_parameters: ['tools', 'reasoning', 'temperature'],
  }
  expect(modelsIn(list(model))).toEqual([
    {
      ...{ name: 'openai/gpt-6-luna', label: 'GPT-6 Luna', window: 1_050_000 },
      ...{ input: ['text/plain', 'image/*', 'application/pdf'], tools: true, reasoning: true },
      price: { input: 0.1, output: 0.5, cached: 0.01 },
    },
  ])
})

it.each([
  ['none', undefined],
  ['null', { prompt: null, completion: null }],
  ['below 0, as for a router', { prompt: '-1', completion: '-1' }],
  ['empty', { prompt: '', completion: '' }],
  ['of one side only', { prompt: '0.1' }],
])('given a price that is %s, then it is not known, and not 0', (_what, pricing) => {
  expect(modelsIn(list({ id: 'a', pricing }))).toEqual([{ name: 'a' }])
})

it('given a price of 0, then it is 0', () => {
  const [model] = modelsIn(list({ id: 'a', pricing: { prompt: '0', completion: 0 } })) ?? []
  expect(model?.price).toEqual({ input: 0, output: 0, cached: null })
})

it('given names that nothing can be called, then they are left out, and a name counts once', () => {
  const ids = ['', ' ', 'a\0b', '\ud800', 'x'.repeat(201), 'ok', 'ok']
  expect(modelsIn(list(...ids.map((id) => ({ id }))))).toEqual([{ name: 'ok' }])
})

it('given a million models, then only the first three thousand are looked at', () => {
  const no = { id: 'text-embedding' }
  const models = (before: number) => [...Array.from({ length: before }, () => no), { id: 'last' }]
  expect(modelsIn(list(...models(2999)))).toEqual([{ name: 'last' }])
  const million = Array.from({ length: 1_000_000 }, () => no)
  expect(modelsIn({ data: [...million, { id: 'last' }] })).toEqual([])
  const hidden = { name: 'models/embed', supportedGenerationMethods: [] }
  expect(modelsIn({ models: [...million.map(() => hidden), { name: 'models/last' }] })).toEqual([])
})

it('given a modality many times, and names that every object has, then each type counts once', () => {
  const input_modalities = [...Array<string>(1000).fill('image'), 'constructor', '__proto__', 'toString']
  expect(modelsIn(list({ id: 'a', architecture: { input_modalities } }))).toEqual([
    { name: 'a', input: ['text/plain', 'image/*'] },
  ])
})

it('given the longest models there can be, then all that are kept fit into the half a million characters of the database', () => {
  const input_modalities = ['image', 'audio', 'video', 'file']
  const price = 123.456789012345
  const longest = Array.from({ length: 3000 }, (_, at) => ({
    ...{ id: String(at).padStart(200, '"'), name: '"'.repeat(200), context_length: 123_456_789 },
    ...{ architecture: { input_modalities }, supported_parameters: ['tools', 'reasoning'] },
    pricing: { prompt: price, completion: price, input_cache_read: price },
  }))
  const found = modelsIn({ data: longest })
  expect(found).toHaveLength(400)
  expect(JSON.stringify(found).length).toBeLessThan(500_000)
})

it('given a window and prices above a thousand million, then they are not known', () => {
  const many = { context_length: 1e300, pricing: { prompt: 1001, completion: 0 } }
  expect(modelsIn(list({ id: 'a', ...many }))).toEqual([{ name: 'a' }])
  const most = { context_length: 1e9, pricing: { prompt: 1000, completion: 0, input_cache_read: 1e300 } }
  expect(modelsIn(list({ id: 'a', ...most }))).toEqual([
    { name: 'a', window: 1e9, price: { input: 1e9, output: 0, cached: null } },
  ])
})

it.each([null, [], 'list', { data: 'none' }, { error: { message: 'no' } }, { data: [{ name: 'no id' }] }])(
  'given %j, then it is no list',
  (json) => {
    expect(modelsIn(json)).toBeUndefined()
  },
)
