import { describe, expect, test } from 'vitest'
import { foreignChat, foreignMessage } from '@/testing/worlds/foreign-export'
import { lostWords, SourceTexts } from './source-texts'

const chatWith = (...texts: string[]) =>
  foreignChat('c', {
    messages: texts.map((text, at) => foreignMessage(`q${at}`, null, { parts: [{ type: 'text', text }] })),
  })
const lostOf = (source: unknown, ...texts: string[]) => {
  const found = new SourceTexts(new Set(['settings']))
  found.add(source)
  return Object.fromEntries(found.lostIn([chatWith(...texts)]))
}

describe('a text that no part of the chat holds is found by its key', () => {
  test.each<[string, unknown, object]>([
    ['a title under a longer key', { userTitle: 'Agi' }, { userTitle: 1 }],
    ['a short text', { messages: [{ answer: 'hi' }] }, { 'messages.answer': 1 }],
    ['words under any key', { extra: { aside: 'three words here' } }, { 'extra.aside': 1 }],
    [
      'a page',
      { search: { urls: ['https://example.org/a', 'https://example.org/b'] } },
      { 'search.urls': 2 },
    ],
    ['Japanese', { memo: 'これは大切です' }, { memo: 1 }],
    ['a picture', { images: ['x'.repeat(3000)] }, { images: 1 }],
    [
      'texts of records by id',
      { '0f8fad5b-d9cb-469f-a165-70867728950e': { text: 'lost words' } },
      { text: 1 },
    ],
  ])('%s', (_, source, lost) => {
    expect(lostOf(source, 'kept')).toEqual(lost)
  })
})

describe('nothing is lost of', () => {
  test.each<[string, unknown]>([
    ['words that are kept', { text: 'Kept words of somebody' }],
    ['words that lost their blanks', { text: '  Kept words\nof somebody ' }],
    ['words with entities', { text: 'Kept words of&nbsp;somebody' }],
    ['JSON in a text', { arguments: '{"said":"Kept words of somebody"}' }],
    [
      'ids, times, kinds and models',
      { id: 'a b c', created_at: 'on a day', type: 'of a kind', model_slug: 'a b c' },
    ],
    ['what the format calls silent', { settings: { prompt: 'something else' } }],
  ])('%s', (_, source) => {
    expect(lostOf(source, 'Kept words of somebody')).toEqual({})
  })
})

test('the words name six fields, and count the others', () => {
  const lost = new Map(Array.from({ length: 8 }, (_, at) => [`field${at}`, 9 - at]))
  const words = lostWords(lost)
  expect(words).toHaveLength(7)
  expect(words[0]).toBe('9 texts under “field0” are not brought: this field is not known here.')
  expect(words[6]).toBe('5 texts under 2 other fields are not brought either.')
})
