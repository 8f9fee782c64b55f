import { expect, test } from 'vitest'
import { aboveLane, commonPlace, type Stretch } from '@/lib/graph/graph-tables'
import { sketchGraph } from '@/testing/worlds/sketch-graph'

// lane 0:  a ─ b ─ c ─ d
// lane 1:      └─ e ─ f        (below b)
// lane 2:          └─ g        (below e)
// lane 3:  h ─ i
const { lanes } = sketchGraph('a', 'a>b', 'b>c', 'c>d', 'b>e', 'e>f', 'e>g', 'h', 'h>i')
const above = (lane: number): Stretch | null => aboveLane(lanes.find((one) => one.lane === lane))
const at = (lane: number, top: number): Stretch => ({ lane, top })

test.each([
  ['d and f part below b', at(0, 3), at(1, 3), at(0, 1)],
  ['f and g part below e, in a lane neither ends in at the same depth', at(1, 3), at(2, 3), at(1, 2)],
  ['d and g part below b, two forks up', at(0, 3), at(2, 3), at(0, 1)],
  ['of c and d the shorter is all they share', at(0, 2), at(0, 3), at(0, 2)],
  ['a message and itself share all', at(2, 3), at(2, 3), at(2, 3)],
  ['b and f share b, which f hangs below', at(0, 1), at(1, 3), at(0, 1)],
  ['a and f share a, though f hangs below b', at(0, 0), at(1, 3), at(0, 0)],
  ['d and i have different roots', at(0, 3), at(3, 1), null],
])('%s', (_case, left, right, shared) => {
  expect(commonPlace(left, right, above)).toEqual(shared)
  expect(commonPlace(right, left, above)).toEqual(shared)
})
