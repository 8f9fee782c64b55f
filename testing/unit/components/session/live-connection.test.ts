import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createApi } from '@/components/app/api'
import { openLive } from '@/components/session/live-connection'
import type { GraphDelta } from '@/lib/protocol'
import { FakeSource } from '@/testing/worlds/fake-source'

/** A page at position 7 of its chat's log, and what it learns. */
class Page {
  readTo = 7
  news: string[] = []
  awaited = false
  requests: string[] = []
  /** what an ordinary request is answered */
  answer: () => Response = () => Response.json({ chatId: 'trip', seq: this.readTo })
  readonly window = new EventTarget()
  readonly document: EventTarget & { hidden: boolean }
  readonly close: () => void

  constructor(hidden = false) {
    this.document = Object.assign(new EventTarget(), { hidden })
    vi.stubGlobal('EventSource', FakeSource)
    vi.stubGlobal('document', this.document)
    vi.stubGlobal('addEventListener', this.window.addEventListener.bind(this.window))
    vi.stubGlobal('location', { hostname: 'ramify.example' })
    this.network(true)
    vi.stubGlobal('fetch', async (url: string) => {
      this.requests.push(url)
      return this.answer()
    })
    this.close = openLive({
      api: createApi({ signedIn: true, onSignIn: () => undefined }),
      chatId: 'trip',
      readTo: () => this.readTo,
      onDelta: ({ seq }: GraphDelta) => {
        this.readTo = seq
        this.news.push(`delta ${seq}`)
      },
      onGone: () => this.news.push('gone'),
      onLost: (lost) => this.news.push(lost ? 'lost' : 'found'),
      isAwaited: () => this.awaited,
    })
  }

  network(onLine: boolean): void {
    vi.stubGlobal('navigator', { onLine })
  }

  turn(hidden: boolean): void {
    this.document.hidden = hidden
    this.document.dispatchEvent(new Event('visibilitychange'))
  }
}

const connections = () => FakeSource.opened.filter(({ closed }) => !closed).length
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const refusal = (status: number) =>
  Response.json({ type: '', title: '', status, detail: 'No', code: 'no' }, { status })
const unreachable = (): Response => {
  throw new TypeError('Failed to fetch')
}

