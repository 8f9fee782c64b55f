import type { UIMessageChunk } from 'ai'
import { convertArrayToReadableStream } from 'ai/test'
import { expect, onTestFinished, test, vi } from 'vitest'
import { pullStream } from '@/lib/conversations/watch/pull-stream'
import { checkStreams, replyStreamResponse, type StreamCall } from '@/lib/server/http/streams'
import { readingStreams as world } from '@/testing/worlds/reading-streams'

/** A reply that says one word and then thinks, until its reader has left. */
function thinking() {
  const seen = { left: false }
  const parts = pullStream<UIMessageChunk>(async function* (signal) {
    try {
      yield { type: 'text-delta', id: '0', delta: 'Well' }
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    } finally {
      seen.left = true
    }
  })
  return { seen, parts }
}

const opened = (call: StreamCall, parts: ReadableStream<UIMessageChunk>) => {
  const reader = replyStreamResponse(call, parts).body?.getReader()
  if (!reader) throw new Error('no body')
  return reader
}
const textOf = (chunk: { value?: Uint8Array | undefined }) => new TextDecoder().decode(chunk.value)

test('given a reader who waits for the next word, when the key is revoked, then the stream says so and ends, and its source is let go', async () => {
  const { ended, readBy, streams } = world()
  const { seen, parts } = thinking()
  const reader = opened(readBy('ada'), parts)
  expect(textOf(await reader.read())).toContain('Well')
  const next = reader.read()
  ended.add('ada')
  expect(textOf(await next)).toMatch(/"type":"error".*signed out.*\[DONE\]/s)
  expect(await reader.read()).toMatchObject({ done: true })
  expect(seen.left).toBe(true)
  expect(streams.full({ personId: 'ada', address: 'unknown', credential: { kind: 'key', id: 'ada' } })).toBe(
    undefined,
  )
})

test('given a reader who does not read on, when the key is revoked, then the source is let go all the same', async () => {
  const { ended, readBy, streams } = world()
  const { seen, parts } = thinking()
  const reader = opened(readBy('ada'), parts)
  await reader.read()
  ended.add('ada')
  await streams.endRevoked()
  expect(textOf(await reader.read())).toContain('signed out')
  expect(await reader.read()).toMatchObject({ done: true })
  expect(seen.left).toBe(true)
})

test('given a model that thinks for long, then its reader gets a beat, and no word is lost', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  let speak = (): void => undefined
  const spoken = new Promise<void>((resolve) => {
    speak = resolve
  })
  const parts = pullStream<UIMessageChunk>(async function* () {
    yield { type: 'text-delta', id: '0', delta: 'Well' }
    await spoken
    yield { type: 'text-delta', id: '0', delta: ' then' }
  })
  const reader = opened(world().readBy('ada'), parts)
  expect(textOf(await reader.read())).toContain('Well')
  for (let beats = 0; beats < 3; beats++) {
    const next = reader.read()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(textOf(await next)).toBe(':\n\n')
  }
  speak()
  expect(textOf(await reader.read())).toContain(' then')
  expect(textOf(await reader.read())).toContain('[DONE]')
})

test('given two readers, when the session of one ends, then the other reads on', async () => {
  const { ended, readBy, streams } = world()
  const [gone, stays] = [thinking(), thinking()]
  const readers = [opened(readBy('ada'), gone.parts), opened(readBy('bea'), stays.parts)]
  await Promise.all(readers.map((reader) => reader.read()))
  ended.add('ada')
  await streams.endRevoked()
  expect([gone.seen.left, stays.seen.left]).toEqual([true, false])
  await readers[1]?.cancel()
  expect(stays.seen.left).toBe(true)
})

test('given as many replies and conversations followed as a person or a network may have, then one more is refused until one ends', async () => {
  for (const [limits, limit] of [
    [{ perPerson: 2 }, 'streams'],
    [{ perAddress: 2 }, 'address_streams'],
  ] as const) {
    const { readBy } = world(limits)
    const readers = [opened(readBy('ada'), thinking().parts), opened(readBy('ada'), thinking().parts)]
    expect(() => checkStreams(readBy('ada'))).not.toThrow()
    await Promise.all(readers.map((reader) => reader.read()))
    expect(() => checkStreams(readBy('ada'))).toThrow(
      expect.objectContaining({ status: 429, details: { limit, allowed: 2, used: 2 } }),
    )
    await readers[0]?.cancel()
    expect(() => checkStreams(readBy('ada'))).not.toThrow()
  }
})

test('given a reply that ends by itself, then its stream ends as the client expects', async () => {
  const { readBy } = world()
  const parts = convertArrayToReadableStream<UIMessageChunk>([{ type: 'finish' }])
  expect(await replyStreamResponse(readBy('ada'), parts).text()).toBe(
    'data: {"type":"finish"}\n\ndata: [DONE]\n\n',
  )
})
