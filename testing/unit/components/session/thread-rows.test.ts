import { describe, expect, it } from 'vitest'
import { shownAround, shownEnd, shownLater, threadRows } from '@/components/session/thread-rows'
import { indexGraph } from '@/lib/graph/graph-index'
import type { ChatMessage } from '@/lib/protocol'
import { branchedGraph } from '@/testing/worlds/testing-graph'

// a ─ b ─ c ─ d   main
//      └─ e       other
const index = indexGraph(branchedGraph())
const bodies = (...ids: string[]) =>
  new Map(ids.map((id): [string, ChatMessage] => [id, { id, role: 'user', parts: [] }]))

const seen = (known: string[], head: string | null, floor = 0, ceiling: number | null = null, of = index) => {
  const { rows, ...rest } = threadRows(of, bodies(...known), head, { floor, ceiling })
  return { ids: rows.map(({ node }) => node.id).join(''), ...rest }
}

describe('the rows of a branch', () => {
  it.each([
    ['the chain of its head', seen(['a', 'b', 'c', 'd'], 'd'), { ids: 'abcd' }],
    ['the chain from the floor', seen(['a', 'b', 'c', 'd'], 'd', 2), { ids: 'cd', above: 2 }],
    ['the chain of another head', seen(['a', 'b', 'e'], 'e'), { ids: 'abe' }],
    ['the chain up to the ceiling', seen(['a', 'b', 'c', 'd'], 'd', 1, 2), { ids: 'bc', above: 1, below: 1 }],
    ['all of it below a ceiling beyond its end', seen(['a', 'b', 'e'], 'e', 0, 9), { ids: 'abe' }],
    ['none of an empty branch', seen([], null), { ids: '' }],
    [
      'what has arrived, without what is missing up to the ceiling',
      seen(['b'], 'd', 1, 2),
      { ids: 'b', above: 1, below: 1, missing: { before: 3, limit: 1, at: 1 } },
    ],
    [
      'what has arrived, without what is missing above',
      seen(['c', 'd'], 'd'),
      { ids: 'cd', missing: { before: 2, limit: 2, at: 0 } },
    ],
    [
      'what branches share, while the rest is on its way',
      seen(['a', 'b'], 'd'),
      { ids: 'ab', missing: { before: 4, limit: 2, at: 2 } },
    ],
  ])('are %s', (_, rows, expected) => {
    expect(rows).toEqual({ above: 0, below: 0, missing: null, ...expected })
  })

  it('begins where the graph does while that has not arrived whole', () => {
    const graph = branchedGraph()
    const partial = indexGraph({ ...graph, nodes: graph.nodes.filter(({ id }) => id === 'c' || id === 'd') })
    const seenOf = (floor: number) => seen(['c', 'd'], 'd', floor, null, partial)
    expect(seenOf(2)).toEqual({ ids: 'cd', above: 2, below: 0, missing: null })
    expect(seenOf(3)).toEqual({ ids: 'd', above: 3, below: 0, missing: null })
    expect(seenOf(0)).toEqual({ ids: 'cd', above: 0, below: 0, missing: { before: 2, limit: 2, at: 0 } })
  })

  it('asks for the lower of two gaps first', () => {
    expect(seen(['b', 'd'], 'd').missing).toEqual({ before: 3, limit: 1, at: 1 })
  })
})

const end = { floor: 950, ceiling: null }
const middle = { floor: 400, ceiling: 475 }

describe('the part of a chain of 1000 messages that is shown', () => {
  it.each([
    ['in it', end, 970, end],
    ['its first', end, 950, end],
    ['a little above it', end, 900, { floor: 896, ceiling: null }],
    ['far above it', end, 425, { floor: 400, ceiling: 475 }],
    ['the root, far away', end, 0, { floor: 0, ceiling: 50 }],
    ['the root, near', { floor: 60, ceiling: 100 }, 2, { floor: 0, ceiling: 100 }],
    ['a little below it', middle, 500, { floor: 400, ceiling: 504 }],
    ['far below it, near the end', middle, 990, { floor: 965, ceiling: null }],
    ['the very next, which is the last', { floor: 900, ceiling: 998 }, 999, { floor: 900, ceiling: null }],
  ])('given a message %s, then it is among it', (_where, shown, depth, expected) => {
    expect(shownAround(shown, depth, 1000)).toEqual(expected)
  })

  it('given its end is reached, then more of it comes, until there is no more', () => {
    expect(shownLater(middle, 1000)).toEqual({ floor: 400, ceiling: 525 })
    expect(shownLater({ floor: 900, ceiling: 960 }, 1000)).toEqual({ floor: 900, ceiling: null })
    expect(shownLater(end, 1000)).toEqual(end)
  })

  it('given the reader goes to the end, then the last page is shown, and what was there already stays', () => {
    expect(shownEnd(middle, 1000)).toEqual(end)
    expect(shownEnd({ floor: 0, ceiling: 10 }, 30)).toEqual({ floor: 0, ceiling: null })
    expect(shownEnd({ floor: 700, ceiling: null }, 1000)).toEqual({ floor: 700, ceiling: null })
  })
})
