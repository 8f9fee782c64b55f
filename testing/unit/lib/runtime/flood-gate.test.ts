import { beforeEach, expect, it } from 'vitest'
import { FloodGate, OTHERS, type Passed } from '@/lib/runtime/flood-gate'

let now = 0
let lines: Passed<string>[] = []
const open = (options: Partial<{ perSource: number; inAll: number; sources: number }> = {}) =>
  new FloodGate<string>(
    { perSource: 2, inAll: 100, sources: 1000, clock: () => now, ...options },
    (line) => void lines.push(line),
  )
beforeEach(() => {
  now = 1_000_000
  lines = []
})

it('given ten thousand lines of one source, then the first are written, and of the rest the number once the minute is over', () => {
  const gate = open()
  for (let n = 0; n < 10_000; n++) gate.note('a', `${n}`)
  expect(lines).toEqual(['0', '1'].map((value) => ({ source: 'a', value })))
  now += 60_000
  gate.note('b', 'later')
  expect(lines.slice(2)).toEqual([
    { source: 'a', more: 9998 },
    { source: 'b', value: 'later' },
  ])
})

it('given few lines of many sources, then all are written', () => {
  const gate = open()
  for (let n = 0; n < 50; n++) gate.note(`s${n}`, 'x')
  gate.flush()
  expect(lines).toHaveLength(50)
})

it('given a flood from a hundred thousand sources, then lines and memory are bounded, and no line is uncounted', () => {
  const gate = open({ inAll: 20, sources: 50 })
  for (let n = 0; n < 100_000; n++) gate.note(`s${n}`, 'x')
  gate.flush()
  expect(lines.length).toBeLessThanOrEqual(20 + 20 + 1)
  const count = lines.reduce((sum, line) => sum + (line.more ?? 1), 0)
  expect(count).toBe(100_000)
  expect(lines.some(({ source, more = 0 }) => source === OTHERS && more > 99_000)).toBe(true)
})
