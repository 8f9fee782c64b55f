import { expect, test } from 'vitest'
import { pairFragments } from '@/lib/graph/diff/pair-fragments'

const fragments = (...lines: string[]) =>
  lines.map((line) => {
    const [name = '', text = ''] = line.split(': ')
    return { name, text }
  })

/** What differs, a line each: `name: left | right`. */
function drawn(left: string[], right: string[]) {
  const { same, differing } = pairFragments(fragments(...left), fragments(...right))
  return [same, ...differing.map((pair) => `${pair.name}: ${pair.left ?? '—'} | ${pair.right ?? '—'}`)]
}

test.each([
  [
    ['hint: a', 'hint: b'],
    ['hint: a', 'hint: c', 'term: d'],
    [1, 'hint: b | c', 'term: — | d'],
  ],
  [['hint: a', 'hint: a'], ['hint: a'], [1, 'hint: a | —']],
  [['role: a', 'memory: x'], ['role: a'], [1, 'memory: x | —']],
])('%j and %j are paired', (left, right, expected) => {
  expect(drawn(left, right)).toEqual(expected)
})
