import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addUsage, estimatePrompt, UnknownModelError } from '@/lib/context'

const usage = fc.record(
  {
    inputTokens: fc.nat(),
    inputTokenDetails: fc.record({ cacheReadTokens: fc.option(fc.nat(), { nil: undefined }) }),
    outputTokens: fc.option(fc.nat(), { nil: undefined }),
  },
  { requiredKeys: [] },
)

describe('addUsage', () => {
  it('given calls in any order, comes to the same sum, and starts from nothing', () => {
    fc.assert(
      fc.property(fc.array(usage), (calls) => {
        const total = calls.reduce(addUsage, {})
        expect([...calls].reverse().reduce(addUsage, {})).toEqual(total)
        const inputs = calls.reduce((sum, { inputTokens = 0 }) => sum + inputTokens, 0)
        expect(total.inputTokens ?? 0).toBe(inputs)
        expect(addUsage(undefined, total)).toEqual(total)
      }),
    )
  })

  it('given totals it did not make, refuses to overwrite them', () => {
    expect(() => addUsage('a lot', { inputTokens: 1 })).toThrow('The usage so far is not an object')
    expect(() => addUsage({ inputTokens: -1 }, { inputTokens: 1 })).toThrow(
      'The usage "inputTokens" is not a count: -1',
    )
    expect(addUsage({ by: 'Ada', inputTokens: 1 }, { inputTokens: 1 })).toEqual({ inputTokens: 2 })
  })
})

describe('estimatePrompt', () => {
  it('given a model that is not on file, is refused, and with its figures is not', () => {
    const parts = [
      { name: 'hint', id: 'h1', text: '1234' },
      { name: 'role', text: '5' },
    ]
    const prompt = { text: ['12345678'], parts }
    expect(() => estimatePrompt('x:y', prompt)).toThrow(UnknownModelError)
    const models = { 'x:y': { inputPrice: 1, outputPrice: 1, contextTokens: 1, outputTokens: 1 } }
    expect(estimatePrompt('x:y', prompt, { models })).toMatchObject({
      tokens: 2,
      limits: { exceedsContext: true },
      fragments: [
        { name: 'hint', id: 'h1', tokens: 1, cost: 1e-6 },
        { name: 'role', tokens: 1 },
      ],
    })
  })
})
