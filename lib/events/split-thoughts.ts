/** A piece of a model's text. `end-only`: the text up to here was thoughts, whose beginning stood in the prompt. */
export type Piece =
  | { readonly kind: 'text' | 'reasoning'; readonly text: string }
  | { readonly kind: 'end-only' }

type Kind = 'text' | 'reasoning'

/** Tags around thoughts, by their names. */
const names = [
  'think',
  'thinking',
  'thought',
  'thoughts',
  'reasoning',
  'antthinking',
  'ant_thinking',
  'mm:think',
  'seed:think',
  'longcat_think',
]

/** Marks around thoughts, in the letters in which models write them. */
const exact: readonly (readonly [open: string, close: string])[] = [
  ['[THINK]', '[/THINK]'],
  ['◁think▷', '◁/think▷'],
  ['<|think|>', '<|/think|>'],
  ['<|START_THINKING|>', '<|END_THINKING|>'],
  ['<|begin_of_thought|>', '<|end_of_thought|>'],
  ['<|inner_prefix|>', '<|inner_suffix|>'],
]

const closes = new Map<string, string>([
  ...names.map((name): [string, string] => [`<${name}>`, `</${name}>`]),
  ...exact,
])

/** Marks that stand around the answer of models that have marks around their thoughts. */
const around = ['<|START_RESPONSE|>', '<|END_RESPONSE|>', '<|begin_of_solution|>', '<|end_of_solution|>']

/** Channels of Harmony (gpt-oss) and of Gemma: a head names the channel, and its text follows. */
const heads = ['<|channel|>', '<|channel>', '<|start|>']
const endsOfChannel = ['<|end|>', '<|return|>', '<|call|>', '<channel|>']
const head =
  /^(?:<\|start\|>[\w:.-]*\s*)?(?:<\|channel\|?>\s*(\w+)[^\n<]*)?(?:<\|constrain\|>[^\n<]*)?(<\|message\|>|\n)/
/** The longest head of a channel, in characters. */
const MOST_OF_HEAD = 200

const marks = [...closes.keys(), ...closes.values(), ...around, ...heads, ...endsOfChannel]
const canonical = new Map(marks.map((mark) => [mark.toLowerCase(), mark]))
const isTag = new Set(names.flatMap((name) => [`<${name}>`, `</${name}>`]))
const opensThoughts = new Set(closes.keys())
const closesThoughts = new Set([...closes.values(), '<channel|>'])

const escaped = (mark: string): string => mark.replace(/[[\]|()/]/g, '\\$&')
const anyMark = marks
  .toSorted((one, other) => other.length - one.length)
  .map(escaped)
  .join('|')

const inThoughts = new RegExp(anyMark, 'gi')
const inWords = new RegExp(`\`+|~+|\\n|${anyMark}`, 'gi')

/** A mark as the lists write it; undefined for a mark in other letters. */
function markOf(found: string): string | undefined {
  const mark = canonical.get(found.toLowerCase())
  return mark !== undefined && (mark === found || isTag.has(mark)) ? mark : undefined
}

/** The longest mark. */
const LONGEST = Math.max(...marks.map(({ length }) => length))

/** The place where a text may end in the beginning of a mark; its length where it does not. */
function unsureFrom(text: string): number {
  for (let at = Math.max(0, text.length - LONGEST + 1); at < text.length; at++) {
    if (!'<[◁'.includes(text.charAt(at))) continue
    const tail = text.slice(at).toLowerCase()
    if (marks.some((mark) => mark.toLowerCase().startsWith(tail))) return at
  }
  return text.length
}

/** A mark that is quoted is talked about. */
const quotes = new Set(['"', "'", '`', '“', '‘', '«'])

/**
 * Tells thoughts from words in a text that comes in pieces, where a model writes both into one: tags such as
 * `<think>`, the channels of Harmony and Gemma, and other models' marks. Code stays as it is, inline and in fences, and
 * so do quoted marks. Text is held back only while it may be the beginning of a mark.
 *
 * @param after thoughts have come already: then an end without a beginning is no news
 * @example
 * const splitter = new ThoughtSplitter()
 * splitter.push('<think>Hm') // [{ kind: 'reasoning', text: 'Hm' }]
 * splitter.push('</think>\n\nYes') // [{ kind: 'text', text: 'Yes' }]
 */
