import { describe, expect, test } from 'vitest'
import { fitText, xml } from '@/components/explorer/picture/fit-text'

test('text is escaped, and what XML cannot hold is left out', () => {
  expect(xml(`</svg><script>"a" & 'b'`)).toBe('&lt;/svg&gt;&lt;script&gt;&quot;a&quot; &amp; &apos;b&apos;')
  expect(xml('a\u0000b\u0008c\ud800d\uffffe 👩‍👩‍👧')).toBe('abcde 👩‍👩‍👧')
})

/** Every letter as wide as every other. */
const measure = (text: string, fontSize: number) => [...text].length * fontSize * 0.6

describe('fitting text', () => {
  const shortened = (text: string, lines = 2) => fitText(text, { measure, width: 100, fontSize: 12, lines })

  test('what fits stays as it is', () => expect(shortened('Lisbon in May')).toEqual(['Lisbon in May']))

  test('what does not is broken between words, and the end is left out', () => {
    const lines = shortened('We would like to see the castle before it rains on Sunday')
    expect(lines).toEqual(['We would', expect.stringMatching(/…$/)])
  })

  test('one long word is broken anywhere', () => {
    expect(shortened('x'.repeat(80)).join('')).toMatch(/^x+…$/)
    expect(shortened('', 1)).toEqual([])
  })

  test.each(['a word or two and then some more', '道'.repeat(60), 'x'.repeat(200), 'WWW MMM '.repeat(20)])(
    'no line of %j is wider than it may be',
    (text) => {
      for (const line of shortened(text)) expect(measure(line, 12)).toBeLessThanOrEqual(100)
    },
  )
})
