import { expect, it } from 'vitest'
import { snippetOf } from '@/lib/context/store/snippet'
import { wordsAsked } from '@/lib/events/search-letters'

it('given markup, when a word is found in it, then it is text, and only the mark is markup', () => {
  expect(snippetOf('An azulejo & a <b>tile', ['azu'])).toBe('An <mark>azulejo</mark> &amp; a &lt;b&gt;tile')
})

it('given a sentence, when it is short, then all of it is shown, its punctuation too', () => {
  expect(snippetOf('“Where is the COLOSSEUM?”', ['colosseum'])).toBe('“Where is the <mark>COLOSSEUM</mark>?”')
})

it('given words far apart and once together, when both are looked for, then the snippet shows them together', () => {
  const text = `rome ${'then '.repeat(100)}colosseum ${'and '.repeat(100)}the colosseum of rome is old`
  expect(snippetOf(text, ['colosseum', 'rome'])).toContain(
    'the <mark>colosseum</mark> of <mark>rome</mark> is old',
  )
})

it('given a long text, when a word is found in its midst, then a few words stand before it and twenty after', () => {
  const text = Array.from({ length: 200 }, (_, n) => (n === 100 ? 'needle' : `w${n}`)).join(' ')
  const snippet = snippetOf(text, ['needle'])
  expect(snippet).toMatch(/^w94 w95 w96 w97 w98 w99 <mark>needle<\/mark> w101/)
  expect(snippet.split(' ')).toHaveLength(24)
})

it.each([
  ['an address', 'see example.com/path now', ['example.com/path'], 'see <mark>example.com/path</mark> now'],
  ['a hyphen', 'A well-known tile', ['well-kn', 'well', 'kn'], 'A <mark>well-known</mark> tile'],
  ['a number below zero', 'at -5 degrees', wordsAsked('-5'), 'at -<mark>5</mark> degrees'],
  ['a letter that grows in lower case', 'İstanbul ferry', ['ferry'], 'İstanbul <mark>ferry</mark>'],
  ['nothing that is found', 'plain text.', ['other'], 'plain text.'],
  ['no word at all', '…', ['other'], ''],
])('given %s, when it is looked for, then it is marked whole', (_, text, starts, snippet) => {
  expect(snippetOf(text, starts)).toBe(snippet)
})

it('given one word without an end, when it is found, then some of it is shown', () => {
  const snippet = snippetOf('a'.repeat(2000), ['a'])
  expect(snippet).toMatch(/^<mark>a+<\/mark>$/)
  expect(snippet.length).toBeLessThan(500)
})
