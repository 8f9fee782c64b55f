import { describe, expect, it } from 'vitest'
import { estimateTokens, estimateUsage, MODEL_TABLE, UnknownModelError } from '@/lib/context/estimate'

describe('estimateTokens', () => {
  const counts = 'a 1|Hello, world 3|“Hello” – ok 3|你好世界 4|こんにちは 5|안녕 2|Привет 3|😀 2|𠮷 1'
  it.each(counts.split('|'))('given a text, counts by script: %s', (line) => {
    expect(estimateTokens(line.slice(0, -2))).toBe(Number(line.at(-1)))
  })

  it('given no text or a long one, counts', () => {
    expect([estimateTokens(''), estimateTokens('x'.repeat(4000))]).toEqual([0, 1000])
  })

  it('given parts, rounds their sum and not each of them', () => {
    expect(estimateTokens(['a', 'b', 'c', 'd'])).toBe(1)
  })
})

describe('estimateUsage', () => {
  it('given a known model, gives tokens, cost and limits', () => {
    const limits = { context: 128_000, output: 16_384, exceedsContext: false }
    expect(estimateUsage('openai:gpt-4o', ['x'.repeat(4000), 'y'.repeat(4000)])).toEqual({
      modelId: 'openai:gpt-4o',
      provider: 'openai',
      tokens: 2000,
      cost: 0.005,
      limits,
    })
  })

  it('given more than fits, says so, and one token less does fit', () => {
    expect(estimateUsage('openai:gpt-4o', 'x'.repeat(128_000 * 4)).limits.exceedsContext).toBe(false)
    expect(estimateUsage('openai:gpt-4o', 'x'.repeat(128_000 * 4 + 1)).limits.exceedsContext).toBe(true)
  })

  it('given the demo model, costs nothing', () => {
    const free = { provider: 'demo', tokens: 1000, cost: 0 }
    expect(estimateUsage('demo:demo', 'x'.repeat(4000))).toMatchObject(free)
  })

  it.each([
    ['openai:gpt-4o-2024-11-20', 'openai:gpt-4o'],
    ['anthropic:claude-haiku-4-5-20251001', 'anthropic:claude-haiku-4-5'],
    ['gateway:openai/gpt-4o', 'openai:gpt-4o'],
    ['groq:gpt-oss-20b', 'groq:openai/gpt-oss-20b'],
  ])('given %s, reckons as for %s', (alias, known) => {
    const { cost, limits } = estimateUsage(known, 'text')
    expect(estimateUsage(alias, 'text')).toMatchObject({ modelId: alias, cost, limits })
  })

  it.each(['acme:unheard-of', 'gpt-4o', 'constructor', ''])('given unknown %j, names the way out', (id) => {
    const estimate = () => estimateUsage(id, 'text')
    expect(estimate).toThrow(UnknownModelError)
    expect(estimate).toThrow(`Unknown model "${id}"`)
    expect(estimate).toThrow('model-table.ts')
  })

  it('given figures with the call, uses them before its own', () => {
    const figures = { inputPrice: 8, outputPrice: 8, contextTokens: 10, outputTokens: 5 }
    const models = { 'acme:unheard-of': figures, 'openai:gpt-4o': figures }
    for (const id of Object.keys(models)) {
      expect(estimateUsage(id, 'x'.repeat(500_000), { models })).toMatchObject({
        cost: 1,
        limits: { context: 10, output: 5, exceedsContext: true },
      })
    }
  })

  it('has a table without nonsense', () => {
    for (const [id, info] of Object.entries(MODEL_TABLE)) {
      expect(id).toMatch(/^[a-z]+:\S+$/)
      expect(info.outputPrice).toBeGreaterThanOrEqual(info.inputPrice)
      expect(info.contextTokens).toBeGreaterThan(info.outputTokens)
    }
  })
})
