import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openReplies } from '@/components/fan-out/follow-replies'
import { wordsOf } from '@/components/session/messages'
import type { GraphDelta, Waiting } from '@/lib/protocol'
import { FakeSource } from '@/testing/worlds/fake-source'

beforeEach(() => vi.stubGlobal('EventSource', FakeSource))
afterEach(() => vi.unstubAllGlobals())

const begins = (waiting?: Waiting) => ({ type: 'data-run', transient: true, data: { waiting } })
const start = (messageId: string) => ({ type: 'start', messageId })
const text = (...deltas: string[]) => [
  { type: 'text-start', id: '0' },
  ...deltas.map((delta) => ({ type: 'text-delta', id: '0', delta })),
]
const stored = (seq: number) => ({ type: 'data-graph', transient: true, data: { chatId: 'trip', seq } })

/** A reader, and what it has last heard of each run. */
function reader() {
  const words = new Map<string, string>()
  const ended: [GraphDelta, string | null][] = []
  let over = 0
  const close = openReplies('/replies', {
    onWords: (runId, { message, waiting }) =>
      words.set(runId, message ? wordsOf(message) : waiting ? `waits for ${waiting.for}` : ''),
    onStored: (delta, message) => ended.push([delta, message && `${message.id}: ${wordsOf(message)}`]),
    onEnd: () => over++,
  })
  const source = FakeSource.last
  /** what the server says of a run */
  const part = (runId: string, ...parts: object[]) => {
    for (const part of parts) source.tell('part', { runId, part })
  }
  return { words, ended, close, source, part, over: () => over }
}

test('given replies to one message, then each has its own words, and is stored with them', async () => {
  const { words, ended, part } = reader()
  part('r1', begins(), start('a1'), ...text('One', ' two'))
  part('r2', begins(), start('a2'), ...text('Other'))
  await vi.waitFor(() => expect(Object.fromEntries(words)).toEqual({ r1: 'One two', r2: 'Other' }), 10_000)

  part('r1', { type: 'text-end', id: '0' }, stored(9), { type: 'finish' })

  await vi.waitFor(() => expect(ended).toEqual([[{ chatId: 'trip', seq: 9 }, 'a1: One two']]), 10_000)
  part('r2', { type: 'text-delta', id: '0', delta: ' words' })
  await vi.waitFor(() => expect(words.get('r2')).toBe('Other words'), 10_000)
})

test('given a reply that waits, when it begins, and when another process begins it anew, then its words begin anew', async () => {
  const { words, ended, part } = reader()
  part('r1', begins({ for: 'person', writing: 16 }))
  expect(words.get('r1')).toBe('waits for person')
  part('r1', begins(), start('a1'), ...text('Lost'))
  await vi.waitFor(() => expect(words.get('r1')).toBe('Lost'), 10_000)
  part('r1', begins())
  expect(words.get('r1')).toBe('')
  part('r1', start('a1'), ...text('Found'), stored(3))
  await vi.waitFor(() => expect(ended).toEqual([[{ chatId: 'trip', seq: 3 }, 'a1: Found']]), 10_000)
})

test('given a reply that fails without a word, then only what it has changed is told', async () => {
  const { ended, part } = reader()
  part('r1', begins(), stored(4), { type: 'error', errorText: 'No key' })
  await vi.waitFor(() => expect(ended).toEqual([[{ chatId: 'trip', seq: 4 }, null]]), 10_000)
})

test('given a stream that breaks off, or is closed, then nothing more is told, and the source does not connect again', async () => {
  const broken = reader()
  broken.part('r1', begins(), start('a1'))
  broken.source.fail()
  expect(broken.source.closed).toBe(true)
  expect(broken.over()).toBe(1)
  broken.part('r1', ...text('Late'))
  const closed = reader()
  closed.close()
  expect(closed.source.closed).toBe(true)
  expect(closed.over()).toBe(0)
  await Promise.resolve()
  expect(broken.words.get('r1')).toBe('')
})
