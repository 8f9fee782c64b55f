// Markdown takes a formula's backslashes, stars and underscores for its own. A formula is therefore hidden from it: each
// ASCII character stands as one of the private use area, so that every place in the text stays the same.
const hiddenFrom = 0xe000
const hidden = /[\ue000-\ue07f]+/g
const mayHold = /\\[([]|\$/

/** Longer ones, and more of them, stay source: drawing them would be felt. */
const most = { length: 2000, count: 300, total: 12_000 }

/** A formula in a text, and how it was written. */
export interface Formula {
  tex: string
  /** a line of its own */
  display: boolean
  /** with its delimiters */
  source: string
}

const hide = (text: string): string =>
  text.replace(/[\0-\x7f]/g, (letter) => String.fromCharCode(hiddenFrom + letter.charCodeAt(0)))

/** A text with its hidden parts. */
export const shown = (text: string): string =>
  text.replace(hidden, (run) =>
    run.replace(/[\s\S]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - hiddenFrom)),
  )

/**
 * Hides the formulas of a Markdown text, `\( \)`, `\[ \]`, `$$ $$` and `$ $`, from its parser. A formula does not reach
 * beyond its paragraph, and none begins in code. A price is no formula. The time grows with the length of the text.
 *
 * @param growing the text goes on: a formula without its end is hidden too, and shown as its source
 */
export function hideFormulas(written: string, growing = false): string {
  const text = written.replace(hidden, (run) => '\ufffd'.repeat(run.length))
  if (!mayHold.test(text)) return text
  const scan = new Scan(text)
  const parts: string[] = []
  let from = 0
  let [count, total] = [0, 0]
  for (let found = scan.next(); found; found = scan.next()) {
    const { start, end, isOpen } = found
    if (isOpen && !(growing && end === text.length)) continue
    const length = end - start
    count++
    total += length
    if (length > most.length || count > most.count || total > most.total) continue
    parts.push(text.slice(from, start), hide(withoutQuoteMarks(text, start, end)))
    from = end
  }
  parts.push(text.slice(from))
  return parts.join('')
}

/** A formula over several lines of a quote, its quote marks as spaces. */
function withoutQuoteMarks(text: string, start: number, end: number): string {
  const formula = text.slice(start, end)
  const line = text.slice(text.lastIndexOf('\n', start) + 1, start)
  if (!/^\s*>/.test(line)) return formula
  return formula.replace(/\n[ >]+/g, (marks) => marks.replaceAll('>', ' '))
}

interface Found {
  start: number
  end: number
  /** its end is missing: `end` is the end of its paragraph */
  isOpen: boolean
}

const ends: Readonly<Record<string, string>> = { '\\(': '\\)', '\\[': '\\]', $$: '$$' }
const fence = /^[\s>]*(?:[-*+]\s+|\d{1,9}[.)]\s+)*(`{3,}(?!.*`)|~{3,})/

/**
 * Tells whether the text between two dollar signs is written as a formula is: a sign or a single word, not a
 * sentence.
 */
