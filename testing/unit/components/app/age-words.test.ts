import { expect, test } from 'vitest'
import { ageWords } from '@/components/app/age-words'

const now = new Date(2026, 5, 15, 12).getTime()
const minute = 60_000

test.each([
  [0, 'now'],
  // a clock that is behind the server's
  [-5 * minute, 'now'],
  [minute, '1 min'],
  [59 * minute, '59 min'],
  [60 * minute, '1 h'],
  [24 * 60 * minute, '1 d'],
  [7 * 24 * 60 * minute, '8 Jun'],
  [365 * 24 * 60 * minute, '15 Jun 2025'],
])('given a time %d ms ago, then a list says %s', (age, words) => {
  expect(ageWords(now - age, now)).toBe(words)
})
