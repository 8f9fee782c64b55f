const narrow = /[ ijl.,:;'’|!ftrI()[\]`·]/
const wide = /[mwMW@%&—…]/
/** Armenian, Tamil, Malayalam, Sinhala, Georgian and Ethiopic letters are wider than Latin ones. */
const broad = /[\u0530-\u058f\u0b80-\u0bff\u0d00-\u0dff\u10a0-\u10ff\u1200-\u139f]/
const full = /[\u2e80-\u{10ffff}]/u
const mark = /[\p{M}\u200d]/u
const letters = new Map<string, number>()

function letterWidth(letter: string): number {
  if (full.test(letter)) return 13
  if (wide.test(letter)) return 10.8
  if (narrow.test(letter)) return 4.4
  return broad.test(letter) || /[A-Z]/.test(letter) ? 8.6 : 6.9
}

/** About how wide words are in px, in letters of 12 px: seldom less than they turn out. */
export function textWidth(words: string): number {
  let width = 0
  for (const letter of words) {
    let known = letters.get(letter)
    if (known === undefined) {
      known = letterWidth(letter)
      letters.set(letter, known)
    }
    width += known
  }
  return Math.ceil(width)
}

/** A text with fewer letters says too little, unless it is whole. */
const least = 16

/**
 * Words that are at most so wide: all of them, or as many as fit and an ellipsis. Null where fewer than 16 letters fit.
 *
 * @param width in px, in letters of 12 px
 */
export function wordsWithin(text: string, width: number): string | null {
  if (textWidth(text.slice(0, 400)) <= width && text.length <= 400) return text
  let room = width - textWidth('…')
  let at = 0
  for (const letter of text) {
    room -= textWidth(letter)
    if (room < 0) break
    at += letter.length
  }
  const fits = text.slice(0, at)
  const space = text[at] === ' ' ? at : fits.lastIndexOf(' ')
  // a language without spaces ends anywhere
  let end = space < 0 || full.test(fits.slice(-2)) ? at : space
  // a letter keeps its marks
  while (end > 0 && mark.test(text.slice(end, end + 1))) end--
  const kept = fits.slice(0, end).replace(/[\s,.;:·–—-]+$/u, '')
  return kept.length < least && !full.test(kept) ? null : `${kept}…`
}
