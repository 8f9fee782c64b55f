import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { waitFor } from '@/lib/conversations/watch/chat-bell'

/** Wakes others, and knows who waits. */
function alarm() {
  const waiting = new Set<() => void>()
  return {
    waiting,
    subscribe: (wake: () => void) => {
      waiting.add(wake)
      return () => waiting.delete(wake)
    },
    ring: () => {
      for (const wake of waiting) wake()
    },
  }
}

test('given a reader who waits a thousand times, then nothing of it is left behind', async () => {
  const { signal } = new AbortController()
  const { waiting, subscribe, ring } = alarm()
  for (let i = 0; i < 1000; i++) {
    const waited = waitFor(subscribe, { signal, timeoutMs: 60_000 })
    expect(waiting.size).toBe(1)
    ring()
    await waited
  }
  expect(waiting.size).toBe(0)
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})

test.each([
  ['before', true],
  ['while', false],
])('given a reader who leaves %s they wait, then they wait no longer', async (_when, before) => {
  const reader = new AbortController()
  if (before) reader.abort()
  const waited = waitFor(() => () => undefined, { signal: reader.signal })
  reader.abort()
  await waited
})

test('given no wake, then the time is over at some point', async () => {
  await waitFor(() => () => undefined, { timeoutMs: 1 })
})