const isFormula = (words: string): boolean =>
  !/[`\u3000-\u30ff\u3400-\u9fff\uac00-\ud7ff\uff00-\uffef]/.test(words) &&
  (/^[^\s,;:]+$/.test(words) || /[\\^_=+<>{}|*/!]|[\w)]\s*[-−,]\s*[\w(]/.test(words)) &&
  !/[A-Za-z]{2,} [A-Za-z]{2,}/.test(words.replace(/\\[A-Za-z]+(?:\{[^{}]*\})?/g, ''))

/** Goes through a text once, past its code, from formula to formula. */
class Scan {
  private at = 0
  /** for each end that was looked for in vain: up to where there is none */
  private readonly missing = new Map<string, number>()
  private paragraphEnd = -1

  constructor(private readonly text: string) {}

  next(): Found | null {
    const { text } = this
    while (this.at < text.length) {
      const { at } = this
      if (at === 0 || text[at - 1] === '\n') this.skipFence()
      if (this.at !== at) continue
      const letter = text[at]
      if (letter === '`') this.skipCode()
      else if (letter === '\\' || letter === '$') {
        const found = this.formula(letter)
        if (found) return found
      } else this.at++
    }
    return null
  }

  private formula(letter: string): Found | null {
    const { text, at: start } = this
    const begin = text.slice(start, start + 2)
    const end = ends[begin]
    if (letter === '$' && (!end || text[start + 2] === '$')) {
      while (text[this.at] === '$') this.at++
      return this.at === start + 1 ? this.betweenDollars(start) : null
    }
    this.at += 2
    if (!end) return null
    const place = this.find(end, this.at)
    if (place === null) return { start, end: this.endOfParagraph(this.at), isOpen: true }
    if (text.slice(this.at, place).trim() === '') return null
    this.at = place + end.length
    return { start, end: this.at, isOpen: false }
  }

  /** The formula between a dollar sign and the next one on its line. Amounts of money stand beside words or blanks. */
  private betweenDollars(start: number): Found | null {
    const { text } = this
    if (/[A-Za-z0-9]/.test(text[start - 1] ?? '') || !/\S/.test(text[start + 1] ?? '')) return null
    let at = start + 1
    while (at < text.length && at - start <= most.length && text[at] !== '$' && text[at] !== '\n') {
      at += text[at] === '\\' ? 2 : 1
    }
    if (text[at] !== '$' || /\s/.test(text[at - 1] ?? '') || /[A-Za-z0-9$]/.test(text[at + 1] ?? ''))
      return null
    if (!isFormula(text.slice(start + 1, at))) return null
    this.at = at + 1
    return { start, end: this.at, isOpen: false }
  }

  /** The place of an end in the rest of the paragraph. */
  private find(end: string, from: number): number | null {
    const { text } = this
    const limit = this.endOfParagraph(from)
    if ((this.missing.get(end) ?? -1) >= limit) return null
    for (let at = from; at < limit; at++) {
      if (text.startsWith(end, at)) return at
      // an escaped sign ends nothing
      if (text[at] === '\\') at++
    }
    this.missing.set(end, limit)
    return null
  }

  private endOfParagraph(from: number): number {
    if (this.paragraphEnd < from) {
      const blank = /\n[ \t>]*(?:\n|$)|\n[ \t>]*(?:`{3}|~{3})/g
      blank.lastIndex = from
      this.paragraphEnd = blank.exec(this.text)?.index ?? this.text.length
    }
    return this.paragraphEnd
  }

  /** Past a block of code that begins on this line. */
  private skipFence(): void {
    const { text, at } = this
    const end = text.indexOf('\n', at)
    const mark = fence.exec(text.slice(at, end < 0 ? text.length : Math.min(end, at + 200)))?.[1]
    if (!mark) return
    const close = new RegExp(`\\n[ \\t>]*${mark[0]}{${mark.length},}[ \\t]*(?=\\n|$)`, 'g')
    close.lastIndex = at
    const closed = close.exec(text)
    this.at = closed ? closed.index + closed[0].length : text.length
  }

  /** Past a span of code, or past its marks when it does not end. */
  private skipCode(): void {
    const { text, at: start } = this
    while (text[this.at] === '`') this.at++
    const length = this.at - start
    const limit = this.endOfParagraph(this.at)
    const kind = `code ${length}`
    if ((this.missing.get(kind) ?? -1) >= limit) return
    for (let at = this.at; at < limit; at++) {
      if (text[at] !== '`') continue
      const from = at
      while (text[at] === '`') at++
      if (at - from === length) {
        this.at = at
        return
      }
    }
    this.missing.set(kind, limit)
  }
}

/** An address with the brackets that were taken for a formula's: Markdown has escaped them by now. */
const shownInAddress = (value: string): string =>
  shown(value.replace(/(?:%EE%8[01]%[89AB][0-9A-F])+/g, decodeURIComponent)).replace(/\\([()[\]])/g, '$1')

/** The parts of a HAST node that are needed here. */
interface HastNode {
  type: string
  tagName?: string
  value?: string
  properties?: Record<string, unknown>
  children?: HastNode[]
}

/** The element a formula becomes. */
export const formulaTag = 'ramify-formula'

/** A text up to an end; an escaped sign ends no formula. */
const upTo = (end: string): string => String.raw`((?:[^\ue05c]|\ue05c[^${end}])+?)`
const whole = new RegExp(
  String.raw`\ue05c\ue028${upTo('\\ue029')}\ue05c\ue029|(?<!\ue024)\ue024(?!\ue024)((?:[^\ue024\ue05c]|\ue05c.)+?)\ue024(?!\ue024)|\ue05c\ue05b${upTo('\\ue05d')}\ue05c\ue05d|\ue024\ue024${upTo('')}\ue024\ue024`,
  'g',
)

/** A rehype plugin that makes elements of hidden formulas; in code, in addresses, and where the end is missing, they are text. */
export function drawFormulas() {
  const walk = (node: HastNode, inCode: boolean): void => {
    for (const [name, value] of Object.entries(node.properties ?? {})) {
      if (node.properties && typeof value === 'string') node.properties[name] = shownInAddress(value)
    }
    node.children = node.children?.flatMap((child) => {
      if (child.type === 'text')
        return inCode ? [{ ...child, value: shown(child.value ?? '') }] : inText(child)
      walk(child, inCode || child.tagName === 'code')
      return [child]
    })
  }
  return (tree: HastNode) => walk(tree, false)
}

function inText(node: HastNode): HastNode[] {
  const value = node.value ?? ''
  if (value.search(hidden) < 0) return [node]
  const parts: HastNode[] = []
  let from = 0
  const text = (end: number) => {
    if (end > from) parts.push({ type: 'text', value: shown(value.slice(from, end)) })
  }
  for (const match of value.matchAll(whole)) {
    const [source, inBrackets, inDollars, ...block] = match
    const inline = inBrackets ?? inDollars
    text(match.index)
    from = match.index + source.length
    const tex = shown(inline ?? block.find((part) => part !== undefined) ?? '')
    const properties: Formula = { tex, display: inline === undefined, source: shown(source) }
    parts.push({ type: 'element', tagName: formulaTag, properties: { ...properties }, children: [] })
  }
  text(value.length)
  return parts
}
