import type { UIMessageChunk } from 'ai'
import { convertReadableStreamToArray as read } from 'ai/test'
import { expect, it } from 'vitest'
import { createChunkQueue } from '@/lib/ai/reply/chunk-queue'

const delta = (text: string, id = '0'): UIMessageChunk => ({ type: 'text-delta', id, delta: text })

it('given a reader that waits, then every chunk arrives as it came', async () => {
  const queue = createChunkQueue()
  const reading = read(queue.stream)
  for (const text of ['a', 'b', 'c']) {
    queue.push(delta(text))
    await new Promise((resolve) => setImmediate(resolve))
  }
  queue.close()
  expect(await reading).toEqual([delta('a'), delta('b'), delta('c')])
})

it('given no reader, then waiting deltas of one part are one chunk', async () => {
  const queue = createChunkQueue()
  for (const text of ['a', 'b', 'c']) queue.push(delta(text))
  queue.push(delta('x', '1'))
  queue.push({ type: 'text-end', id: '0' })
  queue.push(delta('y', '1'))
  queue.close()
  expect(await read(queue.stream)).toEqual([
    delta('abc'),
    delta('x', '1'),
    { type: 'text-end', id: '0' },
    delta('y', '1'),
  ])
})

it('given metadata on a delta, then it is kept apart', async () => {
  const queue = createChunkQueue()
  const thought = { type: 'reasoning-delta', id: '0' } as const
  const signed = { ...thought, delta: '', providerMetadata: { a: { sig: 'x' } } }
  queue.push({ ...thought, delta: 'a' })
  queue.push(signed)
  queue.close()
  expect((await read(queue.stream)).at(-1)).toEqual(signed)
})

it('given a reader that cancelled, then pushing and closing go on quietly', async () => {
  const queue = createChunkQueue()
  queue.push(delta('a'))
  const reader = queue.stream.getReader()
  await reader.read()
  const pending = reader.read()
  await reader.cancel()
  queue.push(delta('b'))
  queue.close()
  expect((await pending).done).toBe(true)
})
