import { expect, test } from 'vitest'
import { eventStreamResponse } from './event-stream'

/** News that counts how often it is asked for, and knows when its reader has left. */
function counted(...values: string[]) {
  const seen = { asked: 0, left: false }
  const news = new ReadableStream<string>(
    {
      pull(controller) {
        seen.asked++
        const value = values.shift()
        if (value === undefined) controller.close()
        else controller.enqueue(value)
      },
      cancel() {
        seen.left = true
      },
    },
    { highWaterMark: 0 },
  )
  return { seen, news }
}

test('given news, then each is an event with its position, and silence is a comment', async () => {
  const { news } = counted('delta', 'quiet', 'gone')
  const response = eventStreamResponse(news, (said) => {
    if (said === 'delta') return { event: 'delta', id: 7, data: { title: 'two\nlines' } }
    return said === 'gone' ? { event: 'gone' } : {}
  })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  expect(await response.text()).toBe(
    'event: delta\nid: 7\ndata: {"title":"two\\nlines"}\n\n:\n\nevent: gone\ndata: {}\n\n',
  )
})

test('given a client that does not read, then no news is asked for; one that leaves is let go', async () => {
  const { news, seen } = counted('delta', 'delta')
  const reader = eventStreamResponse(news, (event) => ({ event })).body?.getReader()
  expect(seen.asked).toBe(0)
  await reader?.read()
  expect(seen).toEqual({ asked: 1, left: false })
  await reader?.cancel()
  expect(seen).toEqual({ asked: 1, left: true })
})
