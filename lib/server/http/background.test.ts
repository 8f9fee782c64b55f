import { afterEach, expect, test, vi } from 'vitest'
import { given } from '@/testing/machines/framework/given'
import { keepAwake } from './background'

afterEach(() => {
  vi.unstubAllEnvs()
  delete given.after
})

/** The task that keeps the process awake once a reply is stored whose title is still being asked for. */
function awake(isTitled: Promise<void>): Promise<unknown> {
  let task: (() => Promise<unknown>) | undefined
  given.after = (work) => {
    task = work
  }
  keepAwake({ titles: { settled: () => isTitled } }, Promise.resolve())
  return task?.() ?? Promise.reject(new Error('Nothing keeps the process awake'))
}

test('given a function, when a reply is stored, then the process stays awake until its chat has a title', async () => {
  vi.stubEnv('VERCEL', '1')
  const titled = Promise.withResolvers<void>()
  const ended = vi.fn()
  const kept = awake(titled.promise).then(ended)
  await new Promise(setImmediate)
  expect(ended).not.toHaveBeenCalled()
  titled.resolve()
  await kept
})

test('given a server that goes on, then nothing waits for a title', async () => {
  await awake(new Promise(() => undefined))
})