beforeEach(() => {
  vi.useFakeTimers()
  FakeSource.opened = []
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('a page that listens', () => {
  test('whose connection ends goes on from where it is then, before it is noticed', async () => {
    const page = new Page()
    FakeSource.last.open().tell('delta', { seq: 12 }).fail()
    await pass(1000)
    expect(FakeSource.last.url).toContain('since=12')
    FakeSource.last.open()
    await pass(10_000)
    expect(page.news).toEqual(['delta 12'])
    expect(page.requests).toEqual([])
    expect(connections()).toBe(1)
  })

  test('that is refused asks why, catches up and listens again', async () => {
    const page = new Page()
    page.answer = () => Response.json({ chatId: 'trip', seq: 10 })
    FakeSource.last.fail()
    await pass(1000)
    expect(page.requests).toEqual(['/api/chats/trip/graph?since=7'])
    expect(page.news).toEqual(['delta 10'])
    expect(FakeSource.last.url).toContain('since=10')
    expect(connections()).toBe(1)
  })

  test('that cannot reach the server says so after a moment, asks ever less often, and finds it again', async () => {
    const page = new Page()
    page.answer = unreachable
    FakeSource.last.open().fail()
    await pass(350)
    FakeSource.last.fail()
    await pass(2500)
    expect(page.news).toEqual([])
    await pass(500)
    expect(page.news).toEqual(['lost'])
    await pass(600_000)
    expect(page.requests.length).toBeGreaterThan(600 / 20)
    expect(page.requests.length).toBeLessThan(600 / 10)
    page.answer = () => Response.json({ chatId: 'trip', seq: 8 })
    await pass(20_000)
    expect(page.news).toEqual(['lost', 'delta 8', 'found'])
    expect(connections()).toBe(1)
  })

  test('whose server accepts and hangs up at once does not hammer it', async () => {
    new Page()
    for (let second = 0; second < 60; second++) {
      if (!FakeSource.last.closed) FakeSource.last.open().fail()
      await pass(1000)
    }
    expect(FakeSource.opened.length).toBeLessThan(12)
  })

  test('that knows it is offline asks for nothing until it is told otherwise', async () => {
    const page = new Page()
    page.answer = unreachable
    FakeSource.last.open()
    page.network(false)
    page.window.dispatchEvent(new Event('offline'))
    await pass(0)
    expect(page.news).toEqual(['lost'])
    const asked = page.requests.length
    await pass(600_000)
    expect(page.requests).toHaveLength(asked)
    page.network(true)
    page.answer = () => Response.json({ chatId: 'trip', seq: 8 })
    page.window.dispatchEvent(new Event('online'))
    await pass(0)
    expect(page.news).toEqual(['lost', 'delta 8', 'found'])
    expect(connections()).toBe(1)
  })

  test('on the machine of its server does not care about the network', async () => {
    const page = new Page()
    vi.stubGlobal('location', { hostname: 'localhost' })
    FakeSource.last.open()
    page.network(false)
    page.window.dispatchEvent(new Event('offline'))
    await pass(10_000)
    expect(page.news).toEqual(['delta 7'])
    expect(connections()).toBe(1)
  })
})

describe('a chat that is gone', () => {
  test('is made sure of, and then nothing is asked any more', async () => {
    const page = new Page()
    page.answer = () => refusal(404)
    FakeSource.last.open().tell('gone')
    await pass(0)
    expect(page.news).toEqual(['gone'])
    page.turn(true)
    page.turn(false)
    await pass(600_000)
    expect(page.requests).toHaveLength(1)
    expect([FakeSource.opened.length, connections()]).toEqual([1, 0])
  })

  test('is listened to again after its new owner has signed in', async () => {
    const page = new Page()
    FakeSource.last.open().tell('gone')
    await pass(0)
    expect(page.news).toEqual(['delta 7'])
    expect(connections()).toBe(1)
  })

  test.each([404, 401])('is found out about by a page that was refused with %i', async (status) => {
    const page = new Page()
    page.answer = () => refusal(status)
    FakeSource.last.fail()
    await pass(1000)
    expect(page.news).toEqual(['gone'])
    expect(connections()).toBe(0)
  })
})

describe('a page out of sight', () => {
  test('lets its connection go after a few seconds, and catches up when it is looked at', async () => {
    const page = new Page()
    FakeSource.last.open()
    page.turn(true)
    await pass(4000)
    expect(connections()).toBe(1)
    await pass(1000)
    expect(connections()).toBe(0)
    page.readTo = 20
    page.turn(false)
    expect(connections()).toBe(1)
    expect(FakeSource.last.url).toContain('since=20')
    expect(page.news).toEqual([])
  })

  test('stays connected while a reply of it is awaited, and lets go once that has ended', async () => {
    const page = new Page()
    FakeSource.last.open()
    page.awaited = true
    page.turn(true)
    await pass(60_000)
    expect(connections()).toBe(1)
    page.awaited = false
    await pass(5000)
    expect(connections()).toBe(0)
  })

  test('for a moment only notices nothing', async () => {
    const page = new Page()
    FakeSource.last.open()
    page.turn(true)
    await pass(3000)
    page.turn(false)
    await pass(120_000)
    expect([FakeSource.opened.length, connections()]).toEqual([1, 1])
  })

  test('from the start does not connect until it is looked at', async () => {
    const page = new Page(true)
    page.window.dispatchEvent(new Event('online'))
    await pass(600_000)
    expect([FakeSource.opened.length, page.requests.length]).toEqual([0, 0])
    page.turn(false)
    expect(connections()).toBe(1)
    expect(FakeSource.last.url).toBe('/api/live?chat=trip&since=7')
  })

  test('asks for nothing while the server is away', async () => {
    const page = new Page()
    page.answer = unreachable
    page.turn(true)
    await pass(5000)
    FakeSource.last.fail()
    page.window.dispatchEvent(new Event('online'))
    await pass(600_000)
    expect(page.requests).toEqual([])
    page.turn(false)
    expect(connections()).toBe(1)
  })
})

test('given a page that is left, then nothing of it is left', async () => {
  const page = new Page()
  FakeSource.last.open()
  page.close()
  page.turn(true)
  page.turn(false)
  page.window.dispatchEvent(new Event('online'))
  await pass(600_000)
  expect([FakeSource.opened.length, connections(), page.requests.length]).toEqual([1, 0, 0])
  expect(vi.getTimerCount()).toBe(0)
})
