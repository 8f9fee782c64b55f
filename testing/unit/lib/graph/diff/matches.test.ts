import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { matchesOf } from '@/lib/graph/diff/matches'
import { cpuTime } from '@/testing/worlds/cpu-time'

const codes = (text: string): number[] => [...text].map((letter) => letter.charCodeAt(0))

/** The two lines with what they share in brackets. */
function drawn(left: string, right: string, maxEdits = 100): [string, string] | null {
  const matches = matchesOf(codes(left), codes(right), maxEdits)
  if (!matches) return null
  const draw = (text: string, side: 'left' | 'right') => {
    let line = ''
    let at = 0
    for (const match of matches) {
      line += `${text.slice(at, match[side])}[${text.slice(match[side], match[side] + match.length)}]`
      at = match[side] + match.length
    }
    return line + text.slice(at)
  }
  return [draw(left, 'left'), draw(right, 'right')]
}

describe('what two sequences have in common', () => {
  test.each([
    ['abc', 'abc', ['[abc]', '[abc]']],
    ['abc', 'axc', ['[a]b[c]', '[a]x[c]']],
    ['abc', 'bcd', ['a[bc]', '[bc]d']],
    ['abcabba', 'cbabac', ['ab[c][ab]b[a]', '[c]b[ab][a]c']],
    ['ac', 'abc', ['[a][c]', '[a]b[c]']],
    ['abcd', '', ['abcd', '']],
    ['', '', ['', '']],
    ['abc', 'xyz', ['abc', 'xyz']],
  ])('%j and %j', (left, right, expected) => {
    expect(drawn(left, right)).toEqual(expected)
  })

  test('is not looked for beyond the edits allowed', () => {
    expect(drawn('abcdef', 'uvwxyz', 11)).toBeNull()
    expect(drawn('abcdef', 'uvwxyz', 12)).toEqual(['abcdef', 'uvwxyz'])
    expect(drawn('same-a-same', 'same-b-same', 2)).toEqual(['[same-]a[-same]', '[same-]b[-same]'])
  })

  test('is in order, really shared, and as long as it can be', () => {
    const line = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 30 })
    fc.assert(
      fc.property(line, line, (left, right) => {
        const matches = matchesOf(left, right, 100) ?? []
        let shared = 0
        let before = { left: 0, right: 0 }
        for (const match of matches) {
          expect(match.left).toBeGreaterThanOrEqual(before.left)
          expect(match.right).toBeGreaterThanOrEqual(before.right)
          expect(left.slice(match.left, match.left + match.length)).toEqual(
            right.slice(match.right, match.right + match.length),
          )
          shared += match.length
          before = { left: match.left + match.length, right: match.right + match.length }
        }
        expect(shared).toBe(longest(left, right))
      }),
    )
  })

  test('given two long texts with nothing in common, then giving up costs little', () => {
    const one = Array.from({ length: 100_000 }, (_, at) => at)
    const other = one.map((code) => -code - 1)
    const worked = cpuTime()
    expect(matchesOf(one, other, 1000)).toBeNull()
    expect(worked()).toBeLessThan(1000)
  })
})

/** The length of the longest common subsequence, by the textbook. */
function longest(left: number[], right: number[]): number {
  let row = new Array<number>(right.length + 1).fill(0)
  for (const item of left) {
    const next = [0]
    for (const [at, other] of right.entries()) {
      next.push(item === other ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
