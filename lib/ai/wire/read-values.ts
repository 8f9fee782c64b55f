import { reasonIn } from '@/lib/gateway/protocols/shared/reasons'
import { type SseEvent, SseReader } from '@/lib/gateway/protocols/shared/sse'
import { parsed } from '@/lib/gateway/protocols/shared/values'
import { explain, ReplyProblem } from '../explain-error'
import { ProviderSaidError } from './provider-said'
import type { SameFrame } from './same-frame'

/** A value of an answer: one event of a stream, or all of it. */
export interface WireValue {
  readonly value?: unknown
  readonly event?: string | undefined
  /** the JSON of an event: it passes as it came where there is no value beside it */
  readonly text?: string
  /** the provider's word that no more comes */
  readonly isEnd?: true
}

/** Reads the values out of the bytes of an answer. */
export interface ValueReader {
  push(bytes: Uint8Array): Iterable<WireValue>
  /** The last of them, when no more bytes come. */
  end(): Iterable<WireValue>
  /** Tells whether the answer was one value, and no stream. */
  readonly isWhole: boolean
}

const DONE = /^"?\[done\]"?$/i
/** Enough of an answer to say what it is, in characters. */
const HEAD = 2000

/**
 * Reads an answer by its content, whatever its type says: an event stream, one JSON value, or one on each line.
 *
 * @param headers of the answer
 * @param frame knows the events that need not be read
 */
export function valueReader(headers: Readonly<Record<string, string>>, frame?: SameFrame): ValueReader {
  const decoder = new TextDecoder()
  let head = ''
  let held: Uint8Array[] = []
  let reader: ValueReader | undefined
  function* read(bytes: Uint8Array): Generator<WireValue> {
    if (reader) return yield* reader.push(bytes)
    head += decoder.decode(bytes, { stream: true })
    held.push(bytes)
    const [first] = head.trimStart()
    if (first === undefined) return
    const isJson = first === '{' || first === '['
    reader = isJson
      ? new JsonValues()
      : first === '<'
        ? new PageReader(headers)
        : new EventValues(headers, frame)
    const waiting = held
    held = []
    for (const part of waiting) yield* reader.push(part)
  }
  return {
    push: read,
    end: () => reader?.end() ?? [],
    get isWhole() {
      return reader?.isWhole ?? false
    },
  }
}

/** Reads an event stream. */
class EventValues implements ValueReader {
  readonly isWhole = false
  readonly #events = new SseReader()
  readonly #decoder = new TextDecoder()
  readonly #frame: SameFrame | undefined
  /** the text before the first event: it may be a sentence */
  #head: string | undefined = ''

  constructor(
    private readonly headers: Readonly<Record<string, string>>,
    frame: SameFrame | undefined,
  ) {
    this.#frame = frame
  }

  *push(bytes: Uint8Array): Generator<WireValue> {
    const events = this.#events.push(bytes)
    if (events.length > 0) this.#head = undefined
    if (this.#head !== undefined && this.#head.length < HEAD)
      this.#head += this.#decoder.decode(bytes, { stream: true })
    // events that came before a failure are read before it
    for (const event of events) {
      if (this.#frame?.fits(event.data)) yield { text: event.data }
      else yield* this.#valuesOf(event)
    }
  }

  *end(): Generator<WireValue> {
    const events = this.#events.end()
    const isText = events.length === 0 && this.#head?.split('\n').some((line) => /^[^:]*[^:\w-]/.test(line))
    if (isText && this.#head) throw new ProviderSaidError(this.#head, this.headers)
    for (const event of events) yield* this.#valuesOf(event)
  }

  #valuesOf({ data, event }: SseEvent): WireValue[] {
    const text = data.trim()
    if (text === '') return []
    if (DONE.test(text)) return [{ isEnd: true }]
    const value = parsed(text)
    if (value !== undefined) {
      return Array.isArray(value) ? value.map((one) => ({ value: one, event })) : [{ value, event, text }]
    }
    // a server that forgets the empty line between its events
    const lines = text.split('\n')
    if (lines.length > 1) return lines.flatMap((line) => this.#valuesOf({ data: line, event }))
    if (event === 'error') throw new ProviderSaidError(text, this.headers)
    if (text.startsWith('{')) throw new ReplyProblem(unreadable)
    return []
  }
}

/** Reads one JSON value, or one on each line. */
class JsonValues implements ValueReader {
  readonly #decoder = new TextDecoder()
  #rest = ''
  /** true when lines are values of their own */
  #isLines: boolean | undefined
  #count = 0

  get isWhole(): boolean {
    return this.#isLines !== true || this.#count === 1
  }

  push(bytes: Uint8Array): WireValue[] {
    this.#rest += this.#decoder.decode(bytes, { stream: true })
    if (this.#isLines === false || !this.#rest.includes('\n')) return []
    const lines = this.#rest.split('\n')
    if (this.#isLines === undefined) {
      const begun = lines.slice(0, -1).find((line) => line.trim() !== '')
      if (begun === undefined) return []
      this.#isLines = parsed(begun) !== undefined
      if (!this.#isLines) return []
    }
    this.#rest = lines.pop() ?? ''
    const values = lines.flatMap(lineOf)
    this.#count += values.length
    return values
  }

  end(): WireValue[] {
    const rest = this.#rest.trim()
    if (rest === '') return []
    const value = parsed(rest)
    if (value === undefined) throw new ReplyProblem(unreadable)
    const values = [value].flat()
    this.#count += values.length
    return values.map((one) => ({ value: one }))
  }
}

function lineOf(line: string): WireValue[] {
  const text = line.trim()
  if (text === '') return []
  if (DONE.test(text)) return [{ isEnd: true }]
  const value = parsed(text)
  if (value === undefined) throw new ReplyProblem(unreadable)
  return [{ value }]
}

/** Reads a page in place of an answer: it fails with the page's title. */
class PageReader implements ValueReader {
  readonly isWhole = true
  readonly #decoder = new TextDecoder()
  #text = ''

  constructor(private readonly headers: Readonly<Record<string, string>>) {}

  push(bytes: Uint8Array): WireValue[] {
    this.#text += this.#decoder.decode(bytes, { stream: true })
    if (this.#text.length > HEAD || /<\/(?:title|h1|message)>/i.test(this.#text)) this.end()
    return []
  }

  end(): WireValue[] {
    if (/^\s*<\?xml|^\s*<error/i.test(this.#text)) throw new ProviderSaidError(this.#text, this.headers)
    const title = reasonIn(this.#text)?.slice(0, 100)
    throw new ReplyProblem(
      explain(
        'refused',
        `The provider answered with a web page, not with a reply.${title ? ` The page is called “${title}”.` : ''}`,
        'Check the provider’s base URL; it often ends with /v1.',
      ),
    )
  }
}

const unreadable = explain(
  'unknown',
  'A part of the provider’s answer could not be read: its JSON is not whole.',
  'Try again, or choose another model.',
  { retryable: true },
)
