// Found by timing Streamdown 2.7: past these it takes seconds, or overflows the stack.
const maxText = 60_000
const maxLines = 4000
/** list and quote markers nested at the start of one line */
const maxNesting = 40
/** characters that may open something, in one paragraph: their cost is quadratic */
const maxOpeners = 3000
const maxCells = 500

const fence = /^ {0,3}(`{3,}|~{3,})/

/** Whether a text would keep the Markdown renderer busy for so long that it had better be shown as it is. */
export function isCostly(text: string): boolean {
  if (text.length > maxText) return true
  const lines = text.split('\n')
  if (lines.length > maxLines) return true
  let closing: string | null = null
  let openers = 0
  for (const line of lines) {
    const mark = fence.exec(line)?.[1]
    if (closing !== null) {
      if (mark?.startsWith(closing)) closing = null
      continue
    }
    if (mark) closing = mark
    if (nesting(line) > maxNesting || count(line, /\|/g) > maxCells) return true
    openers = line.trim() === '' ? 0 : openers + count(line, /[*_~[\]!<`&\\]/g)
    if (openers > maxOpeners) return true
  }
  return false
}

function nesting(line: string): number {
  const lead = /^(?:[\s>*+-]|\d{1,9}[.)])*/.exec(line)?.[0] ?? ''
  return count(lead, /[>*+-]|\d[.)]/g)
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0