export class ThoughtSplitter {
  #rest = ''
  /** marks that end the thoughts; undefined between thoughts */
  #ends: ReadonlySet<string> | undefined
  #inHead = false
  #inChannels = false
  /** space at the beginning of words or thoughts is dropped */
  #trims = false
  /** space that is told only when a text follows it */
  #space = ''
  #before = ''
  #hasThoughts: boolean
  /** words have come since the last thoughts */
  #hasWords = false
  #isLineStart = true
  #fence = ''
  #ticks = 0
  #said: Piece[] = []

  constructor(after = false) {
    this.#hasThoughts = after
  }

  push(text: string): Piece[] {
    this.#rest += text
    return this.#take(false)
  }

  /** The rest of the text, after its last piece. */
  end(): Piece[] {
    const said = this.#take(true)
    if (this.#space !== '' && !this.#ends && !this.#hasThoughts)
      said.push({ kind: 'text', text: this.#space })
    this.#space = ''
    return said
  }

  #take(isLast: boolean): Piece[] {
    this.#said = []
    while (this.#rest !== '' && this.#step(isLast));
    return this.#said
  }

  /** Takes the text up to the next mark, or a text that surely holds none. Answers whether there is more to take. */
  #step(isLast: boolean): boolean {
    if (this.#inHead) return this.#readHead(isLast)
    return this.#ends ? this.#think(this.#ends, isLast) : this.#speak(isLast)
  }

  #think(ends: ReadonlySet<string>, isLast: boolean): boolean {
    for (const found of this.#rest.matchAll(inThoughts)) {
      const mark = markOf(found[0])
      if (mark === undefined || !ends.has(mark) || this.#isQuoted(found.index)) continue
      this.#say('reasoning', found.index)
      this.#ends = undefined
      this.#space = ''
      this.#hasWords = false
      this.#pass(mark)
      return true
    }
    this.#say('reasoning', isLast ? this.#rest.length : unsureFrom(this.#rest))
    return false
  }

  #speak(isLast: boolean): boolean {
    let from = 0
    for (const found of this.#rest.matchAll(inWords)) {
      const [token] = found
      this.#seeLine(this.#rest.slice(from, found.index))
      from = found.index + token.length
      if (/^[`~]/.test(token)) {
        // the run may go on
        if (from === this.#rest.length && !isLast) {
          this.#say('text', found.index)
          return false
        }
        this.#seeTicks(token)
        this.#isLineStart = false
      } else if (token === '\n') {
        // a paragraph ends, and with it code that was never closed
        if (this.#isLineStart) this.#ticks = 0
        this.#isLineStart = true
      } else {
        const mark = markOf(token)
        const isCode = this.#fence !== '' || this.#ticks > 0
        if (mark === undefined || isCode || this.#isQuoted(found.index) || !this.#means(mark, found.index)) {
          this.#isLineStart = false
          continue
        }
        this.#say('text', found.index)
        this.#pass(mark)
        return true
      }
    }
    const sure = isLast ? this.#rest.length : Math.max(from, unsureFrom(this.#rest))
    this.#seeLine(this.#rest.slice(from, sure))
    this.#say('text', sure)
    return false
  }

  /** Says whether a mark means anything between thoughts. */
  #means(mark: string, at: number): boolean {
    if (opensThoughts.has(mark) || heads.includes(mark)) return true
    if (around.includes(mark)) return this.#hasThoughts
    if (this.#inChannels && endsOfChannel.includes(mark)) return true
    if (!closesThoughts.has(mark)) return false
    const hasWords = this.#hasWords || this.#rest.slice(0, at).trim() !== ''
    return !this.#hasThoughts || !hasWords
  }

  /** Goes on behind a mark, which stands at the beginning of the rest. */
  #pass(mark: string): void {
    if (heads.includes(mark)) {
      this.#inHead = true
      return
    }
    this.#rest = this.#rest.slice(mark.length)
    this.#before = ''
    this.#trims = true
    this.#isLineStart = true
    const close = closes.get(mark)
    if (close !== undefined) {
      this.#begin(new Set([close]))
      return
    }
    if (!closesThoughts.has(mark)) return
    if (!this.#hasThoughts && this.#hasWords) this.#said.push({ kind: 'end-only' })
    this.#space = ''
    this.#hasThoughts = true
    this.#hasWords = false
  }

  #begin(ends: ReadonlySet<string>): void {
    this.#ends = ends
    this.#hasThoughts = true
    this.#space = ''
    this.#trims = true
  }

  #readHead(isLast: boolean): boolean {
    const found = head.exec(this.#rest)
    const [whole, channel, end] = found ?? []
    // a line ends only the head of a channel
    if (whole !== undefined && (end !== '\n' || channel !== undefined)) {
      this.#rest = this.#rest.slice(whole.length)
      this.#inHead = false
      this.#inChannels = true
      this.#trims = true
      if (channel !== undefined && channel !== 'final') this.#begin(new Set([...endsOfChannel, ...heads]))
      return true
    }
    if (!isLast && this.#rest.length <= MOST_OF_HEAD) return false
    // it was no head: words like all others
    this.#inHead = false
    this.#say('text', heads.find((mark) => this.#rest.startsWith(mark))?.length ?? 1)
    return true
  }

  #isQuoted(at: number): boolean {
    return quotes.has(at === 0 ? this.#before : this.#rest.charAt(at - 1))
  }

  #seeLine(words: string): void {
    this.#isLineStart &&= /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?$/.test(words)
  }

  #seeTicks(run: string): void {
    if (this.#fence !== '') {
      const isEnd = this.#isLineStart && run[0] === this.#fence[0] && run.length >= this.#fence.length
      if (isEnd) this.#fence = ''
    } else if (this.#ticks > 0) {
      if (run.length === this.#ticks && run[0] === '`') this.#ticks = 0
    } else if (this.#isLineStart && run.length >= 3) this.#fence = run
    else if (run[0] === '`') this.#ticks = run.length
  }

  /** Says the rest up to a place. Space waits where nothing may come of it: before the first words, and after thoughts. */
  #say(kind: Kind, end: number): void {
    const taken = this.#rest.slice(0, end)
    this.#rest = this.#rest.slice(end)
    this.#before = taken.at(-1) ?? this.#before
    const text = this.#trims ? taken.trimStart() : taken
    if (text !== '') this.#trims = false
    const words = this.#space + text
    const isHeld = kind === 'reasoning' || !this.#hasWords
    const said = isHeld && (kind === 'reasoning' || words.trim() === '') ? words.trimEnd() : words
    this.#space = words.slice(said.length)
    if (said === '') return
    if (kind === 'text') this.#hasWords = true
    const last = this.#said.at(-1)
    if (last?.kind === kind) this.#said[this.#said.length - 1] = { kind, text: last.text + said }
    else this.#said.push({ kind, text: said })
  }
}

/** A whole text with thoughts and words told apart, in their order; `after` as `ThoughtSplitter` takes it. */
export function splitThoughts(text: string, after = false): { kind: Kind; text: string }[] {
  const splitter = new ThoughtSplitter(after)
  const pieces: { kind: Kind; text: string }[] = []
  for (const piece of [...splitter.push(text), ...splitter.end()]) {
    const last = pieces.at(-1)
    if (piece.kind === 'end-only') {
      for (const before of pieces) before.kind = 'reasoning'
      if (last) last.text = last.text.trimEnd()
    } else if (last?.kind === piece.kind) last.text += piece.text
    else pieces.push({ kind: piece.kind, text: piece.text })
  }
  return pieces
}

/** A model's whole answer without the thoughts that it wrote into it. */
export const withoutThoughts = (answer: string): string =>
  splitThoughts(answer)
    .flatMap(({ kind, text }) => (kind === 'text' ? [text] : []))
    .join('')
