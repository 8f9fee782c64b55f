import { endOf, piecesOf, wordAt } from '@/lib/events/search-letters'

/** Maximum number of words in a snippet, and of words before its first match. */
const WORDS = 24
const WORDS_BEFORE = 6
/** Letters that a snippet shows at most: a word may be as long as a text; and at least, where each letter is a word. */
const LETTERS = 400
const FEWEST_LETTERS = 120

interface Found {
  /** index of the start it begins with, and the end of the match */
  start: number
  end: number
}

/** A word of a text, by its place in it, and by its number if it was found. */
interface Word {
  from: number
  to: number
  found?: Found
}

/**
 * The part of a text with the most matches, as HTML: the text escaped, `<mark>` around every word that
 * begins with one of `starts`, which are as `wordsAsked` gives them. The cost grows linearly with the text: a long text is
 * cut before.
 */
export function snippetOf(text: string, starts: readonly string[]): string {
  const words = wordsOf(text, starts)
  const shown = best(words, starts.length)
  const first = shown[0]
  const last = shown.at(-1)
  if (!first || !last) return ''
  const from = first === words[0] ? Math.max(0, first.from - LETTERS / 10) : first.from
  const to = Math.min(last === words.at(-1) ? last.to + LETTERS / 10 : last.to, from + LETTERS, text.length)
  return html(text, { from, to }, shown)
}

function html(text: string, { from, to }: { from: number; to: number }, words: readonly Word[]): string {
  let html = ''
  let at = from
  for (const word of words) {
    const end = Math.min(word.found?.end ?? 0, to)
    // a word may begin inside a match: an address, a path, a sentence without spaces
    const begin = Math.max(at, word.from)
    if (!word.found || begin >= end) continue
    html += `${escapeHtml(text.slice(at, begin))}<mark>${escapeHtml(text.slice(begin, end))}</mark>`
    at = end
  }
  return (html + escapeHtml(text.slice(at, to))).replaceAll('</mark><mark>', '')
}

/** The words of a text, with their matches. A match may end behind its word: `c:\\temp`. */
function wordsOf(text: string, starts: readonly string[]): Word[] {
  const pieces = piecesOf(text)
  return pieces.map(({ from, to }, at) => {
    const { word } = wordAt(pieces, at)
    const start = starts.findIndex((wanted) => wanted !== '' && word.startsWith(wanted))
    return start < 0
      ? { from, to }
      : { from, to, found: { start, end: endOf(pieces, at, starts[start] ?? '') } }
  })
}

/** The words of a snippet: the row of words with the most matches, the first of equals. */
function best(words: readonly Word[], kinds: number): readonly Word[] {
  const among = new Array<number>(kinds).fill(0)
  let held = 0
  let most = 0
  let at = 0
  const take = (word: Word | undefined, by: 1 | -1) => {
    if (!word?.found) return
    const { start } = word.found
    among[start] = (among[start] ?? 0) + by
    if (among[start] === (by === 1 ? 1 : 0)) held += by
  }
  for (const [index, word] of words.entries()) {
    take(word, 1)
    const first = index - (WORDS - WORDS_BEFORE) + 1
    take(words[first - 1], -1)
    if (held > most) {
      most = held
      at = Math.max(0, first)
    }
  }
  // the window ends at its last match: it is moved to begin a little before its first one
  const found = words.findIndex((word, index) => index >= at && word.found)
  const from = Math.max(0, (found < 0 ? 0 : found) - WORDS_BEFORE)
  let end = Math.min(from + WORDS, words.length)
  while (end < words.length && (words[end]?.to ?? 0) - (words[from]?.from ?? 0) < FEWEST_LETTERS) end += 1
  return words.slice(from, end)
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
