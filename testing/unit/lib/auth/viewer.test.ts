import { expect, test } from 'vitest'
import { bearerOf } from '@/lib/auth/viewer'

test.each([
  ['Bearer rk_abc', 'rk_abc'],
  ['bearer   rk_abc', 'rk_abc'],
  ['Bearer', ''],
  ['Bearer rk_abc more', 'rk_abc'],
  ['Basic YWRhOnNlY3JldA==', undefined],
  ['rk_abc', undefined],
  [undefined, undefined],
])('given the header %j, then the token is %j', (authorization, token) => {
  const headers = new Headers()
  if (authorization !== undefined) headers.set('authorization', authorization)
  expect(bearerOf(new Request('http://localhost/', { headers }))).toBe(token)
})
