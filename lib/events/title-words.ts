import { madeOnce } from './made-once'

const links = /!?\[([^\]]*)\]\([^()\s]*(?:\s[^()]*)?(?:\)|$)/g

/**
 * A text on one line without Markdown's marks: a list shows words, not their formatting. A lone star or pipe in a sentence
 * is no mark and stays.
 */
export const plainWords = (text: string): string =>
  text
    .replace(links, '$1')
    .replace(/(\*\*|__|~~)(?=\S)(.+?)(?<=\S)\1/g, '$2')
    // a language without spaces has none beside its stars
    .replace(/(?<=[^\0-\x7f])\*(?=\S)([^*]+?)(?<=\S)\*(?=[^\0-\x7f])/g, '$1')
    .replace(/(^|[\s(])([*_])(?=\S)([^*_]+?)(?<=\S)\2(?=$|[\s).,;:!?])/g, '$1$3')
    .replace(/`{3}\w*\s([^`]+)(?:`{3}|$)/g, '$1')
    .replace(/`{1,3}([^`]+)`{1,3}/g, '$1')
    // a preview that is cut has the beginning of a mark without its end
    .replace(/(^|[\s(])(?:\*\*|__|~~|`)(?=[^\s*_~`][^*_~`]*$)/g, '$1')
    .replace(/(^|\s)#{1,6}\s+/g, '$1')
    .replace(/\|(?:\s*:?-{2,}:?\s*\|)+/g, '|')
    .replace(/\s*\|(?:\s*\|)*\s*/g, (bar, at: number, whole: string) =>
      at === 0 || at + bar.length === whole.length ? '' : ' · ',
    )
    .trim()

/**
 * Characters that no title shows: control characters, invisible ones, and marks that turn the direction of the text
 * around it.
 */
const unseen = /[\p{Cc}\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069]/gu
const listMarks = /^(?:>|[-*+]|\d{1,3}[.)])\s+/

/** The words of a text that a title is made of: without links' addresses, the marks of lists and quotations, and Markdown's others. */
export function titleWords(text: string): string {
  const line = text
    .replace(/^\s*```\w*\s/, '')
    .replace(/\s```\s*$/, '')
    .replace(/\s+/gu, ' ')
    .replace(unseen, '')
    .trim()
  return plainWords(line.replace(listMarks, '')).toWellFormed()
}

/**
 * Words as a title that is at most `width` wide: all of them, else the first sentence where it fits, else a clause that
 * takes up half of the room, else as many words as fit and an ellipsis. Never half a character, however many code points it is made of.
 *
 * @param width in letters; a Chinese character or an emoji is two letters wide
 */
export function cutTitle(words: string, width: number): string {
  const fitting = fits(words, width)
  if (fitting === words.length) return words
  const sentence = firstSentence.exec(words)
  if (sentence?.[1] && sentence[0].length <= fitting) {
    return sentence[1].replace(/[.。]$/, '')
  }
  const cut = words.slice(0, boundary(words, fitting))
  const clause = lastClause.exec(cut)?.[1]
  if (clause && clause.length >= fitting / 2) return clause
  return `${cut.replace(trailing, '')}…`
}

/** The words before the last comma. */
const lastClause = /^(.+)[,;،؛、，；]/u
const trailing = /[\s,.;:·،؛、，；：\p{Pd}]+$/u

/** A title says something from this many letters on. */
const firstSentence = /^(.{8,}?[.!?。！？])(?=\s+\P{Ll}|(?<=[。！？]))/u

const wide =
  /[\p{Extended_Pictographic}\p{Regional_Indicator}\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]|[\u{20000}-\u{3fffd}]/u
const graphemes = madeOnce(() => new Intl.Segmenter(undefined, { granularity: 'grapheme' }))

/** Width of words, in letters. */
export function widthOf(words: string): number {
  let width = 0
  for (const { segment } of graphemes().segment(words)) width += wide.test(segment) ? 2 : 1
  return width
}

/** Number of UTF-16 units from the beginning that are at most `width` wide: whole characters only. */
function fits(words: string, width: number): number {
  // most texts need no look at their characters
  const narrow = words.slice(0, width + 1)
  if (!/[^ -~]/.test(narrow)) return Math.min(narrow.length, width)
  // no more than this can fit, and a text may be long
  const looked = words.slice(0, width * 16)
  let room = width
  for (const { segment, index } of graphemes().segment(looked)) {
    room -= wide.test(segment) ? 2 : 1
    if (room < 0) return index
  }
  return looked.length
}

/** The end of the last whole word within `fitting` units; a word longer than half of that is cut. */
function boundary(words: string, fitting: number): number {
  if (words[fitting] === ' ') return fitting
  const space = words.lastIndexOf(' ', fitting)
  const before = words.slice(0, fitting)
  const breaksAnywhere = wide.test(before.slice(-2))
  return !breaksAnywhere && space >= fitting / 2 ? space : fitting
}
