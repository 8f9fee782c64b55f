import { describe, expect, it } from 'vitest'
import { cleanDeep, TextCleaner } from '@/lib/ai/reply/clean-text'

describe('TextCleaner', () => {
  const full = 'a\0b \ud83d\ude00 lone \ud800 and \udc00 end \ud83d'
  const cleaned = 'a\uFFFDb \ud83d\ude00 lone \uFFFD and \uFFFD end \uFFFD'

  it.each(Array.from({ length: full.length + 1 }, (_, cut) => cut))(
    'given text cut at %d, then the pieces add up to the cleaned whole',
    (cut) => {
      const text = new TextCleaner()
      const pieces = [text.push(full.slice(0, cut)), text.push(full.slice(cut)), text.end()]
      expect(pieces.join('')).toBe(cleaned)
      for (const piece of pieces) expect(piece.isWellFormed()).toBe(true)
    },
  )
})

describe('cleanDeep', () => {
  it('given broken strings and keys anywhere, then all are repaired', () => {
    expect(cleanDeep({ 'k\0': ['\ud800', { deep: 'x\0' }], n: 1, none: null })).toEqual({
      'k\uFFFD': ['\uFFFD', { deep: 'x\uFFFD' }],
      n: 1,
      none: null,
    })
  })

  it('given nesting without end, then it is cut instead of overflowing', () => {
    let nested: unknown = 'core'
    for (let depth = 0; depth < 50_000; depth += 1) nested = [nested]
    const json = JSON.stringify(cleanDeep(nested))
    expect(json.match(/^\[+/)?.[0].length).toBeLessThan(64)
  })

  it('given a __proto__ key, then it stays data', () => {
    const cleaned = cleanDeep(JSON.parse('{"__proto__":{"admin":true}}'))
    expect(cleaned.admin).toBeUndefined()
    expect(Object.keys(cleaned)).toEqual(['__proto__'])
  })
})
