const backslash = 92
const openBracket = 91
const closeBracket = 93
const bang = 33
const caret = 94

// microseconds, each the dearest that was measured
const perBracket = 70
const perTag = 55
const perEmphasis = 15
const perCodeSpan = 18
const perEscape = 14
const perEntity = 6
const perAddress = 60
const perFootnote = 130
/** an opener looks through all that is open when it closes */
const perDepth = 1.5

/**
 * The cost of the words of a paragraph, heading or cell for the Markdown parser, beside their length. Openers that stay
 * open cost with the square of their number, so a paragraph is read to its end before it is over.
 */
export class InlineCost {
  private brackets = 0
  private emphasis = 0
  /** brackets that may name a definition */
  references = 0

  /** A new paragraph begins with nothing open. */
  begin(): void {
    this.brackets = 0
    this.emphasis = 0
  }

  /** The cost of a line of the paragraph, from an offset on. */
  read(line: string, from: number): number {
    let cost = 0
    for (let at = from; at < line.length; at++) {
      const code = line.charCodeAt(at)
      if (code > 126 || (code > 64 && code < 91) || (code > 96 && code < 119)) continue
      if (code === openBracket) cost += this.open(line, at)
      else if (code === closeBracket) this.brackets = Math.max(0, this.brackets - 1)
      else if (code === 42 || code === 95 || code === 126) {
        const end = endOfMarks(line, at, code)
        cost += this.emphasize(line, at, end, code)
        at = end - 1
      } else if (code === 96) {
        cost += perCodeSpan
        at = endOfMarks(line, at, code) - 1
      } else cost += costOf(line, at, code)
    }
    return cost
  }

  private open(line: string, at: number): number {
    this.brackets++
    this.references++
    const note = line.charCodeAt(at + 1) === caret ? perFootnote : 0
    const image = line.charCodeAt(at - 1) === bang ? perTag : 0
    return perBracket + image + note + this.brackets * perDepth
  }

  private emphasize(line: string, from: number, end: number, code: number): number {
    const before = from > 0 && !isSpace(line.charCodeAt(from - 1))
    const after = end < line.length && !isSpace(line.charCodeAt(end))
    // snake_case
    if (code === 95 && isWord(line.charCodeAt(from - 1)) && isWord(line.charCodeAt(end))) return 1
    if (!before && !after) return 1
    if (before && this.emphasis > 0) this.emphasis--
    else if (after) this.emphasis++
    // marks of different lengths are matched in parts
    return perEmphasis + Math.min(end - from, 40) + this.emphasis * perDepth
  }
}

function costOf(line: string, at: number, code: number): number {
  if (code === 60) return perTag
  if (code === backslash) return perEscape
  if (code === 38) return perEntity
  if (code === 64) return perAddress
  if (code === 58) return line.startsWith('//', at + 1) ? perAddress : 0
  if (code === 119) return line.startsWith('ww.', at + 1) ? perAddress : 0
  return 0
}

function endOfMarks(line: string, from: number, code: number): number {
  let at = from + 1
  while (at < line.length && line.charCodeAt(at) === code) at++
  return at
}

const isSpace = (code: number): boolean => code <= 32 || code === 0xa0
const isWord = (code: number): boolean =>
  (code > 47 && code < 58) || (code > 64 && code < 91) || (code > 96 && code < 123) || code > 127
