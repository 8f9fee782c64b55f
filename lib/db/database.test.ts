import { expect, it } from 'vitest'
import { QueryAbandonedError, QueryTimeoutError } from './database'
import { isTimeout } from './query-deadline'

it('given an error of the same module in another bundle of the server, then it is known by its name', () => {
  const elsewhere = (name: string) => Object.assign(new Error('It was thrown in another bundle'), { name })
  expect(elsewhere('QueryAbandonedError')).toBeInstanceOf(QueryAbandonedError)
  expect(elsewhere('QueryTimeoutError')).toBeInstanceOf(QueryTimeoutError)
  expect(isTimeout(elsewhere('QueryTimeoutError'))).toBe(true)
  expect(isTimeout(new QueryAbandonedError())).toBe(false)
  expect(new Error('no')).not.toBeInstanceOf(QueryTimeoutError)
})
