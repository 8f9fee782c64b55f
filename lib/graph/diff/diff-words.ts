import { type Match, matchesOf } from './matches'
import { type Token, tokensOf } from './tokens'

/** A part of a text, by offsets. */
export interface Range {
  start: number
  end: number
}

/**
 * Differences of two texts, word by word: the parts each has alone, in order. Texts that share too little for that to
 * mean anything are `rewritten`, and so are texts that would take too long to compare.
 */
export type WordDiff =
  | { kind: 'same' }
  | { kind: 'changed'; left: Range[]; right: Range[] }
  | { kind: 'rewritten' }

/** More single insertions and deletions than this make another text; it bounds the work at a tenth of a second. */
const maxEdits = 1000
/** A part of the longer text, by its words, that both must have. */
const leastShared = 0.25

/**
 * Compares by words and punctuation marks; white space does not count.
 *
 * @example diffWords('by train', 'by night train') // right: [{ start: 3, end: 8 }], left: []
 */
export function diffWords(left: string, right: string): WordDiff {
  if (left === right) return { kind: 'same' }
  const one = tokensOf(left)
  const other = tokensOf(right)
  const wordsOf = (text: string, tokens: readonly Token[]) =>
    tokens.map(({ start, end }) => text.slice(start, end))
  const matches = matchesOf(wordsOf(left, one), wordsOf(right, other), maxEdits)
  if (!matches) return { kind: 'rewritten' }
  const kept = withoutIslands(matches, one, other)
  const ranges = { left: between(kept, 'left', one), right: between(kept, 'right', other) }
  if (ranges.left.length === 0 && ranges.right.length === 0) return { kind: 'same' }
  const letters = lettersBefore(one)
  const shared = kept.reduce(
    (sum, { left: from, length }) => sum + lettersIn(letters, from, from + length),
    0,
  )
  const longer = Math.max(letters.at(-1) ?? 0, lettersBefore(other).at(-1) ?? 0)
  return shared < longer * leastShared ? { kind: 'rewritten' } : { kind: 'changed', ...ranges }
}

/**
 * A word or two that two rewritten passages happen to share makes neither easier to read: a match shorter than the
 * changes on both of its sides becomes part of them.
 */
function withoutIslands(matches: readonly Match[], left: readonly Token[], right: readonly Token[]): Match[] {
  const letters = { left: lettersBefore(left), right: lettersBefore(right) }
  const changeBetween = (one: Match | undefined, next: Match | undefined): number => {
    const from = { left: one ? one.left + one.length : 0, right: one ? one.right + one.length : 0 }
    const to = { left: next?.left ?? left.length, right: next?.right ?? right.length }
    return Math.max(
      lettersIn(letters.left, from.left, to.left),
      lettersIn(letters.right, from.right, to.right),
    )
  }
  const kept: Match[] = []
  for (const [at, match] of matches.entries()) {
    kept.push(match)
    // without it the change around it is larger, and the match before may be an island too
    for (let last = kept.at(-1); last; last = kept.at(-1)) {
      const size = lettersIn(letters.left, last.left, last.left + last.length)
      const before = changeBetween(kept.at(-2), last)
      if (size >= before || size >= changeBetween(last, matches[at + 1])) break
      kept.pop()
    }
  }
  return kept
}

/** The letters of the words before each place and before the end: any part is counted in one step. */
function lettersBefore(tokens: readonly Token[]): Float64Array {
  const before = new Float64Array(tokens.length + 1)
  for (const [at, { start, end, isWord }] of tokens.entries()) {
    before[at + 1] = (before[at] ?? 0) + (isWord ? end - start : 0)
  }
  return before
}

/** The letters of some words; a punctuation mark has none. */
const lettersIn = (before: Float64Array, from: number, to: number): number =>
  (before[to] ?? 0) - (before[from] ?? 0)

/** The parts between the matches, each from its first word to its last. */
function between(matches: readonly Match[], side: 'left' | 'right', tokens: readonly Token[]): Range[] {
  const ranges: Range[] = []
  let at = 0
  const until = (end: number) => {
    const first = tokens[at]
    const last = tokens[end - 1]
    if (first && last && at < end) ranges.push({ start: first.start, end: last.end })
  }
  for (const match of matches) {
    until(match[side])
    at = match[side] + match.length
  }
  until(tokens.length)
  return ranges
}
