import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ChangeHub, type ChangeHubOptions, type Changes } from '@/lib/conversations/watch/change-hub'

/** A hub of a process among others: what it tells them, and the versions it finds when it asks. */
function hubAmongOthers(options: Partial<ChangeHubOptions> = {}) {
  const told: Changes[] = []
  const asked: string[][] = []
  const versions = new Map<string, string>()
  const errors: string[] = []
  const hub = new ChangeHub({
    broadcast: async (changes) => void told.push(changes),
    poll: async (ids) => {
      asked.push(ids)
      return new Map(versions)
    },
    logError: (what) => void errors.push(what),
    ...options,
  })
  /** How often a listener of a chat is woken. */
  const listen = (chat: string) => {
    const wake = counter()
    return Object.assign(wake, { leave: hub.subscribeChat(chat, wake) })
  }
  return { hub, listen, told, asked, versions, errors }
}

/** How often a listener was woken. */
const counter = () => {
  const wake = () => void wake.count++
  wake.count = 0
  return wake
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe('a change made in this process', () => {
  test('wakes the listeners of that chat at once, and no others', () => {
    const { hub, listen } = hubAmongOthers()
    const [here, alsoHere, elsewhere] = [listen('trip'), listen('trip'), listen('work')]
    hub.touched('trip')
    expect([here.count, alsoHere.count, elsewhere.count]).toEqual([1, 1, 0])
  })

  test('is told to the other processes once per moment, however often it happens', async () => {
    const { hub, told } = hubAmongOthers()
    for (const id of ['trip', 'work', 'trip']) hub.touched(id)
    hub.progressed('run')
    hub.progressed('run')
    expect(told).toEqual([])
    await vi.advanceTimersByTimeAsync(25)
    expect(told).toEqual([{ chats: ['trip', 'work'], runs: ['run'] }])
    hub.touched('trip')
    await vi.advanceTimersByTimeAsync(25)
    expect(told.slice(1)).toEqual([{ chats: ['trip'], runs: [] }])
  })

  test('that cannot be told is logged, and the next one is told', async () => {
    const broadcast = vi.fn(async () => undefined)
    broadcast.mockRejectedValueOnce(new Error('gone'))
    const { hub, errors } = hubAmongOthers({ broadcast })
    hub.touched('trip')
    await vi.advanceTimersByTimeAsync(25)
    hub.touched('trip')
    await vi.advanceTimersByTimeAsync(25)
    expect(errors).toEqual(['telling other processes of changes'])
    expect(broadcast).toHaveBeenCalledTimes(2)
  })

  test('is not stopped by a listener that throws', () => {
    const { hub, listen, errors } = hubAmongOthers()
    hub.subscribeChat('trip', () => {
      throw new Error('no')
    })
    const other = listen('trip')
    expect(() => hub.touched('trip')).not.toThrow()
    expect(other.count).toBe(1)
    expect(errors).toHaveLength(1)
  })

  test('wakes no listener that has gone, and the same listener twice while it listens twice', () => {
    const { hub } = hubAmongOthers()
    const wake = counter()
    const [first, second] = [hub.subscribeChat('trip', wake), hub.subscribeChat('trip', wake)]
    hub.touched('trip')
    expect(wake.count).toBe(2)
    first()
    first()
    hub.touched('trip')
    expect(wake.count).toBe(3)
    second()
    hub.touched('trip')
    expect(wake.count).toBe(3)
  })
})

describe('a change another process tells of', () => {
  test('wakes who listens here, and is not told again', async () => {
    const { hub, told } = hubAmongOthers()
    const [chat, run] = [counter(), counter()]
    hub.subscribeChat('trip', chat)
    hub.subscribeRun('run', run)
    hub.received({ chats: ['trip', 'work'], runs: ['run'] })
    expect([chat.count, run.count]).toEqual([1, 1])
    await vi.advanceTimersByTimeAsync(25)
    expect(told).toEqual([])
  })
})

describe('a change that was not told', () => {
  test('is found by asking for the versions of all chats listened to, in one question', async () => {
    const { listen, asked, versions } = hubAmongOthers()
    versions.set('trip', '1').set('work', '1')
    const [trip, work] = [listen('trip'), listen('work')]
    await vi.advanceTimersByTimeAsync(2000)
    expect(asked).toEqual([['trip', 'work']])
    // the first question wakes all: they may have changed between their reader's look and it
    expect([trip.count, work.count]).toEqual([1, 1])
    versions.set('trip', '2')
    await vi.advanceTimersByTimeAsync(2000)
    expect([trip.count, work.count]).toEqual([2, 1])
    await vi.advanceTimersByTimeAsync(2000)
    expect([trip.count, work.count]).toEqual([2, 1])
  })

  test('a chat that is gone wakes its listeners once, also when it went before the first question', async () => {
    const { listen, versions } = hubAmongOthers()
    versions.set('trip', '1')
    const [trip, work] = [listen('trip'), listen('work')]
    await vi.advanceTimersByTimeAsync(2000)
    versions.delete('trip')
    await vi.advanceTimersByTimeAsync(8000)
    expect([trip.count, work.count]).toEqual([2, 1])
  })

  test('costs no question while there is no listener', async () => {
    const { hub, listen, asked } = hubAmongOthers()
    hub.touched('trip')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(asked).toEqual([])
    const { leave } = listen('trip')
    await vi.advanceTimersByTimeAsync(4000)
    expect(asked).toHaveLength(2)
    leave()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(asked).toHaveLength(2)
    expect(vi.getTimerCount()).toBe(0)
    listen('work')
    await vi.advanceTimersByTimeAsync(2000)
    expect(asked.at(-1)).toEqual(['work'])
  })

  test('is found after the database was away, which is logged once', async () => {
    const poll = vi.fn(async () => new Map([['trip', '1']]))
    const { listen, errors } = hubAmongOthers({ poll })
    const wake = listen('trip')
    await vi.advanceTimersByTimeAsync(2000)
    poll.mockRejectedValueOnce(new Error('away')).mockRejectedValueOnce(new Error('away'))
    await vi.advanceTimersByTimeAsync(4000)
    expect(errors).toEqual(['asking what has changed'])
    poll.mockResolvedValue(new Map([['trip', '2']]))
    await vi.advanceTimersByTimeAsync(2000)
    expect(wake.count).toBe(2)
  })
})

test('given a hub of the only process, then it neither tells nor asks', async () => {
  const { hub, listen, errors } = hubAmongOthers({ broadcast: undefined, poll: undefined })
  const wake = listen('trip')
  hub.touched('trip')
  expect(wake.count).toBe(1)
  expect(vi.getTimerCount()).toBe(0)
  expect(errors).toEqual([])
})

test('given a hub that closes, then everybody is woken once more to find it closed, the others are told, and it asks and tells no more', async () => {
  const { hub, told, asked } = hubAmongOthers()
  let found: boolean | undefined
  hub.subscribeChat('trip', () => {
    found = hub.closed
  })
  hub.touched('trip')
  expect(found).toBe(false)
  await hub.close()
  expect(found).toBe(true)
  expect(told).toEqual([{ chats: ['trip'], runs: [] }])
  hub.touched('trip')
  await vi.advanceTimersByTimeAsync(10_000)
  expect(vi.getTimerCount()).toBe(0)
  expect(told).toHaveLength(1)
  expect(asked).toEqual([])
})
