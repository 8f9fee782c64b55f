import { expect, it } from 'vitest'
import { readEnv } from '@/lib/runtime/env'

it('given none, then 20 MB; given one, then that', () => {
  expect(readEnv({}).RAMIFY_FILE_LIMIT_MB).toBe(20)
  expect(readEnv({ RAMIFY_FILE_LIMIT_MB: '' }).RAMIFY_FILE_LIMIT_MB).toBe(20)
  expect(readEnv({ RAMIFY_FILE_LIMIT_MB: '5' }).RAMIFY_FILE_LIMIT_MB).toBe(5)
})

it.each(['0', '51', '1.5', 'many'])(
  'given "%s", then the start is refused in one line naming it',
  (value) => {
    expect(() => readEnv({ RAMIFY_FILE_LIMIT_MB: value })).toThrow(/^RAMIFY_FILE_LIMIT_MB .+$/)
  },
)
