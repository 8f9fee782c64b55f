import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { steadily } from './steadily'

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }))
afterEach(() => vi.useRealTimers())

/** Time until work of so many milliseconds is answered, in ms. */
async function answeredAfter(ms: number, step?: number, fails = false): Promise<number> {
  const begun = performance.now()
  const work = async () => {
    await new Promise((resolve) => setTimeout(resolve, ms))
    if (fails) throw new Error('refused')
  }
  const ended = steadily(work, step)
    .catch(() => undefined)
    .then(() => performance.now() - begun)
  await vi.advanceTimersByTimeAsync(1000)
  return Math.round(await ended)
}

test('given a known address and a new one, whose account takes longer to store, then signing up takes as long', async () => {
  expect(await answeredAfter(190, 500)).toBe(500)
  expect(await answeredAfter(310, 500)).toBe(500)
})

test('given work that fails, or takes longer than a step, then it ends at a whole step', async () => {
  expect(await answeredAfter(100, undefined, true)).toBe(250)
  expect(await answeredAfter(260)).toBe(500)
})
