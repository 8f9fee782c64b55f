import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cutTitle, plainWords, titleWords } from '@/lib/events/title-words'

/** Letters of many scripts, with all that Markdown and Unicode have for a title to stumble over. */
const pieces = [
  ...['a', 'word', ' ', '\n', '. ', ', ', '، ', '# ', '> ', '- ', '1. ', '[', '](x)', '…', '**'],
  ...[...'。？漢字عהé𝒳`_|', 'e\u0301', '👩‍👩‍👧‍👦', '🇵🇹', '\u202e', '\u0000', '\ud800', '\udc00'],
]
const anyText = fc.array(fc.constantFrom(...pieces), { maxLength: 80 }).map((all) => all.join(''))

// making one is slow
const letters = new Intl.Segmenter()

describe('the words of a text', () => {
  test.each([
    ['1. **Morning**: climb to the *castle*', 'Morning: climb to the castle'],
    ['> quoted words', 'quoted words'],
    ['**注意：**这是*（重点）*内容，~~旧~~新', '注意：这是（重点）内容，旧新'],
    ['- [Pena](https://pena.example "the palace") is `open`', 'Pena is open'],
    ['```ts const a = 1', 'const a = 1'],
    ['two\n\nlines', 'two lines'],
    ['a\u202eb\u200bc', 'abc'],
    ['2 * 3 * 4 is 24', '2 * 3 * 4 is 24'],
    ['snake_case_name', 'snake_case_name'],
  ])('given %j, then they are %j', (text, words) => {
    expect(titleWords(text)).toBe(words)
  })

  test('given a table, then its cells stand beside each other', () => {
    expect(plainWords('A day: | When | What | |---|---| | 9:30 | Castle |')).toBe(
      'A day: · When · What · 9:30 · Castle',
    )
  })
})

describe('a title', () => {
  test.each([
    ['all words where they fit', 'One of us is vegetarian', 'One of us is vegetarian'],
    ['the first sentence', 'Yes, plan day one. We like walking a lot.', 'Yes, plan day one'],
    ['with its question mark', 'Where do we eat? There are four of us now', 'Where do we eat?'],
    ['no abbreviation', 'Something like e.g. the museum of tiles', 'Something like e.g. the museum…'],
    ['no sentence of a word', 'No. We would rather go by the slow train', 'No. We would rather go by the…'],
    ['words and no comma', 'Actually, one of us is vegetarian, and two are not', 'Actually, one of us is…'],
    ['a clause', 'One of us is vegetarian, and never eats fish', 'One of us is vegetarian'],
    [
      'words and no comma of another script',
      'متحف البلاط مغلق يوم الاثنين القادم، ماذا',
      'متحف البلاط مغلق يوم الاثنين…',
    ],
    ['a cut through a word without end', 'x'.repeat(40), `${'x'.repeat(32)}…`],
    [
      'half as many Chinese characters',
      '我们五月在里斯本有三天时间不应该错过什么',
      '我们五月在里斯本有三天时间不应该…',
    ],
    ['Arabic words', 'لدينا ثلاثة أيام في لشبونة في شهر مايو القادم', 'لدينا ثلاثة أيام في لشبونة في…'],
    ['whole emoji', '👩‍👩‍👧‍👦'.repeat(20), `${'👩‍👩‍👧‍👦'.repeat(16)}…`],
    ['a letter with all its marks', 'e\u0301'.repeat(40), `${'e\u0301'.repeat(32)}…`],
  ])('is %s', (_what, words, title) => {
    expect(cutTitle(words, 32)).toBe(title)
  })

  test('given any text, then it is well-formed, on one line, and the beginning of its words', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 4, max: 60 }), (text, width) => {
        const words = titleWords(text)
        const title = cutTitle(words, width)
        expect(title.isWellFormed()).toBe(true)
        expect(title).not.toMatch(/\p{Cc}/u)
        expect(words.startsWith(title.replace(/…$/, ''))).toBe(true)
        const found = [...letters.segment(title)]
        expect(found.length).toBeLessThanOrEqual(width + 1)
      }),
    )
  })
})
