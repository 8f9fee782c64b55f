import { expect, it, vi } from 'vitest'
import { HealthProbe, type ProbedServices, WorkerPulse } from '@/lib/runtime/health-probe'

const well = (): ProbedServices['database'] => ({
  ping: async () => undefined,
  load: () => ({ most: 10, used: 0, waiting: 0 }),
  query: async <Row>() => [{ queued: null, unfollowed: null }] as Row[],
})
const open = (over: Partial<ProbedServices> = {}) =>
  new HealthProbe({ database: well(), pulse: new WorkerPulse(), worker: 'on', ...over })

it('given that all is well, then nothing is degraded', async () => {
  expect(await open().read()).toEqual({ status: 'ok', database: 'ok', worker: 'on', degraded: [] })
})

it('given a database that never answers, however often it is asked, then each answer comes within a second and the database is asked once', async () => {
  const ping = vi.fn(() => new Promise<void>(() => undefined))
  const load = () => ({ most: 1, used: 1, waiting: 37 })
  const probe = open({ database: { ...well(), ping, load } })
  const begun = performance.now()
  const answers = await Promise.all(Array.from({ length: 200 }, () => probe.read()))
  expect(performance.now() - begun).toBeLessThan(1000)
  expect(ping).toHaveBeenCalledTimes(1)
  expect(answers[199]).toEqual({
    status: 'degraded',
    database: 'unreachable',
    worker: 'on',
    degraded: [
      { what: 'database', detail: 'The database has not answered within 800 ms; 37 statements wait.' },
    ],
  })
})

it('given a database that refuses, then it cannot be reached, and what it said is not told', async () => {
  const ping = () => Promise.reject(new Error('password authentication failed for user "ramify" at 10.0.0.7'))
  const { database, degraded } = await open({ database: { ...well(), ping } }).read()
  expect(database).toBe('unreachable')
  expect(degraded).toEqual([{ what: 'database', detail: 'The database cannot be reached.' }])
})

it('given replies and events that wait for long, then queue and followers are degraded, and the database is not', async () => {
  const query = async <Row>() => [{ queued: 45_000, unfollowed: 90_000 }] as Row[]
  const health = await open({ database: { ...well(), query } }).read()
  expect(health).toEqual({
    status: 'degraded',
    database: 'ok',
    worker: 'on',
    degraded: [
      { what: 'queue', detail: 'A reply has waited 45 s in the queue.' },
      { what: 'log_followers', detail: 'Usage and titles are 90 s behind.' },
    ],
  })
})

it('given a worker whose rounds have ceased, then it is degraded; where it is off or has a round to go, it is not', async () => {
  let now = 0
  const pulse = new WorkerPulse(() => now)
  pulse.beat()
  now = 5000
  expect((await open({ pulse }).read()).degraded).toEqual([])
  now = 12_000
  expect((await open({ pulse }).read()).degraded).toEqual([
    { what: 'worker', detail: 'The worker has not searched for runs for 12 s.' },
  ])
  expect((await open({ pulse, worker: 'off' }).read()).degraded).toEqual([])
  pulse.beat()
  expect((await open({ pulse }).read()).degraded).toEqual([])
})

it.each([
  ['taking over runs', 'worker'],
  ['following the log', 'log_followers'],
  ['indexing for search', 'search'],
])(
  'given %s that fails for more than a moment, then %s is degraded until it succeeds',
  async (task, what) => {
    let now = Date.now()
    const pulse = new WorkerPulse(() => now)
    const degraded = async () => (await open({ pulse }).read()).degraded.map((it) => it.what)
    pulse.done(task, new Error('no'))
    expect(await degraded()).toEqual([])
    now += 11_000
    pulse.done(task, new Error('no'))
    expect(await degraded()).toEqual([what])
    pulse.done(task)
    expect(await degraded()).toEqual([])
  },
)

it('given a collector that takes nothing, then telemetry is degraded', async () => {
  const telemetry = { failingSince: Date.now() - 20_000 }
  expect((await open({ telemetry }).read()).degraded).toEqual([
    { what: 'telemetry', detail: 'The collector of telemetry has accepted nothing for 20 s.' },
  ])
})
