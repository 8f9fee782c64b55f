import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { NotFoundError } from '@/lib/context'
import type { ChatReadsPort } from '@/lib/conversations/ports'
import { ChangeHub } from '@/lib/conversations/watch/change-hub'
import { type ChatNews, watchChat } from '@/lib/conversations/watch/watch-chat'
import type { GraphDelta } from '@/lib/protocol'

/** Ada's chat `trip`, as a log of titles, and what a watcher of it is told. */
class Trip {
  readonly log: string[] = []
  runs: string[] = []
  exists = true
  reads = 0
  failing: Error | null = null
  readonly errors: string[] = []
  readonly listening = new Set<unknown>()
  readonly hub = new ChangeHub({ logError: (what) => void this.errors.push(what) })

  #delta(since: number): GraphDelta {
    const runs = this.runs.map((runId) => ({ runId, branchId: 'main', replyTo: 'q', replyId: 'a' }))
    const said = this.log.slice(since)
    return { chatId: 'trip', seq: this.log.length, ...(said.length ? { title: said.join(' + ') } : {}), runs }
  }

  readonly ports = {
    reads: {
      branchState: async (chatId: string, ownerId: string) => ({
        chat: chatId !== 'trip' || !this.exists ? 'unknown' : ownerId === 'ada' ? 'own' : 'foreign',
      }),
      delta: async (_chatId: string, ownerId: string, since: number) => {
        this.reads++
        if (this.failing) throw this.failing
        return this.exists && ownerId === 'ada' ? this.#delta(since) : undefined
      },
    } as Partial<ChatReadsPort> as ChatReadsPort,
    changes: this.hub,
    clock: Date.now,
    logError: (what: string) => void this.errors.push(what),
  }

  constructor() {
    const subscribe = this.hub.subscribeChat.bind(this.hub)
    vi.spyOn(this.hub, 'subscribeChat').mockImplementation((chatId, wake) => {
      const leave = subscribe(chatId, wake)
      this.listening.add(leave)
      return () => {
        this.listening.delete(leave)
        leave()
      }
    })
  }

  write(...titles: string[]): void {
    for (const title of titles) {
      this.log.push(title)
      this.hub.touched('trip')
    }
  }

  async watch(since = 0) {
    return (await watchChat(this.ports, { ownerId: 'ada', chatId: 'trip', since })).getReader()
  }

  /** A watcher who knows all there is: its reader, and what it is told next. */
  async watchNews() {
    const reader = await this.watch()
    await told(reader)
    const next = told(reader)
    await toldByNow(next)
    return { reader, next }
  }
}

type Reader = Awaited<ReturnType<Trip['watch']>>

const told = async (reader: Reader): Promise<ChatNews | undefined> => (await reader.read()).value
const titleOf = (news: ChatNews | undefined) =>
  news?.kind === 'delta' ? (news.delta.title ?? '') : news?.kind

/** What a watcher has been told so far, without waiting: `null` when it has not been told anything new. */
async function toldByNow(reading: Promise<ChatNews | undefined>): Promise<ChatNews | undefined | null> {
  await vi.advanceTimersByTimeAsync(0)
  return Promise.race([reading, Promise.resolve(null)])
}

let trip: Trip
beforeEach(() => {
  vi.useFakeTimers()
  trip = new Trip()
})
afterEach(() => vi.useRealTimers())

