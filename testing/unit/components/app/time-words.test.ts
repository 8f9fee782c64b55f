import { expect, test } from 'vitest'
import { ageWords, timeWords, whenWords } from '@/components/app/time-words'

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

type Moment = [year: number, month: number, day: number, hour: number, minute: number]

test.each<[Moment, string, string]>([
  [[2026, 2, 3, 0, 0], '00:00', 'today 00:00'],
  [[2026, 2, 3, 14, 3], '14:03', 'today 14:03'],
  [[2026, 2, 2, 23, 59], '2 Mar, 23:59', 'yesterday 23:59'],
  [[2026, 2, 1, 9, 15], '1 Mar, 09:15', '1 Mar 09:15'],
  [[2025, 11, 31, 9, 15], '31 Dec 2025, 09:15', '31 Dec 2025 09:15'],
])('given the time %j, then a reply has %s, and it is said as near as it is: %s', (moment, short, near) => {
  const at = new Date(...moment).getTime()
  const now = new Date(2026, 2, 3, 20, 0)
  expect([timeWords(at, now), whenWords(at, now)]).toEqual([short, near])
})
