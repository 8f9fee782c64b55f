import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffWords, type Range } from '@/lib/graph/diff/diff-words'
import { cpuTime } from '@/testing/worlds/cpu-time'

/** Both texts with what each has alone in braces. */
function drawn(left: string, right: string): [string, string] | string {
  const diff = diffWords(left, right)
  return diff.kind === 'changed' ? [marked(left, diff.left), marked(right, diff.right)] : diff.kind
}

function marked(text: string, ranges: readonly Range[]): string {
  let line = ''
  let at = 0
  for (const { start, end } of ranges) {
    line += `${text.slice(at, start)}{${text.slice(start, end)}}`
    at = end
  }
  return line + text.slice(at)
}

test.each([
  [
    'Day two: Sintra or the beach?',
    'Day two: Porto or the beach?',
    ['Day two: {Sintra} or the beach?', 'Day two: {Porto} or the beach?'],
  ],
  [
    'Where do we have dinner?',
    'Where do we have dinner? One of us is vegetarian.',
    ['Where do we have dinner?', 'Where do we have dinner? {One of us is vegetarian.}'],
  ],
  ['by train', 'by night train', ['by train', 'by {night} train']],
  ['a **bold** word', 'a bold word', ['a {**}bold{**} word', 'a bold word']],
  ['it’s here', 'it is here', ['{it’s} here', '{it is} here']],
  ['旅行は三日です', '旅行は五日です', ['旅行は{三}日です', '旅行は{五}日です']],
  ['one\n\ntwo   three', 'one two three', 'same'],
  ['', '', 'same'],
  ['something', '', 'rewritten'],
  ['The weather is fine today', 'Porto has more stairs than Lisbon', 'rewritten'],
])('%j and %j are compared word by word', (left, right, expected) => {
  expect(drawn(left, right)).toEqual(expected)
})

test('given passages rewritten around a word they happen to share, then the word goes with them', () => {
  const left = 'We start at nine. First the castle on its hill, later lunch by the river. Then home.'
  const right = 'We start at nine. A tram brings the luggage to the station before noon. Then home.'
  expect(drawn(left, right)).toEqual([
    'We start at nine. {First the castle on its hill, later lunch by the river}. Then home.',
    'We start at nine. {A tram brings the luggage to the station before noon}. Then home.',
  ])
})

test('given any two texts, then what is not marked is the same on both sides', () => {
  const words = fc.array(fc.constantFrom('a', 'bb', 'ccc', 'dddd', ',', '.', '\n'), { maxLength: 40 })
  fc.assert(
    fc.property(words, words, (one, other) => {
      const [left, right] = [one.join(' '), other.join(' ')]
      const diff = diffWords(left, right)
      if (diff.kind === 'rewritten') return
      const rest = (text: string, ranges: Range[]) =>
        marked(text, ranges)
          .replaceAll(/\{[^}]*\}/g, '')
          .replaceAll(/\s+/g, '')
      const ranges = diff.kind === 'changed' ? diff : { left: [], right: [] }
      expect(rest(left, ranges.left)).toBe(rest(right, ranges.right))
    }),
  )
})

test('given the longest messages there can be, then it takes no longer than a glance', () => {
  const long = (seed: number) =>
    Array.from({ length: 20_000 }, (_, at) => `w${(at * seed) % 97}`)
      .join(' ')
      .slice(0, 100_000)
  const worked = cpuTime()
  diffWords(long(31), long(37))
  diffWords(long(31), `${long(31).slice(0, 50_000)} and ${long(31).slice(50_000)}`)
  expect(worked()).toBeLessThan(1500)
})
