import { expect, test } from 'vitest'
import { toldTokens } from '@/lib/context'

test.each([
  [0, 0],
  [12.4, 12],
  [10_000_001, 10_000_000],
  [1e300, 10_000_000],
  [-1, undefined],
  [Number.NaN, undefined],
  [Number.POSITIVE_INFINITY, undefined],
  [undefined, undefined],
])('given a provider that tells %s tokens, then %s count', (told, counted) => {
  expect(toldTokens(told)).toBe(counted)
})
