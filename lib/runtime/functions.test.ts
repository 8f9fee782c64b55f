import { expect, test } from 'vitest'
import { readEnv } from './env'
import { hasWorker, withFunctionLimits } from './functions'

test('given a process that sleeps between requests, then it has no worker, whatever is set', () => {
  expect(hasWorker({})).toBe(true)
  expect(hasWorker({ RAMIFY_WORKER: 'off' })).toBe(false)
  expect(hasWorker({ VERCEL: '1' })).toBe(false)
  expect(hasWorker({ VERCEL: '1', RAMIFY_WORKER: 'on' })).toBe(false)
})

test('given a function, then a file and an import fit into its 4.5 MB; an operator may set less', () => {
  const sizes = (source: Record<string, string>) => {
    const env = readEnv(withFunctionLimits(source))
    return [env.RAMIFY_FILE_LIMIT_MB, env.RAMIFY_IMPORT_LIMIT_MB]
  }
  expect(sizes({})).toEqual([20, undefined])
  expect(sizes({ VERCEL: '1' })).toEqual([4, 4])
  expect(sizes({ VERCEL: '1', RAMIFY_FILE_LIMIT_MB: '2' })).toEqual([2, 4])
})
