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

test('given the time of a reply, then it is named as short as it is clear', () => {
  const now = new Date(2026, 1, 4, 20, 0)
  expect(timeWords(new Date(2026, 1, 4, 14, 3).getTime(), now)).toBe('14:03')
  expect(timeWords(new Date(2026, 1, 3, 18, 20).getTime(), now)).toBe('3 Feb, 18:20')
  expect(timeWords(new Date(2025, 1, 4, 14, 3).getTime(), now)).toBe('4 Feb 2025, 14:03')
})

test('given a time, then it is said as near as it is', () => {
  const now = new Date(2026, 2, 3, 12, 0)
  const said = (...[year, month, day, hour, minute]: [number, number, number, number, number]) =>
    whenWords(new Date(year, month, day, hour, minute).getTime(), now)
  expect(said(2026, 2, 3, 0, 0)).toBe('today 00:00')
  expect(said(2026, 2, 3, 14, 3)).toBe('today 14:03')
  expect(said(2026, 2, 2, 23, 59)).toBe('yesterday 23:59')
  expect(said(2026, 2, 1, 9, 15)).toBe('1 Mar 09:15')
  expect(said(2025, 11, 31, 9, 15)).toBe('31 Dec 2025 09:15')
})
