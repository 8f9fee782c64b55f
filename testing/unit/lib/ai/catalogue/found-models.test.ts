import { describe, expect, it } from 'vitest'
import { modelsIn } from '@/lib/ai/catalogue/found-models'

const list = (...data: object[]) => ({ object: 'list', data })

describe('the models in a provider’s list', () => {
  it('given OpenAI’s form, then the models are those that chat, by name', () => {
    const ids = [
      'gpt-6-luna',
      'text-embedding-3-large',
      'whisper-1',
      'dall-e-3',
      'omni-moderation-latest',
      'tts-1',
    ]
    expect(modelsIn(list(...ids.map((id) => ({ id, object: 'model' }))))).toEqual([{ name: 'gpt-6-luna' }])
  })

  it('given Google’s form, then the prefix is not part of a name', () => {
    const models = [
      {
        name: 'models/gemini-4-argon',
        displayName: 'Gemini 4 Argon',
        supportedGenerationMethods: ['generateContent'],
      },
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

  it('given ten thousand models, then the first 400 are kept', () => {
    const many = Array.from({ length: 10_000 }, (_, at) => ({ id: `m${at}` }))
    expect(modelsIn(list(...many))).toHaveLength(400)
  })

  it.each([null, [], 'list', { data: 'none' }, { error: { message: 'no' } }, { data: [{ name: 'no id' }] }])(
    'given %j, then it is no list',
    (json) => {
      expect(modelsIn(json)).toBeUndefined()
    },
  )
})
