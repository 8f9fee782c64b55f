import { BlockLines, isRule, type Line } from './block-lines'
import { InlineCost } from './inline-cost'
import { copyOf, LayoutCost } from './layout-cost'

/** The most that drawing one message may cost, in microseconds of parsing and rendering on a small machine. */
export const budget = 120_000
const maxText = 60_000
/** Lists and quotes in each other; the parser's work grows with the square of it. */
const maxDepth = 16

// Found by timing Streamdown 2.7 over families of texts, each with the dearest of its kind.
const perCharacter = 0.4
const perLine = 14
const perItem = 50
const perNewDepth = 20
const perInnerBlock = 18
const perBlock = 72
const perBlockSquared = 0.06
const perHeadingSquared = 0.3
const perLazyLineSquared = 0.05
const perFence = 130
const perTable = 180
const perCell = 38
const perRow = 40
const perDepth = 7
const perDefinition = 45
/** characters that definitions may add to a text by being named again and again */
const maxCopied = 200_000

const fence = /^(`{3,}|~{3,})(?!.*`)|^~{3,}/
const underline = /^(?:=+|-+)\s*$/
const heading = /^#{1,6}\s/
const definition = /^\[[^\]]{1,999}\]:/
const delimiters = /^\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/

/** True when a text would keep the Markdown renderer busy for too long: it is shown as it is. */
export const isCostly = (text: string): boolean => markdownCost(text) > budget

/** The cost of drawing a text as Markdown, in microseconds; infinite where the count ended early. */
export function markdownCost(text: string): number {
  return new MarkdownCost().read(text)
}

/**
 * The cost of a text that grows: each reading goes on where the one before ended, and a text once too dear stays so.
 * Reading takes a time that grows with the length of the new text.
 */
export class MarkdownCost {
  #text = ''
  #lines = new Lines()

  read(text: string): number {
    if (text.length > maxText) return Number.POSITIVE_INFINITY
    if (!text.startsWith(this.#text)) {
      this.#text = ''
      this.#lines = new Lines()
    }
    let from = this.#text.length
    while (this.#lines.total <= budget) {
      const end = text.indexOf('\n', from)
      if (end < 0) break
      this.#lines.add(text.slice(from, end))
      from = end + 1
    }
    this.#text = text.slice(0, from)
    if (this.#lines.total > budget || from === text.length) return this.#lines.total
    const lines = this.#lines.copy()
    lines.add(text.slice(from))
    return lines.total
  }
}

/** The counts over the lines of a text. */
class Lines {
  private blocks = new BlockLines()
  private inline = new InlineCost()
  private layout = new LayoutCost()
  private cost = 0
  private leaves = 0
  private headings = 0
  private lazy = 0
  private tooDeep = false
  private longestDefinition = 0
  private fence: { mark: string; depth: number } | null = null
  private columns = 0
  /** the cells the line before would have as the head of a table; 0 outside a paragraph */
  private headCells = 0
  private inParagraph = false

  copy(): Lines {
    const copy = copyOf(this)
    copy.blocks = copyOf(this.blocks)
    copy.inline = copyOf(this.inline)
    copy.layout = copyOf(this.layout)
    return copy
  }

  get total(): number {
    if (this.tooDeep || this.longestDefinition * this.inline.references > maxCopied) {
      return Number.POSITIVE_INFINITY
    }
    return (
      this.cost +
      this.layout.total +
      this.leaves ** 2 * perBlockSquared +
      this.headings ** 2 * perHeadingSquared +
      this.lazy ** 2 * perLazyLineSquared
    )
  }

  add(raw: string): void {
    // a carriage return ends a line too
    if (raw.includes('\r')) {
      for (const line of raw.split('\r')) this.addLine(line)
    } else this.addLine(raw)
  }

  private addLine(raw: string): void {
    this.layout.addLine(raw)
    this.cost += raw.length * perCharacter
    const line = this.blocks.next(raw, this.inParagraph, this.fence !== null)
    this.tooDeep ||= line.depth > maxDepth
    this.cost += line.begun * (perItem + perNewDepth) + line.depth * perDepth
    if (line.lazy) this.lazy++
    if (line.begun > 0) this.endParagraph()
    if (this.fence && line.depth >= this.fence.depth) {
      if (endsFence(line, this.fence.mark)) this.fence = null
      return
    }
    this.fence = null
    if (line.at >= line.text.length) this.endParagraph()
    else if (line.indented && !this.inParagraph) this.leaf(line.depth)
    else this.block(line, line.text.slice(line.at, line.at + 1200))
  }

  private block(line: Line, words: string): void {
    const { text, at, depth } = line
    const mark = fence.exec(words)?.[0]
    if (mark) {
      this.endParagraph()
      this.fence = { mark: mark.slice(0, 3), depth }
      this.cost += perFence
      this.leaf(depth)
    } else if (this.columns > 0) {
      this.row(line)
    } else if (this.inParagraph && underline.test(words)) {
      this.headings++
      this.endParagraph()
    } else if (this.headCells > 0 && delimiters.test(words) && words.length === text.length - at) {
      this.columns = Math.min(this.headCells, cellsOf(text, at))
      this.cost += perTable + this.columns * perCell
    } else if (isRule(text, at) || heading.test(words)) {
      this.endParagraph()
      this.leaf(depth)
      this.cost += this.inline.read(text, at)
    } else this.words(line, words)
  }

  private words({ text, at, depth }: Line, words: string): void {
    if (!this.inParagraph) {
      this.leaf(depth)
      this.inline.begin()
      this.inParagraph = true
    }
    if (definition.test(words)) {
      this.cost += perDefinition
      this.longestDefinition = Math.max(this.longestDefinition, text.length - at)
    }
    this.cost += perLine + this.inline.read(text, at)
    this.headCells = cellsOf(text, at)
  }

  /** A row has the cells of the head, be they written or not. */
  private row({ text, at }: Line): void {
    this.inline.begin()
    this.cost += perRow + this.columns * perCell + this.inline.read(text, at)
  }

  private leaf(depth: number): void {
    this.leaves += depth === 0 ? 1 : 0.5
    this.cost += depth === 0 ? perBlock : perInnerBlock
  }

  private endParagraph(): void {
    this.inParagraph = false
    this.columns = 0
    this.headCells = 0
    this.inline.begin()
  }
}

/** True when a line of code is the end of it: its mark again, and nothing else. */
const endsFence = ({ text, at }: Line, mark: string): boolean =>
  text.startsWith(mark, at) && /^(.)\1*\s*$/.test(text.slice(at))

function cellsOf(text: string, from: number): number {
  let bars = 0
  for (let at = from; at < text.length; at++) if (text.charCodeAt(at) === 124) bars++
  return bars + 1
}
