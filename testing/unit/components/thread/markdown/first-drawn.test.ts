import { describe, expect, it } from 'vitest'
import { type Drawing, judge } from '@/components/thread/markdown/first-drawn'

const replies = (count: number, text: string, from = 0): Drawing[] =>
  Array.from({ length: count }, (_, at) => ({
    id: String(from + at),
    texts: [{ author: 'assistant', text }],
  }))
const drawn = (known: ReadonlyMap<string, boolean>) => [...known].filter(([, now]) => now).map(([id]) => id)
const dear = '- a\n'.repeat(500)
const hopeless = `${'- '.repeat(39)}a\n\n`.repeat(700)
const ordinary = 'Some **bold** words, and more of them.\n\n'.repeat(12)

describe('what a page draws at once', () => {
  it.each([
    ['an ordinary page of twenty-five replies, then all of it', replies(25, ordinary), 25],
    ['ten replies that are dear to draw, then the newest alone', replies(10, dear), 1],
    ['replies too dear to be drawn at all, then the beginning of each', replies(10, hopeless), 10],
  ])('given %s', (_, page, count) => {
    const newest = page.map(({ id }) => id).slice(-count)
    expect(drawn(judge(new Map(), page).known).toSorted()).toEqual(newest.toSorted())
  })

  it('given messages that were drawn, when others come, then those stay, and the others have a budget of their own', () => {
    const before = judge(new Map(), replies(3, dear))
    const { known } = judge(before.known, [...replies(3, dear), ...replies(2, dear, 3)])
    expect(drawn(known).toSorted()).toEqual(['2', '4'])
  })
})
