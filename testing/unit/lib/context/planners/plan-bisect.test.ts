import { expect, test } from 'vitest'
import { bisectNext } from '@/lib/context'

/** Searches `turns` turns where a reply says it as soon as turn `cause` stands above it (0: always). */
function search(turns: number, cause: number) {
  let at: { low: number; high: number; isWithout: boolean; probe: number | null } = {
    low: -1,
    high: turns,
    isWithout: false,
    probe: null,
  }
  let says: boolean | null = null
  for (let runs = 0; ; runs++) {
    const next = bisectNext({ ...at, turns }, says)
    if (next.do === 'end') return { turn: next.turn, confirmed: next.confirmed, runs }
    const probe = next.do === 'probe' ? next.length : at.probe
    says = next.do === 'probe' ? next.length >= cause : false
    at = { low: next.low, high: next.high, isWithout: next.isWithout, probe }
  }
}

test('given any number of turns and any cause, then it is found in log₂ runs, and made sure of', () => {
  for (let turns = 1; turns <= 40; turns++) {
    for (let cause = 1; cause <= turns; cause++) {
      const { turn, confirmed, runs } = search(turns, cause)
      expect([turn, confirmed]).toEqual([cause, true])
      expect(runs).toBeLessThanOrEqual(Math.ceil(Math.log2(turns + 1)) + 1)
    }
  }
})

test('given no cause among them, then none is found', () => {
  expect(search(12, 0)).toMatchObject({ turn: null, confirmed: null })
})

test('given a reply that says it without the turn too, then the turn is not confirmed', () => {
  const found = { low: 2, high: 3, isWithout: true, turns: 5, probe: 3 }
  expect(bisectNext(found, true)).toMatchObject({ do: 'end', turn: 3, confirmed: false })
})
