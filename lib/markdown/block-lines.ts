/** A line without the marks of the quotes and list items it stands in. */
export interface Line {
  /** the line with tabs as they count for the structure */
  text: string
  /** index at which its own words begin */
  at: number
  /** quote and list marks that begin on it */
  begun: number
  /** number of quotes and items around it */
  depth: number
  /** continues a paragraph of a container that it does not name again */
  lazy: boolean
  /** indented by four or more beyond its container */
  indented: boolean
}

const quote = 0
/** Deeper than anything that is drawn; containers below it are not read. */
const deepest = 40

/**
 * Follows the quotes and list items that lines of Markdown stand in, as CommonMark nests them. The time grows
 * with the length and the depth of the line.
 */
export class BlockLines {
  /** the column from which the words of a list item stand; 0 for a quote */
  private stack: readonly number[] = []

  /**
   * Reads the next line.
   *
   * @param inParagraph true when words without a mark would go on with the paragraph before
   * @param inFence true when the line may be code: nothing begins on it then
   */
  next(raw: string, inParagraph: boolean, inFence: boolean): Line {
    const text = raw.includes('\t') ? untabbed(raw) : raw
    let at = 0
    let kept = 0
    for (const column of this.stack) {
      const next = continued(text, at, column)
      if (next === null) break
      at = next
      kept++
    }
    const isBlank = firstLetter(text, at) === text.length
    const begins = !inFence && marker(text, firstLetter(text, at)) !== null
    const lazy = kept < this.stack.length && inParagraph && !isBlank && !begins && !startsBlock(text, at)
    if (!lazy) this.stack = this.stack.slice(0, kept)
    const before = this.stack.length
    if (!lazy && !inFence) at = this.begin(text, at, inParagraph && kept === before)
    const letter = firstLetter(text, at)
    return {
      text,
      at: letter,
      begun: this.stack.length - before,
      depth: this.stack.length,
      lazy,
      indented: letter - at >= 4,
    }
  }

  /** Opens the containers that begin at an offset, and returns the index at which the words begin. */
  private begin(text: string, from: number, inParagraph: boolean): number {
    let at = from
    while (this.stack.length < deepest) {
      const letter = firstLetter(text, at)
      // four spaces make it code, and one more line of a paragraph
      if (letter - at >= 4) return at
      const mark = marker(text, letter)
      if (!mark || (inParagraph && mark.column !== quote && mark.end >= text.length)) return at
      this.stack = [...this.stack, mark.column]
      at = mark.end
    }
    return at
  }
}

/** Index at which a container's words continue in a line; null when the line is outside it. */
function continued(text: string, from: number, column: number): number | null {
  const letter = firstLetter(text, from)
  if (column === quote) {
    if (letter - from > 3 || text.charCodeAt(letter) !== 62) return null
    return text.charCodeAt(letter + 1) === 32 ? letter + 2 : letter + 1
  }
  if (letter === text.length) return letter
  return letter >= column ? column : null
}

interface Mark {
  column: number
  /** behind the mark and its space */
  end: number
}

function marker(text: string, at: number): Mark | null {
  const code = text.charCodeAt(at)
  if (code === 62) return { column: quote, end: text.charCodeAt(at + 1) === 32 ? at + 2 : at + 1 }
  let end = at + 1
  if (code >= 48 && code <= 57) {
    while (end < at + 10 && text.charCodeAt(end) >= 48 && text.charCodeAt(end) <= 57) end++
    const dot = text.charCodeAt(end)
    if (dot !== 46 && dot !== 41) return null
    end++
  } else if ((code !== 45 && code !== 42 && code !== 43) || isRule(text, at)) return null
  if (end >= text.length) return { column: end + 1, end }
  if (text.charCodeAt(end) !== 32) return null
  const letter = firstLetter(text, end)
  const column = letter === text.length || letter - end > 4 ? end + 1 : letter
  return { column, end: Math.min(column, text.length) }
}

/** True when a line is a rule from an offset on: `---`, `* * *`. Stops at the first other character. */
export function isRule(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code !== 45 && code !== 42 && code !== 95) return false
  let count = 0
  for (let place = at; place < text.length; place++) {
    const next = text.charCodeAt(place)
    if (next === code) count++
    else if (next !== 32) return false
  }
  return count >= 3
}

const block = /^(?:#{1,6}(?:\s|$)|`{3}|~{3}|<)/

const startsBlock = (text: string, at: number): boolean => {
  const letter = firstLetter(text, at)
  return letter - at < 4 && (block.test(text.slice(letter, letter + 8)) || isRule(text, letter))
}

function firstLetter(text: string, from: number): number {
  let at = from
  while (at < text.length && text.charCodeAt(at) === 32) at++
  return at
}

/** Tabs as spaces to the next column of four; a line longer than any indentation keeps the rest. */
function untabbed(line: string): string {
  let text = ''
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at)
    text += code === 9 ? ' '.repeat(4 - (text.length % 4)) : line[at]
  }
  return text
}
