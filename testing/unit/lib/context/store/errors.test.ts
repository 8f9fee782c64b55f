import { expect, test } from 'vitest'
import { HeadConflictError, NamedError, RunOverError } from '@/lib/context/store/errors'

/** What another bundle of the same module throws: same name, other class. */
const another = () =>
  Object.assign(new Error('over'), { name: 'RunOverError', [Symbol.for('ramify.named-error')]: true })

test.each([
  ['its own', () => new RunOverError('over')],
  ['another bundle’s', another],
])('given %s refusal, then it is of its class and one of ours', (_whose, make) => {
  const error = make()
  expect(error instanceof RunOverError).toBe(true)
  expect(error instanceof NamedError).toBe(true)
  expect(error instanceof HeadConflictError).toBe(false)
})

test('given any other error, then it is none of ours', () => {
  expect(new Error('connection lost') instanceof NamedError).toBe(false)
  expect((null as unknown) instanceof NamedError).toBe(false)
})
