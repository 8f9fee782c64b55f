import { expect, it } from 'vitest'
import { RateWindow } from '@/lib/server/http/pace'

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

it('given no limit, when anything is asked, then nothing is remembered', () => {
  const { window, ask } = begin()
  expect(ask(1000, 'ada', Number.POSITIVE_INFINITY)).toBe(1000)
  expect(window.size).toBe(0)
})

it('given a limit of none, when it is asked, then it is refused', () => {
  expect(begin().window.take('ada', 0)).toBe(60)
})
