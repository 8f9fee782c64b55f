import { expect, it } from 'vitest'
import { plural, singular } from '@/lib/context/renderers/inflection'

it.each([
  ...['term terms', 'hint hints', 'memory memories', 'styleGuide styleGuides', 'class classes'],
  ...['branch branches', 'box boxes', 'key keys', 'database databases', 'child children'],
  ...['session_cookie session_cookies', 'status statuses', 'case cases'],
])('given %s, then one and many are told', (pair) => {
  const [one = '', many = ''] = pair.split(' ')
  expect(plural(one)).toBe(many)
  expect(singular(many)).toBe(one)
  expect(plural(many)).toBe(many)
  expect(singular(one)).toBe(one)
})

it.each(['data', 'series', ''])('leaves %j alone when asked for one', (word) =>
  expect(singular(word)).toBe(word),
)
