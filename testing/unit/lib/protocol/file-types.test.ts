import { expect, it } from 'vitest'
import { fileIdOf, fileUrl, sizeWords, takesType } from '@/lib/protocol'

it.each([
  [fileUrl('a-1'), 'a-1'],
  ['/api/files/', undefined],
  ['/api/files/../keys', undefined],
  ['/api/files/a?b', undefined],
  ['https://example.org/api/files/a', undefined],
  ['data:text/plain,a', undefined],
  [undefined, undefined],
])('given the address %s, then its id is %s', (url, id) => {
  expect(fileIdOf(url)).toBe(id)
})

it.each([
  [['text/plain'], 'text/markdown', true],
  [['text/plain'], 'application/json', true],
  [['text/plain'], 'image/png', false],
  [['text/plain', 'image/*'], 'image/png', true],
  [['text/plain', 'image/png'], 'image/jpeg', false],
  // of these the text is taken out
  [['text/plain', 'image/*'], 'application/pdf', true],
  [['text/plain'], 'application/epub+zip', true],
  [['text/plain', 'image/*'], 'audio/mpeg', false],
  // not known: its provider decides
  [['text/plain', '*/*'], 'application/pdf', true],
])('given a model that takes %j, then %s can be sent to it: %s', (input, type, takes) => {
  expect(takesType(input, type)).toBe(takes)
})

it.each([
  [1, '1 bytes'],
  [1023, '1023 bytes'],
  [1536, '1.5 kB'],
  [20 * 1024 * 1024, '20 MB'],
])('given %d bytes, then the words are "%s"', (bytes, words) => {
  expect(sizeWords(bytes)).toBe(words)
})
