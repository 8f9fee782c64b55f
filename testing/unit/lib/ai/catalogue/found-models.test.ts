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
    id: 'openai/gpt-6-luna',
    name: 'GPT-6 Luna',
    context_length: 1_050_000,
    architecture: { input_modalities: ['text', 'image', 'file'], output_modalities: ['text'] },
    pricing: { prompt: '0.0000001', completion: '0.0000005', input_cache_read: '0.00000001' },
    supported_parameters: ['tools', 'reasoning', 'temperature'],
  }
  expect(modelsIn(list(model))).toEqual([
    {
      name: 'openai/gpt-6-luna',
      label: 'GPT-6 Luna',
      window: 1_050_000,
      input: ['text/plain', 'image/*', 'application/pdf'],
      tools: true,
      reasoning: true,
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
    id: String(at).padStart(200, '"'),
    name: '"'.repeat(200),
    context_length: 123_456_789,
    architecture: { input_modalities },
    supported_parameters: ['tools', 'reasoning'],
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

const ids = (json: unknown) => modelsIn(json)?.map(({ name }) => name)

it.each([
  ['a bare list', [{ id: 'a' }, { id: 'b' }]],
  ['a bare list of names', ['a', 'b']],
  ['names under a key', { models: ['a', 'b'] }],
  ['names in OpenAI’s form', { object: 'list', data: ['a', 'b'] }],
  [
    'Ollama’s tags',
    {
      models: [
        { name: 'a', model: 'a', details: { family: 'llama' } },
        { name: 'b', model: 'b' },
      ],
    },
  ],
  ['Ollama’s tags without names', { models: [{ model: 'a' }, { model: 'b' }] }],
  ['ids under another key', { models: [{ id: 'a' }, { id: 'b' }] }],
  ['items', { items: [{ id: 'a' }, { id: 'b' }] }],
  ['a list within an answer', { success: true, result: { data: [{ id: 'a' }, { id: 'b' }] } }],
  [
    'LM Studio’s keys',
    {
      models: [
        { key: 'a', type: 'llm' },
        { key: 'b', type: 'vlm' },
      ],
    },
  ],
  ['llama.cpp’s two lists', { models: [{ name: 'x' }], object: 'list', data: [{ id: 'a' }, { id: 'b' }] }],
  ['an empty list beside another', { data: [], models: ['a', 'b'] }],
  ['no list beside another', { data: null, models: ['a', 'b'] }],
])('given %s, then its models are found', (_what, json) => {
  expect(ids(json)).toEqual(['a', 'b'])
})

it.each([
  ['null', null],
  ['a number', 7],
  ['a list', ['no']],
  ['no name', { object: 'model' }],
  ['null for an id', { id: null, name: 'No id' }],
  ['a number for an id', { id: 7 }],
  ['an object for an id', { id: { name: 'a' } }],
  ['an empty id', { id: '' }],
])('given an entry that is %s, then the others are there', (_what, entry) => {
  const others = [{ id: 'a' }, entry, { id: 'b' }]
  expect(ids(others)).toEqual(['a', 'b'])
  expect(ids(list(...(others as object[])))).toEqual(['a', 'b'])
})

it.each([
  { architecture: null },
  { architecture: { input_modalities: null, output_modalities: 'text' } },
  { supported_parameters: { tools: true } },
  { tags: [null, 7] },
  { pricing: 'free' },
  { pricing: [] },
  { context_length: {} },
  { type: 7 },
  { supportedGenerationMethods: null },
  { capabilities: null },
  { name: { en: 'A' } },
])('given %j, then the field is not known and the model is there', (fields) => {
  expect(ids(list({ id: 'a', ...fields }))).toEqual(['a'])
})

it('given Together’s list, then the models that chat are there, at prices for a million tokens', () => {
  const pricing = { hourly: 0, input: 0.88, output: 0.9, base: 0, finetune: 0 }
  const together = [
    { id: 'meta/Llama', type: 'chat', display_name: 'Llama 3.3', context_length: 131_072, pricing },
    { id: 'BAAI/bge', type: 'embedding' },
    { id: 'black/FLUX', type: 'image' },
    { id: 'meta/Guard', type: 'moderation' },
    { id: 'salesforce/Rank', type: 'rerank' },
    { id: 'cartesia/sonic', type: 'audio' },
  ]
  expect(modelsIn(together)).toEqual([
    {
      name: 'meta/Llama',
      label: 'Llama 3.3',
      window: 131_072,
      price: { input: 0.88, output: 0.9, cached: null },
    },
  ])
})

it.each([
  [
    'Cohere’s',
    {
      models: [
        { name: 'command', endpoints: ['chat'] },
        { name: 'other', endpoints: ['embed'] },
      ],
    },
  ],
  ['Mistral’s', list({ id: 'command' }, { id: 'ocr', capabilities: { completion_chat: false } })],
  ['Ollama’s', { models: [{ name: 'command' }, { name: 'all-minilm', details: { family: 'bert' } }] }],
  ['LM Studio’s', list({ id: 'command', type: 'llm' }, { id: 'nomic', type: 'embeddings' })],
])('given %s way to say what a model does, then those that do not chat are left out', (_whose, json) => {
  expect(ids(json)).toEqual(['command'])
})

it('given a path as an id, then it stays whole', () => {
  expect(ids(list({ id: 'models/7B/chat.gguf' }))).toEqual(['models/7B/chat.gguf'])
})
