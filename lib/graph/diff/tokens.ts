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

/** How much two texts have in common by their words, in whatever order: from 0 to 1. Only `most` words are looked at. */
export function likeness(left: string, right: string, most = 400): number {
  const counts = new Map<string, number>()
  const [one, other] = [wordsOf(left, most), wordsOf(right, most)]
  for (const word of one) counts.set(word, (counts.get(word) ?? 0) + 1)
  let shared = 0
  for (const word of other) {
    const count = counts.get(word) ?? 0
    if (count === 0) continue
    counts.set(word, count - 1)
    shared++
  }
  const total = one.length + other.length
  return total === 0 ? Number(left === right) : (2 * shared) / total
}

/** Longer than any run of words that is looked at; a text may be a thousand times as long. */
const charactersPerWord = 40

function wordsOf(text: string, most: number): string[] {
  const begin = text.slice(0, most * charactersPerWord)
  return tokensOf(begin)
    .filter(({ isWord }) => isWord)
    .slice(0, most)
    .map(({ start, end }) => begin.slice(start, end).toLowerCase())
}
