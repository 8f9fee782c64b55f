import { describe, expect, it } from 'vitest'
import { groupModels, priceWords, refusedType, takesWords } from '@/components/thread/model-words'
import { storedTexts } from '@/components/ui/stored-value'
import type { OfferedModel } from '@/lib/protocol'

const model = (id: string, providerName: string): OfferedModel => {
  const [provider = '', label = id] = id.split(':')
  const unknown = { window: null, tools: null, reasoning: null, price: null }
  return { id, label, provider, providerName, input: ['text/plain'], ...unknown }
}

describe('the words about a model', () => {
  it.each([
    [null, 'price not known'],
    [{ input: 0, output: 0, cached: 0 }, 'free'],
    [{ input: 2, output: 10, cached: null }, '$2 in, $10 out'],
    [{ input: 0.075, output: 0.3, cached: null }, '$0.075 in, $0.3 out'],
  ])('given the price %j, then they are "%s"', (price, words) => {
    expect(priceWords({ price })).toBe(words)
  })

  it.each([
    [null, ['text/plain'], ''],
    [1_050_000, ['text/plain', 'image/*', 'application/pdf'], '1.05M tokens, images, PDF'],
    [8192, ['text/plain'], '8.19K tokens'],
  ])('given the window %s and %j, then they are "%s"', (window, input, words) => {
    expect(takesWords({ window, input })).toBe(words)
  })
})

describe('a model for a message with files', () => {
  it.each([
    [['text/plain'], ['text/markdown'], undefined],
    [['text/plain'], ['text/csv', 'image/png', 'application/pdf'], 'image/png'],
    [['text/plain', 'image/*'], ['image/png', 'audio/mpeg'], 'audio/mpeg'],
    [['text/plain', 'image/*', 'audio/*'], ['image/png', 'audio/mpeg'], undefined],
    // the words of a document are taken out for a model that does not take it
    [['text/plain', 'image/*'], ['image/png', 'application/pdf'], undefined],
  ])('given one that takes %j, then of %j it refuses %s', (input, types, refused) => {
    expect(refusedType({ input }, types)).toBe(refused)
  })
})

describe('the models of the picker', () => {
  const all = [
    model('openai:gpt-6', 'OpenAI'),
    model('groq:openai/gpt-oss', 'Groq'),
    model('demo:demo', 'Built in'),
  ]
  const shown = (wanted: string, favourites: string[] = []) =>
    groupModels(all, wanted, favourites).map(({ name, models }) => [name, ...models.map(({ id }) => id)])

  it('given no search, then they stand under their providers in the order they came', () => {
    expect(shown('')).toEqual([
      ['OpenAI', 'openai:gpt-6'],
      ['Groq', 'groq:openai/gpt-oss'],
      ['Built in', 'demo:demo'],
    ])
  })

  it('given words, then every one is in the name, the id or the provider, in any case and order', () => {
    expect(shown('GPT groq')).toEqual([['Groq', 'groq:openai/gpt-oss']])
    expect(shown('openai')).toHaveLength(2)
    expect(shown('nothing like it')).toEqual([])
  })

  it('given favourites, then they come first and stand there only; one that is not offered any more is left out', () => {
    expect(shown('', ['demo:demo', 'gone:gone'])).toEqual([
      ['Favourites', 'demo:demo'],
      ['OpenAI', 'openai:gpt-6'],
      ['Groq', 'groq:openai/gpt-oss'],
    ])
  })

  it.each<[string, string[]]>([
    ...['', '{', '{}', 'null', '7'].map((stored): [string, string[]] => [stored, []]),
    ['["a:b", 7, null]', ['a:b']],
  ])('given %j where favourites are kept, then they are %j', (stored, favourites) => {
    expect(storedTexts(stored)).toEqual(favourites)
  })
})
