import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NotFoundError, type ThreadEvent, type ThreadHead } from '@/lib/context'
import type { ThreadReadsPort } from '@/lib/conversations/ports'
import { ChangeHub } from '@/lib/conversations/watch/change-hub'
import { type ThreadNews, watchThread } from '@/lib/conversations/watch/watch-thread'

/** Ada's thread `main`, and what a watcher of it is told. */
class Main {
  readonly log: number[] = []
  exists = true
  failing: Error | null = null
  reads = 0
  readonly errors: string[] = []
  readonly hub = new ChangeHub({ logError: (what) => void this.errors.push(what) })

  readonly ports = {
    threads: {
      head: async (threadId: string, ownerId: string) =>
        this.#isThere(threadId, ownerId) ? ({ chatId: 'trip' } as ThreadHead) : undefined,
      events: async (
        threadId: string,
        ownerId: string,
        { after, limit }: { after: number; limit: number },
      ) => {
        this.reads++
        if (this.failing) throw this.failing
        if (!this.#isThere(threadId, ownerId)) return undefined
        const later = this.log.filter((number) => number > after)
        const found = later
          .slice(0, limit)
          .map((eventNumber) => ({ eventNumber, type: 'ContextChanged' }) as ThreadEvent)
        return { found, next: later.length > limit ? (found.at(-1)?.eventNumber ?? null) : null }
      },
    } as Partial<ThreadReadsPort> as ThreadReadsPort,
    changes: this.hub,
    clock: Date.now,
    logError: (what: string) => void this.errors.push(what),
  }

  #isThere = (threadId: string, ownerId: string) => this.exists && threadId === 'main' && ownerId === 'ada'

  write(count: number): void {
    for (let i = 0; i < count; i++) this.log.push(this.log.length + 1)
    this.hub.touched('trip')
  }

  /** A watcher that has been told it is connected. */
  async watch(after = 0) {
    const news = await watchThread(this.ports, { ownerId: 'ada', threadId: 'main', after })
    const reader = news.getReader()
    expect((await reader.read()).value).toEqual({ kind: 'quiet' })
    return reader
  }
}

type Reader = ReadableStreamDefaultReader<ThreadNews>

const told = async (reader: Reader) => numberOf(await reader.read())
const numberOf = ({ value }: Awaited<ReturnType<Reader['read']>>) =>
  value?.kind === 'event' ? value.event.eventNumber : value?.kind

async function toldTimes(reader: Reader, times: number) {
  const all = []
  for (let i = 0; i < times; i++) all.push(await told(reader))
  return all
}
const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, i) => first + i)

let main: Main
beforeEach(() => {
  vi.useFakeTimers()
  main = new Main()
})
afterEach(() => void vi.useRealTimers())

test('given events that were, then each is told, in order, and then each new one as it comes', async () => {
  main.write(3)
  const reader = await main.watch()
  expect(await toldTimes(reader, 3)).toEqual([1, 2, 3])
  const next = told(reader)
  await vi.advanceTimersByTimeAsync(0)
  main.write(2)
  expect(await next).toBe(4)
  expect(await told(reader)).toBe(5)
})

test('given more than is read at a time, and more that come while it is told, then nothing is skipped or repeated', async () => {
  main.write(250)
  const reader = await main.watch(7)
  const first = await toldTimes(reader, 120)
  main.write(30)
  expect([...first, ...(await toldTimes(reader, 153))]).toEqual(upTo(280, 8))
})

test('given a silence, then it is broken every 15 seconds, and an untold change is found', async () => {
  const reader = await main.watch()
  const quiet = told(reader)
  await vi.advanceTimersByTimeAsync(15_000)
  expect(await quiet).toBe('quiet')
  const next = told(reader)
  await vi.advanceTimersByTimeAsync(0)
  // given a write of a process that is not heard here
  main.log.push(1)
  await vi.advanceTimersByTimeAsync(15_000)
  expect([await next, await told(reader)]).toEqual(['quiet', 1])
})

test('given no reader, then nothing is asked for', async () => {
  main.write(1)
  await main.watch()
  expect(main.reads).toBe(0)
  main.write(500)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(main.reads).toBe(0)
})

test('given a thread that is deleted, then its watchers’ streams end', async () => {
  const reader = await main.watch()
  const next = reader.read()
  await vi.advanceTimersByTimeAsync(0)
  main.exists = false
  main.hub.touched('trip')
  expect((await next).done).toBe(true)
})

test.each([
  ['a server that ends', (main: Main) => void main.hub.close()],
  ['a watcher that has listened for four minutes', () => vi.advanceTimersByTimeAsync(240_000)],
])('given %s, then the stream ends and is to be resumed', async (_what, happen) => {
  const reader = await main.watch()
  const rest: unknown[] = []
  const over = (async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) rest.push(next.value.kind)
  })()
  await vi.advanceTimersByTimeAsync(0)
  await happen(main)
  await vi.advanceTimersByTimeAsync(15_000)
  await over
  expect(rest.every((kind) => kind === 'quiet')).toBe(true)
})

test('given a database that fails, then the stream ends and the log says why', async () => {
  const reader = await main.watch()
  main.failing = new Error('gone')
  expect((await reader.read()).done).toBe(true)
  expect(main.errors).toEqual(['watching a thread'])
})

test('given a watcher that leaves, then no listener is left', async () => {
  const reader = await main.watch()
  void reader.read()
  await vi.advanceTimersByTimeAsync(0)
  const before = main.reads
  await reader.cancel()
  main.write(1)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(main.reads).toBe(before)
})

test.each([
  ['another person', 'bob', 'main'],
  ['a thread that is not there', 'ada', 'nowhere'],
])('given %s, then it is not found', async (_what, ownerId, threadId) => {
  await expect(watchThread(main.ports, { ownerId, threadId, after: 0 })).rejects.toBeInstanceOf(NotFoundError)
})
