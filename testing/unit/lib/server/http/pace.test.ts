import { expect, it } from 'vitest'
import { RateWindow, Turnstile } from '@/lib/server/http/pace'
import { heldWork as works } from '@/testing/worlds/held-work'

const begin = (mostKeys?: number) => {
  let now = 1_000_000
  const window = new RateWindow(() => now, mostKeys)
  const later = (seconds: number) => {
    now += seconds * 1000
  }
  const ask = (times: number, key = 'ada', perMinute = 120) =>
    Array.from({ length: times }, () => window.take(key, perMinute)).filter((wait) => wait === 0).length
  return { window, later, ask }
}

it('given a limit, when more is asked at once, then so many are let in, and others are not touched', () => {
  const { ask } = begin()
  expect(ask(200)).toBe(120)
  expect(ask(1, 'bob')).toBe(1)
})

it('given a full minute, when the next begins, then not all of the limit is free at once', () => {
  const { ask, later } = begin()
  expect(ask(120)).toBe(120)
  later(61)
  expect(ask(120)).toBeLessThan(10)
  later(60)
  expect(ask(200)).toBeGreaterThan(100)
})

it.each([
  [120, 0],
  [120, 30],
  [1, 10],
  [10, 75],
])(
  'given a limit of %d that was used up %d seconds ago, when it is asked after the seconds it was told, then it is let in',
  (perMinute, passed) => {
    const { window, later, ask } = begin()
    ask(perMinute, 'ada', perMinute)
    later(passed)
    ask(perMinute, 'ada', perMinute)
    const wait = window.take('ada', perMinute)
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(120)
    later(wait)
    expect(window.take('ada', perMinute)).toBe(0)
  },
)

it('given many keys, when they ask, then only so many are remembered, and none that asked minutes ago', () => {
  const { window, later, ask } = begin(100)
  for (let n = 0; n < 1000; n++) ask(1, `key ${n}`)
  expect(window.size).toBe(100)
  later(121)
  ask(1, 'last')
  expect(window.size).toBe(1)
})

it('given no limit, then nothing is remembered; given a limit of none, then all is refused', () => {
  const { window, ask } = begin()
  expect(ask(1000, 'ada', Number.POSITIVE_INFINITY)).toBe(1000)
  expect(window.size).toBe(0)
  expect(window.take('ada', 0)).toBe(60)
})

it('given more work of a person than is let in, then the rest waits in its order, and that of others does not', async () => {
  const { begun, work, end } = works()
  const turnstile = new Turnstile(2)
  const all = ['m1', 'm2', 'm3', 'm4'].map((name) => turnstile.pass('mallory', work(name)))
  const other = turnstile.pass('ada', work('a1'))
  expect(begun).toEqual(['m1', 'm2', 'a1'])
  await end('m2')
  expect(begun).toEqual(['m1', 'm2', 'a1', 'm3'])
  for (const name of ['m1', 'm3', 'm4', 'a1']) await end(name)
  expect(await Promise.all([...all, other])).toEqual(['m1', 'm2', 'm3', 'm4', 'a1'])
})

it('given work that fails, then its caller hears of it and what waits is let in', async () => {
  const turnstile = new Turnstile(1)
  const failed = turnstile.pass('ada', () => Promise.reject(new Error('no')))
  const next = turnstile.pass('ada', () => Promise.resolve('next'))
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('next')
})

it('given work that waits, when its line is waited for, then that ends when all of it is let in, and not when more has come', async () => {
  const { begun, work, end } = works()
  const turnstile = new Turnstile(1)
  const all = ['m1', 'm2', 'm3'].map((name) => turnstile.pass('mallory', work(name)))
  let isIn = false
  const line = turnstile.lineIsIn('mallory').then(() => {
    isIn = true
  })
  all.push(turnstile.pass('mallory', work('late')))
  await end('m1')
  expect({ begun, isIn }).toEqual({ begun: ['m1', 'm2'], isIn: false })
  await end('m2')
  await line
  expect(begun).toEqual(['m1', 'm2', 'm3'])
  for (const name of ['m3', 'late']) await end(name)
  expect(await Promise.all(all)).toEqual(['m1', 'm2', 'm3', 'late'])
  // where nothing waits there is nothing to wait for
  await turnstile.lineIsIn('mallory')
})
