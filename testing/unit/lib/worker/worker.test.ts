import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { LiveRuns, type Ports, ReplySlots, RunQueue } from '@/lib/conversations'
import { Worker } from '@/lib/worker/worker'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const nothing = { runs: [], waiting: 0 }

/** A worker that finds no run, and how often it has looked for one. */
function idleWorker({
  claim = () => Promise.resolve(nothing),
  indexSearch = () => Promise.resolve(),
  followLog = () => Promise.resolve({ more: false }),
  pulse = { beat: () => undefined, done: () => undefined } as {
    beat(): void
    done(task: string, error?: unknown): void
  },
} = {}) {
  const looks = vi.fn(claim)
  const queue = new RunQueue()
  const slots = new ReplySlots({ perPerson: 1, perServer: 1 })
  const ports = {
    runs: { claim: looks },
    live: new LiveRuns(),
    slots,
    queue,
    clock: Date.now,
    logError: () => undefined,
  } as unknown as Ports
  const worker = new Worker({ ports, followLog, pulse, chores: { 'indexing for search': indexSearch } })
  return { worker, looks, queue, slots }
}
/** The same, when it has looked once and rests. */
const restingWorker = async (over: Parameters<typeof idleWorker>[0] = {}) => {
  const world = idleWorker(over)
  world.worker.start()
  await soon()
  return world
}
const soon = () => vi.advanceTimersByTimeAsync(1)

it('given nothing to do, then it looks for work every second', async () => {
  const { looks } = await restingWorker()
  expect(looks).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(3000)
  expect(looks).toHaveBeenCalledTimes(4)
})

it('given a worker that rests, when a run is queued in this process, then it looks at once, and rests again', async () => {
  const { looks, queue } = await restingWorker()
  queue.nudge()
  await soon()
  expect(looks).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(900)
  expect(looks).toHaveBeenCalledTimes(2)
})

it('given a look under way, when a run is queued, however often, then it looks once more right after', async () => {
  const first = Promise.withResolvers<typeof nothing>()
  const claims = [first.promise]
  const { looks, queue } = await restingWorker({ claim: async () => claims.pop() ?? nothing })
  for (let i = 0; i < 5; i++) queue.nudge()
  await soon()
  expect(looks).toHaveBeenCalledTimes(1)
  first.resolve(nothing)
  await soon()
  expect(looks).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(900)
  expect(looks).toHaveBeenCalledTimes(2)
})

it('given runs that found no place, when a reply ends in this process, then it looks at once; with none that wait it does not', async () => {
  let waiting = 1
  const claim = () => Promise.resolve({ runs: [], waiting })
  const { looks, slots } = await restingWorker({ claim })
  waiting = 0
  ;(await slots.admit('ada'))?.release()
  await soon()
  expect(looks).toHaveBeenCalledTimes(2)
  ;(await slots.admit('ada'))?.release()
  await soon()
  expect(looks).toHaveBeenCalledTimes(2)
})

it('given a person with as many replies as may be, when a run of theirs is queued, then it looks when a reply ends', async () => {
  const { looks, queue, slots } = await restingWorker()
  queue.nudge('later')
  await soon()
  expect(looks).toHaveBeenCalledTimes(1)
  ;(await slots.admit('ada'))?.release()
  await soon()
  expect(looks).toHaveBeenCalledTimes(2)
})

it('given a worker that has stopped, when a run is queued, then it leaves it to others', async () => {
  const { worker, looks, queue } = await restingWorker()
  await worker.stop()
  queue.nudge()
  worker.nudge()
  await vi.advanceTimersByTimeAsync(5000)
  expect(looks).toHaveBeenCalledTimes(1)
})

it('given housekeeping that takes long, when a run is queued, then it does not wait for that', async () => {
  const { looks, queue } = await restingWorker({ indexSearch: () => new Promise(() => undefined) })
  queue.nudge()
  await soon()
  expect(looks).toHaveBeenCalledTimes(2)
})

it('given followers that are far behind, then they go on until there is no more, and no run waits for them', async () => {
  let batches = 3
  const held = Promise.withResolvers<void>()
  const followLog = vi.fn(async () => {
    batches -= 1
    if (batches === 0) await held.promise
    return { more: batches > 0 }
  })
  const { worker, looks } = idleWorker({ followLog })
  worker.start()
  await vi.advanceTimersByTimeAsync(2500)
  expect(followLog).toHaveBeenCalledTimes(3)
  expect(looks).toHaveBeenCalledTimes(3)
  held.resolve()
  await vi.advanceTimersByTimeAsync(1000)
  expect(followLog).toHaveBeenCalledTimes(4)
})

it('given followers that are far behind, when the worker stops, then they leave the rest to others', async () => {
  const held = Promise.withResolvers<{ more: boolean }>()
  const followLog = vi.fn(() => held.promise)
  const { worker } = await restingWorker({ followLog })
  const stopped = worker.stop()
  held.resolve({ more: true })
  await stopped
  expect(followLog).toHaveBeenCalledTimes(1)
})

it('given tasks that are done and one that fails, then its pulse hears of every round and of each task', async () => {
  const heard: string[] = []
  const pulse = {
    beat: () => void heard.push('beat'),
    done: (task: string, error?: unknown) => void heard.push(error === undefined ? task : `${task}: failed`),
  }
  const { worker } = idleWorker({ followLog: () => Promise.reject(new Error('no')), pulse })
  worker.start()
  await vi.advanceTimersByTimeAsync(1001)
  expect(heard.filter((it) => it === 'beat')).toHaveLength(2)
  expect(heard).toContain('taking over runs')
  expect(heard).toContain('indexing for search')
  expect(heard).toContain('following the log: failed')
})
