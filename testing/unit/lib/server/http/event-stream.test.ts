import { expect, test } from 'vitest'
import { eventStreamResponse } from '@/lib/server/http/streams'
import { readingStreams } from '@/testing/worlds/reading-streams'

const MOST = 100

const { readBy } = readingStreams({ perPerson: MOST, perAddress: Number.POSITIVE_INFINITY })

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
  const response = await eventStreamResponse(readBy('ada'), news, (said) => {
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
  const reader = (await eventStreamResponse(readBy('ada'), news, (event) => ({ event }))).body?.getReader()
  expect(seen.asked).toBe(0)
  await reader?.read()
  expect(seen).toEqual({ asked: 1, left: false })
  await reader?.cancel()
  expect(seen).toEqual({ asked: 1, left: true })
})

test('given a person with as many streams as are allowed, then another is refused, until one of them ends', async () => {
  const all = await Promise.all(Array.from({ length: MOST }, () => read('bea')))
  const refused = open('bea')
  await expect(refused.response).rejects.toMatchObject({
    status: 429,
    code: 'too_many_streams',
    details: { limit: 'streams', allowed: MOST, used: MOST },
  })
  expect(refused.seen.left).toBe(true)
  await (await read('cleo')).cancel()
  // one is left, one read to its end
  await all[0]?.cancel()
  expect(await all[1]?.read()).toEqual({ done: true, value: undefined })
  await read('bea')
  await read('bea')
  await expect(open('bea').response).rejects.toMatchObject({ status: 429 })
})

test('given answers to a HEAD or to a client that has left, which are never read, then they do not count', async () => {
  for (let unread = 0; unread <= MOST; unread++) await open('dan').response
  expect(await (await open('dan').response).text()).toContain('event: delta')
})

test('given more streams asked for at once than one may have, then as many as that are read, and the others end unread', async () => {
  const asked = Array.from({ length: MOST + 5 }, () => open('eve'))
  const firsts = await Promise.all(
    asked.map(async ({ response }) => (await response).body?.getReader().read()),
  )
  expect(firsts.filter((first) => first?.done)).toHaveLength(5)
  expect(asked.filter(({ seen }) => seen.left)).toHaveLength(5)
})

const open = (who: string) => {
  const { news, seen } = counted('delta')
  return { seen, response: eventStreamResponse(readBy(who), news, (event) => ({ event })) }
}

/** A stream of which the first piece was read. */
async function read(who: string) {
  const reader = (await open(who).response).body?.getReader()
  if (!reader) throw new Error('no body')
  await reader.read()
  return reader
}
