/** A word or a punctuation mark of a text, by its offsets. */
export interface Token {
  start: number
  end: number
  isWord: boolean
}

// scripts that set no spaces count by character; everything else by word, with the apostrophes inside it
const spaceless = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]`
const letters = String.raw`(?:(?!${spaceless})[\p{L}\p{N}\p{M}_])+`
const pattern = new RegExp(
  String.raw`(${spaceless}|${letters}(?:['’]${letters})*)|[^\s\p{L}\p{N}\p{M}_]`,
  'gu',
)

/** The words and marks of a text in order. White space belongs to none. */
export function tokensOf(text: string): Token[] {
  return Array.from(text.matchAll(pattern), ({ 0: token, 1: word, index }) => ({
    start: index,
    end: index + token.length,
    isWord: word !== undefined,
  }))
}

/** Counts the first `most` words of a text. */
export function countWords(text: string, most = 400) {
  const counts = new Map<string, number>()
  const words = wordsOf(text, most)
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return { counts, total: words.length }
}

/** The words of a text, by how often each comes; the order is lost. */
type WordCounts = ReturnType<typeof countWords>

/** The words two texts share, in any order: from 0 to 1. */
export function likeness(left: WordCounts, right: WordCounts): number {
  const [fewer, more] = left.counts.size < right.counts.size ? [left, right] : [right, left]
  let shared = 0
  for (const [word, count] of fewer.counts) shared += Math.min(count, more.counts.get(word) ?? 0)
  const total = left.total + right.total
  return total === 0 ? 0 : (2 * shared) / total
}

/** Enough characters for the words that are read; a text may be a thousand times as long. */
const charactersPerWord = 40

function wordsOf(text: string, most: number): string[] {
  const begin = text.slice(0, most * charactersPerWord)
  return tokensOf(begin)
    .filter(({ isWord }) => isWord)
    .slice(0, most)
    .map(({ start, end }) => begin.slice(start, end).toLowerCase())
}
