import fc from 'fast-check'
import { expect, test } from 'vitest'
import { indexGraph } from '@/lib/graph/graph-index'
import { placeNext } from '@/lib/graph/live-replies'
import { messagesFrom, sketchGraph } from '@/testing/worlds/sketch-graph'

test('the first message opens the first lane', () => {
  const opens = { lane: 0, parentLane: null, baseDepth: 0 }
  expect(placeNext(indexGraph(sketchGraph()), null)).toEqual({ lane: 0, depth: 0, opens })
})

// a ─ b ─ ?
test('the first reply stays in its parent’s lane', () => {
  expect(placeNext(indexGraph(sketchGraph('a', 'a>b')), 'b')).toEqual({ lane: 0, depth: 2, opens: null })
})

// a ─ b
//  └─ ?
test('a later reply opens a lane below its parent', () => {
  const opens = { lane: 1, parentLane: 0, baseDepth: 1 }
  expect(placeNext(indexGraph(sketchGraph('a', 'a>b')), 'a')).toEqual({ lane: 1, depth: 1, opens })
})

// a ─ b
//  └─ c
// ?
test('another root opens a lane of its own', () => {
  const opens = { lane: 2, parentLane: null, baseDepth: 0 }
  expect(placeNext(indexGraph(sketchGraph('a', 'a>b', 'a>c')), null)).toEqual({ lane: 2, depth: 0, opens })
})

test('foretells every place of a graph as it was stored', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 30 }), (picks) => {
      const messages = messagesFrom(picks)
      const stored = sketchGraph(...messages)
      for (const [at, message] of messages.entries()) {
        const [parent, reply] = message.split('>')
        const before = indexGraph(sketchGraph(...messages.slice(0, at)))
        const next = placeNext(before, reply === undefined ? null : (parent ?? null))
        expect(next).toMatchObject({ lane: stored.nodes[at]?.lane, depth: stored.nodes[at]?.depth })
        if (next.opens) expect(stored.lanes[next.lane]).toEqual(next.opens)
      }
    }),
  )
})
