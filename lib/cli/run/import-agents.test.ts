import { expect, it } from 'vitest'
import { UsageError } from '../errors'
import { placesIn } from './import-agents'

it.each([
  ['', []],
  ['all', [1, 2, 3, 4, 5]],
  ['1 3-5', [1, 3, 4, 5]],
  ['2,2, 2-3', [2, 3]],
])('the answer “%s” names sessions', (answer, places) => {
  expect(placesIn(answer, 5)).toEqual(places)
})

it.each(['0', '6', '3-2', '4-9', 'first', '-1'])('the answer “%s” names none, and is refused', (answer) => {
  expect(() => placesIn(answer, 5)).toThrow(UsageError)
})
