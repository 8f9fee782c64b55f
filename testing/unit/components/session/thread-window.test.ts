import { describe, expect, it } from 'vitest'
import { shownAround, shownEnd, shownLater } from '@/components/session/thread-rows'

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