describe('a watcher', () => {
  test('is told at once what it has missed, then everything as it happens, and nothing twice', async () => {
    trip.write('one', 'two')
    const reader = await trip.watch(1)
    expect(await told(reader)).toMatchObject({ kind: 'delta', delta: { seq: 2, title: 'two' } })
    const next = told(reader)
    expect(await toldByNow(next)).toBeNull()
    trip.write('three')
    expect(await next).toMatchObject({ kind: 'delta', delta: { seq: 3, title: 'three' } })
  })

  test('who has missed nothing is told so', async () => {
    trip.write('one')
    expect(await told(await trip.watch(1))).toEqual({
      kind: 'delta',
      delta: { chatId: 'trip', seq: 1, runs: [] },
    })
  })

  test('is told of a reply that begins and ends without an event', async () => {
    const reader = await trip.watch()
    await told(reader)
    for (const runs of [['run'], []]) {
      const next = told(reader)
      await toldByNow(next)
      trip.runs = runs
      trip.hub.touched('trip')
      expect(await next).toMatchObject({ kind: 'delta', delta: { seq: 0, runs: runs.map(() => ({})) } })
    }
  })

  test('who is woken for nothing is told nothing', async () => {
    const { next } = await trip.watchNews()
    trip.hub.touched('trip')
    expect(await toldByNow(next)).toBeNull()
    trip.write('one')
    expect(titleOf(await next)).toBe('one')
  })

  test('who does not read costs nothing: what happens meanwhile is read as one, when it is asked for', async () => {
    const reader = await trip.watch()
    expect(trip.reads).toBe(0)
    await told(reader)
    for (let n = 0; n < 1000; n++) trip.write(`${n}`)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(trip.reads).toBe(1)
    const news = await told(reader)
    expect(news).toMatchObject({ kind: 'delta', delta: { seq: 1000 } })
    expect(trip.reads).toBe(2)
  })

  test('a hundred of one chat cost two reads of a change, and each is told of what came before it asked', async () => {
    const readers = await Promise.all(Array.from({ length: 100 }, () => trip.watch()))
    await Promise.all(readers.map(told))
    expect(trip.reads).toBeLessThanOrEqual(2)
    trip.reads = 0
    const next = readers.map(told)
    await vi.advanceTimersByTimeAsync(0)
    trip.write('one')
    expect((await Promise.all(next)).map(titleOf)).toEqual(Array(100).fill('one'))
    expect(trip.reads).toBeLessThanOrEqual(2)
  })

  test('is not given a read that began before the change it was woken for', async () => {
    const slow = Promise.withResolvers<void>()
    const { delta } = trip.ports.reads
    trip.ports.reads.delta = async (...asked) => {
      const found = await delta(...asked)
      if (trip.reads === 1) await slow.promise
      return found
    }
    const early = told(await trip.watch())
    expect(await toldByNow(early)).toBeNull()
    trip.write('one')
    const late = told(await trip.watch())
    expect(await toldByNow(late)).toBeNull()
    slow.resolve()
    expect(titleOf(await early)).toBe('')
    expect(titleOf(await late)).toBe('one')
  })

  test('hears from time to time that the connection is alive', async () => {
    const { next } = await trip.watchNews()
    await vi.advanceTimersByTimeAsync(14_999)
    expect(await toldByNow(next)).toBeNull()
    await vi.advanceTimersByTimeAsync(1)
    expect(await next).toEqual({ kind: 'quiet' })
  })

  test('is told when the chat is deleted, and that is the end', async () => {
    const { reader, next } = await trip.watchNews()
    trip.exists = false
    trip.hub.touched('trip')
    expect(await next).toEqual({ kind: 'gone' })
    expect((await reader.read()).done).toBe(true)
    expect(trip.listening.size).toBe(0)
  })

  test('who leaves, waiting or not, is not kept in mind', async () => {
    const idle = await trip.watch()
    await told(idle)
    const { reader: waiting, next } = await trip.watchNews()
    expect(trip.listening.size).toBe(2)
    await Promise.all([waiting.cancel(), idle.cancel()])
    expect(await next).toBeUndefined()
    expect(trip.listening.size).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('is sent to ask anew after a while', async () => {
    const { reader, next } = await trip.watchNews()
    let quiet = 0
    for (let news = next; ; news = told(reader)) {
      await vi.advanceTimersByTimeAsync(15_000)
      if ((await news) === undefined) break
      quiet++
    }
    expect(quiet).toBe(16)
    expect(trip.listening.size).toBe(0)
  })

  test('is sent to ask anew at once when the server goes down', async () => {
    const { next } = await trip.watchNews()
    await trip.hub.close()
    expect(await next).toBeUndefined()
    expect(trip.listening.size).toBe(0)
  })

  test('whose news cannot be read is let go without an error, which is logged', async () => {
    trip.failing = new Error('the database is away')
    const reader = await trip.watch()
    expect((await reader.read()).done).toBe(true)
    expect(trip.errors).toEqual(['watching a chat'])
    expect(trip.listening.size).toBe(0)
  })
})

test.each([
  ['a chat that is not there', 'ada', 'nowhere'],
  ['someone else’s chat', 'bob', 'trip'],
])('given %s, then there is nothing to watch', async (_, ownerId, chatId) => {
  await expect(watchChat(trip.ports, { ownerId, chatId, since: 0 })).rejects.toThrow(NotFoundError)
  expect(trip.listening.size).toBe(0)
})
