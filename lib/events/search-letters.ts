// The letters and pieces by which texts are found. `search_letters` and `search_pieces` of the database have the same rule.

/** Marks on letters that a search does without: accents, vowel signs of Arabic and Hebrew, the Arabic stretch. */
const MARKS =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]/g

/** Letters that no mark sets apart from plain ones, in lower case. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  ς: 'σ',
  ٱ: 'ا',
}
const NOT_PLAIN = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g')

/** Scripts that are written without spaces: each letter is a piece. */
const UNSPACED =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u3096\u3099-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3131-\u318e\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\u{20000}-\u{3ffff}]/gu

/** Signs between pieces; the first one is put where two pieces meet without a sign. */
const MEETING = '\u0001'
const SIGNS = String.raw`\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7\u037e\u0387\u055a-\u055f\u0589\u058a\u05be\u05c0\u05c3\u05c6\u05f3\u05f4\u0600-\u060f\u061b-\u061f\u066a-\u066d\u06d4\u0964\u0965\u0e2f\u0e3f\u0e4f\u0e5a\u0e5b\u104a-\u104f\u1680\u17d4-\u17db\u2000-\u206f\u20a0-\u20cf\u2190-\u2bff\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\u3030\u303d\u30a0\u30fb\ue000-\uf8ff\ufe10-\ufe6f\uffe0-\uffff\u{1f000}-\u{1faff}`
const PIECE = new RegExp(`([^${SIGNS}]+)([${SIGNS}]*)`, 'gu')

/** Places within a name where the next word begins: `camelCase`, `HTMLPage`. */
const CAPITAL = /(?<=[a-z0-9ß-öø-ÿ])(?=[A-ZÀ-ÖØ-Þ])|(?<=[A-ZÀ-ÖØ-Þ])(?=[A-ZÀ-ÖØ-Þ][a-z])/g

/** A letter with the marks on it. */
const LETTER = /[^\p{M}\uff9e\uff9f]?[\p{M}\uff9e\uff9f]*/gsu

/** Letters of a piece that are compared; signs that join two pieces at most, as in `https://`. */
const LONGEST_PIECE = 100
const LONGEST_JOINT = 3
/** Most pieces of one word: later ones begin words of their own. */
const MOST_PIECES = 3

/**
 * A text as it is compared: without case, marks on letters, and widths of letters.
 *
 * @example plainLetters('Naïve Łódź ＡＢＣ') // 'naive lodz abc'
 */
export const plainLetters = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(NOT_PLAIN, (letter) => PLAIN[letter] ?? letter)
    .normalize('NFC')

/** A part of a text with which something searched for can begin: a word, a part of a name or a path, a letter. */
export interface Piece {
  /** its place in the text */
  from: number
  to: number
  /** as they are compared */
  letters: string
  /** the signs that join the next piece to it; null where a space stands there, or more than joins */
  joint: string | null
  /** joined to the piece before */
  joined: boolean
}

/**
 * The pieces of a text in order. A search finds what begins with a piece, and so parts of `src/lib/foo.ts`, of `camelCase`,
 * and of a sentence without spaces.
 */
export function piecesOf(text: string): Piece[] {
  const { letters, from, to } = compared(text, MEETING)
  const pieces: Piece[] = []
  for (const { index, 1: piece = '', 2: signs = '' } of letters.matchAll(PIECE)) {
    const joint = signs.replaceAll(MEETING, '')
    const isJoined = signs !== '' && joint.length <= LONGEST_JOINT && !/\s/u.test(joint)
    pieces.push({
      from: from[index] ?? 0,
      to: to[index + piece.length - 1] ?? text.length,
      letters: piece.slice(0, LONGEST_PIECE),
      joint: isJoined ? joint : null,
      joined: (pieces.at(-1)?.joint ?? null) !== null,
    })
  }
  return pieces
}

/** The places of the searched words in a text, as it stands there: with case, marks and widths of its own. */
export function placesOf(text: string, wanted: string): { from: number; to: number }[] {
  const { letters, from, to } = compared(text)
  const plain = plainLetters(wanted)
  const places: { from: number; to: number }[] = []
  if (plain === '') return places
  for (let at = letters.indexOf(plain); at >= 0; at = letters.indexOf(plain, at + plain.length)) {
    places.push({ from: from[at] ?? 0, to: to[at + plain.length - 1] ?? text.length })
  }
  return places
}

/**
 * The text as it is compared, with the place in the text of each of its letters.
 *
 * @param meeting is put wherever pieces meet
 */
function compared(text: string, meeting = ''): { letters: string; from: number[]; to: number[] } {
  const meets = new Set<number>()
  for (const { index } of text.matchAll(CAPITAL)) meets.add(index)
  let letters = ''
  const [from, to]: [number[], number[]] = [[], []]
  for (const { index, 0: letter } of text.matchAll(LETTER)) {
    if (letter === '') continue
    const plain = (letter === MEETING || letter === '\u0002' ? ' ' : plainLetters(letter)).replace(
      UNSPACED,
      `${meeting}$&${meeting}`,
    )
    letters += meets.has(index) ? meeting + plain : plain
    while (from.length < letters.length) {
      from.push(index)
      to.push(index + letter.length)
    }
  }
  return { letters, from, to }
}

/** The word that begins with a piece: its letters, with the letters of the next two pieces that are joined to it. */
export function wordAt(pieces: readonly Piece[], at: number): { word: string; count: number } {
  let word = ''
  for (let count = 1; ; count += 1) {
    const piece = pieces[at + count - 1]
    word += piece?.letters ?? ''
    if (count === MOST_PIECES || !piece || piece.joint === null || !pieces[at + count]) return { word, count }
    word += piece.joint
  }
}

/** Words that a query asks for: a text must have each as the beginning of one of its own, in their order. */
export function wordsAsked(query: string): string[] {
  const pieces = piecesOf(query)
  const words = pieces.map((piece, at) => ({ ...wordAt(pieces, at), joined: piece.joined }))
  // the word before has a shorter one in it
  return [
    ...new Set(words.flatMap(({ word, count, joined }) => (joined && count < MOST_PIECES ? [] : [word]))),
  ]
}

/** The end of the words that begin with a piece and hold a word: the end of the piece with its last letter. */
export function endOf(pieces: readonly Piece[], at: number, word: string): number {
  let length = 0
  let end = at
  for (; end < pieces.length; end += 1) {
    const { letters = '', joint = null } = pieces[end] ?? {}
    length += letters.length
    if (length >= word.length || joint === null) break
    length += joint.length
  }
  return pieces[Math.min(end, pieces.length - 1)]?.to ?? 0
}
