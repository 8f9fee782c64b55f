import { expect, it } from 'vitest'
import { Turns } from './turns'

/** Keeps the process busy, in ms. */
const busy = (ms: number) => {
  const until = performance.now() + ms
  while (performance.now() < until);
}

it('given a long computation, when others wait, then they have their turn every few milliseconds', async () => {
  const turns = new Turns()
  let others = 0
  const count = () => {
    others++
    waiting = setImmediate(count)
  }
  let waiting = setImmediate(count)
  const doubled = await turns.map([1, 2, 3, 4], (number) => {
    busy(10)
    return number * 2
  })
  clearImmediate(waiting)
  expect(doubled).toEqual([2, 4, 6, 8])
  expect(others).toBeGreaterThanOrEqual(4)
})

it('given a short computation, when it is done, then no one had to wait for it', async () => {
  let others = 0
  const waiting = setImmediate(() => others++)
  await new Turns().next()
  clearImmediate(waiting)
  expect(others).toBe(0)
})
