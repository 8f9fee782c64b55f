import { describe, expect, test } from 'vitest'
import { changed, costOf, costWords, firstCounts, modelsOf, mostIn } from '@/components/fan-out/choices'

const offered = ['a', 'b', 'c']
const isOffered = (id: string) => offered.includes(id)

describe('the choice of models', () => {
  test.each([
    ['nothing', '', { a: 3 }],
    ['something else', '[1]', { a: 3 }],
    ['the last choice', '{"b":2,"c":1}', { b: 2, c: 1 }],
    ['a model that is gone', '{"z":2,"c":1}', { c: 1 }],
    ['only models that are gone', '{"z":2}', { a: 3 }],
    ['counts that are none', '{"b":-1,"c":1.5,"a":0}', { a: 3 }],
    ['more than is allowed', '{"b":6,"c":6,"a":6}', { b: 6, c: 2 }],
  ])('given %s was kept, then it begins with what is possible of that', (_what, kept, counts) => {
    expect(firstCounts(kept, 'a', isOffered)).toEqual(counts)
  })

  test('given a model that does not take the files, then nothing is chosen', () => {
    expect(firstCounts('', 'a', () => false)).toEqual({})
  })

  test('given three contexts, then two replies in each are the most', () => {
    expect(mostIn(3)).toBe(2)
    expect(changed({ a: 1 }, 'b', 1, mostIn(3))).toEqual({ a: 1, b: 1 })
    expect(changed({ a: 1, b: 1 }, 'c', 1, mostIn(3))).toEqual({ a: 1, b: 1 })
    expect(mostIn(0)).toBe(8)
  })

  test('given counts, then each model is asked as often, that of the branch first', () => {
    const models = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]
    expect(modelsOf({ c: 1, a: 2 }, models, 'b')).toEqual(['a', 'a', 'c'])
    expect(modelsOf({ c: 1, a: 2 }, models, 'c')).toEqual(['c', 'a', 'a'])
  })
})

describe('what it costs', () => {
  const models = [
    { id: 'a', label: 'Ada', price: { input: 2, output: 10, cached: null } },
    { id: 'b', label: 'Bob', price: { input: 0, output: 0, cached: null } },
    { id: 'c', label: 'Cyd', price: null },
    { id: 'd', label: 'Dee', price: { input: 2, output: 10, cached: 0.2, cache_write: 2.5 } },
  ]

  const about = (prompts: string, whole: string) =>
    `About ${prompts} for the prompts, ${whole} with replies of 500 tokens each.`

  test.each([
    ['a price, then every prompt and every reply is counted', { a: 3 }, [1000], about('$0.006', '$0.021')],
    ['several contexts, then those of each', { a: 2 }, [1000, 3000], about('$0.016', '$0.036')],
    [
      'a model that keeps prompts, then the first reply pays for it',
      { d: 8 },
      [10_000],
      `${about('$0.039', '$0.079')} The first reply pays for the prompt, the others read it from the cache.`,
    ],
    ['a prompt too short to be kept, then each pays', { d: 2 }, [1000], about('$0.004', '$0.014')],
    ['a free model, then it costs nothing', { b: 2 }, [1000], 'Costs nothing.'],
    ['a model without a price, then it is named', { c: 2 }, [1000], 'The price of Cyd is not known.'],
    [
      'both, then both are said',
      { a: 1, c: 1 },
      [1000],
      `${about('$0.002', '$0.007')} The price of Cyd is not known.`,
    ],
  ])('given %s', (_, counts, prompts, words) => {
    expect(costWords(costOf(counts, models, prompts))).toBe(words)
  })
})
