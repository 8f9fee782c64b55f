import type { UIMessageChunk } from 'ai'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { RunRecord } from '@/lib/context'
import type { LogEntry, RunLogPort } from '@/lib/conversations/replies/run-log-writer'
import { RunLogWriter } from '@/lib/conversations/replies/run-log-writer'

/** A log that keeps what it is given; it may fail before or after that, or be slow to answer. */
class FakeLog implements RunLogPort {
  readonly stored = new Map<number, UIMessageChunk[]>()
  readonly appended: LogEntry[][] = []
  fails: 'before' | 'after' | undefined
  held = true
  stopping = false
  slow: Promise<void> | undefined

  async append(entries: readonly LogEntry[]) {
    this.appended.push([...entries])
    await this.slow
    if (this.fails === 'before') throw new Error('not reached')
    // as in the database, what is there stays
    for (const { number, parts } of entries) {
      if (parts.length > 0 && !this.stored.has(number)) this.stored.set(number, parts)
    }
    if (this.fails === 'after') throw new Error('no answer')
    return new Map(this.held ? entries.map(({ runId }) => [runId, { stopping: this.stopping }]) : [])
  }
  read = () => Promise.resolve(undefined)
  attempts = () => Promise.resolve([])
  prune = () => Promise.resolve(0)

  /** Everything a reader of the log has read. */
  get text(): string {
    const numbers = [...this.stored.keys()].sort((a, b) => a - b)
    expect(numbers).toEqual(numbers.map((_, i) => i))
    return numbers
      .flatMap((number) => this.stored.get(number) ?? [])
      .map((part) => (part.type === 'text-delta' ? part.delta : ''))
      .join('')
  }
}

const run = { chatId: 'c', runId: 'r', fence: 1, attempt: 1 } as RunRecord
const word = (delta: string): UIMessageChunk => ({ type: 'text-delta', id: 't', delta })

let log: FakeLog
let verdicts: { stop: () => void; lost: () => void }
const open = () => new RunLogWriter(log, { clock: Date.now, logError: () => undefined }).open(run, verdicts)
/** A reply of which so many words were said. */
const saying = (...words: string[]) => {
  const entry = open()
  for (const said of words) entry.push(word(said))
  return entry
}
/** As long as a write is due at least once. */
const aWhile = () => vi.advanceTimersByTimeAsync(200)

beforeEach(() => {
  vi.useFakeTimers()
  log = new FakeLog()
  verdicts = { stop: vi.fn(), lost: vi.fn() }
})
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

test.each(['before', 'after'] as const)(
  'given a write that fails %s it arrives, when words follow, then each is there once and in order',
  async (when) => {
    const entry = saying('a', 'b')
    log.fails = when
    await aWhile()
    entry.push(word('c'))
    await aWhile()
    log.fails = undefined
    entry.push(word('d'))
    await aWhile()
    entry.push(word('e'))
    await entry.close()
    expect(log.text).toBe('abcde')
  },
)

test.each(['before', 'after'] as const)(
  'given a write that has failed %s it arrived, when the reply is over, then all of it is there',
  async (when) => {
    const entry = saying('a')
    log.fails = when
    await aWhile()
    entry.push(word('b'))
    log.fails = undefined
    await entry.close()
    expect(log.text).toBe('ab')
  },
)

test('given a write that is under way, when the reply is over, then the last words come after it', async () => {
  const entry = saying('a')
  const { promise, resolve } = Promise.withResolvers<void>()
  log.slow = promise
  await aWhile()
  entry.push(word('b'))
  const closed = entry.close()
  await aWhile()
  expect(log.appended).toHaveLength(1)
  resolve()
  await closed
  expect(log.text).toBe('ab')
})

test('given a database that does not answer, when the reply is over, then its end is told', async () => {
  const entry = saying('a')
  log.fails = 'before'
  await expect(entry.close()).rejects.toThrow('not reached')
})

test('given a silent model, then it is asked all the same whether the reply was stopped', async () => {
  const entry = open()
  log.stopping = true
  await vi.advanceTimersByTimeAsync(1200)
  expect(verdicts.stop).toHaveBeenCalled()
  expect(verdicts.lost).not.toHaveBeenCalled()
  expect(log.stored.size).toBe(0)
  entry.discard()
})

test('given a run that another process holds, then the writer is told and nothing more is written', async () => {
  const entry = open()
  log.held = false
  entry.push(word('a'))
  await aWhile()
  expect(verdicts.lost).toHaveBeenCalled()
  entry.discard()
  entry.push(word('b'))
  await aWhile()
  expect(log.appended).toHaveLength(1)
})
