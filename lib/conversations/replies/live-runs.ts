import type { UIMessageChunk } from 'ai'
import { Listeners } from '../watch/change-hub'

/** End of a run in this process: its reply is stored, or another process holds it now. */
export type Ending = 'over' | 'lost'

/** Parts of one tick after which readers are told before its end: a long burst then shows from its beginning. */
const TOGETHER = 32

/** A reply being written in this process: its parts so far, for every reader, and the means to stop it. */
export class HeldRun {
  readonly abort = new AbortController()
  readonly #parts = new ReplyParts()
  readonly #waiting = new Set<() => void>()
  readonly #ended = Promise.withResolvers<Ending>()
  #ending: Ending | undefined
  /** parts that waiting readers have not been told of */
  #untold = 0

  constructor(
    readonly runId: string,
    readonly chatId: string,
    /** number of the attempt made here */
    readonly attempt: number,
  ) {}

  /** Resolves when the reply is stored and the last part is out, or when another process has the run. */
  get ended(): Promise<Ending> {
    return this.#ended.promise
  }

  /** The part every reader gets first, once there is one. */
  get first(): UIMessageChunk | undefined {
    return this.#parts.first
  }

  push(chunk: UIMessageChunk): void {
    this.#parts.push(chunk)
    this.#untold++
    if (this.#untold === 1) setImmediate(() => this.#wake())
    else if (this.#untold === TOGETHER) this.#wake()
  }

  end(ending: Ending = 'over'): void {
    this.#ending ??= ending
    this.#ended.resolve(this.#ending)
    this.#wake()
  }

  /**
   * All parts from the first on, then each new one, until the run has ended here or `signal` fires. Readers read at
   * their own pace: waiting words come joined, and a slow reader costs no memory of its own.
   */
  async *parts(signal: AbortSignal): AsyncGenerator<UIMessageChunk, Ending | undefined> {
    let at: Place = { parts: 0, characters: 0 }
    // one subscription for all parts: one per part costs more than the part
    let goOn: (() => void) | undefined
    const wake = () => goOn?.()
    this.#waiting.add(wake)
    signal.addEventListener('abort', wake)
    try {
      while (!signal.aborted) {
        const fresh = this.#parts.after(at)
        at = this.#parts.end
        yield* fresh
        if (signal.aborted || this.#parts.goOnAfter(at)) continue
        if (this.#ending) return this.#ending
        await new Promise<void>((resolve) => {
          goOn = resolve
        })
      }
      return undefined
    } finally {
      this.#waiting.delete(wake)
      signal.removeEventListener('abort', wake)
    }
  }

  /**
   * Wakes readers once for all parts of one tick: they read them joined, and each of them costs one write.
   */
  #wake(): void {
    this.#untold = 0
    for (const wake of this.#waiting) wake()
  }
}

/** The replies being written in this process, by run id. */
export class LiveRuns {
  readonly #runs = new Map<string, HeldRun>()
  readonly #awaited = new Listeners()

  /** Begins to hold a run. An earlier hold of the same run, whose lease this process slept through, is given up. */
  open({ runId, chatId, attempt }: Pick<HeldRun, 'runId' | 'chatId' | 'attempt'>): HeldRun {
    const slept = this.#runs.get(runId)
    slept?.abort.abort()
    const run = new HeldRun(runId, chatId, attempt)
    this.#runs.set(runId, run)
    for (const wake of this.#awaited.of(runId)) wake()
    void run.ended.then(() => {
      if (this.#runs.get(runId) === run) this.#runs.delete(runId)
    })
    return run
  }

  /** Calls `wake` whenever this process begins to hold a run, until the returned function is called. */
  subscribe(runId: string, wake: () => void): () => void {
    return this.#awaited.add(runId, wake)
  }

  ids(): string[] {
    return [...this.#runs.keys()]
  }

  get(runId: string): HeldRun | undefined {
    return this.#runs.get(runId)
  }

  /** Stops every reply of a chat. */
  abortChat(chatId: string): void {
    for (const run of this.#runs.values()) if (run.chatId === chatId) run.abort.abort()
  }
}

/** Position of a reader: after this many parts, and this many characters of the next one. */
interface Place {
  parts: number
  characters: number
}

/** Words are joined up to about this many characters: cutting the newest off a longer text copies too much. */
const LONGEST = 4096

/** The parts of a reply so far. They take the memory of its text, however many parts it came in. */
class ReplyParts {
  readonly #parts: UIMessageChunk[] = []

  get first(): UIMessageChunk | undefined {
    return this.#parts[0]
  }

  /** The place of a reader with all parts. */
  get end(): Place {
    const last = this.#parts.at(-1)
    return last && isWords(last)
      ? { parts: this.#parts.length - 1, characters: textOf(last).length }
      : { parts: this.#parts.length, characters: 0 }
  }

  /** True when there is more to read after a place. */
  goOnAfter({ parts, characters }: Place): boolean {
    const { end } = this
    return end.parts > parts || end.characters > characters
  }

  push(part: UIMessageChunk): void {
    const last = this.#parts.at(-1)
    const isFull = last && isWords(last) && textOf(last).length >= LONGEST
    const both = last && !isFull ? joinTwo(last, part) : undefined
    if (both) this.#parts[this.#parts.length - 1] = both
    else this.#parts.push(part)
  }

  /** The parts after a place, joined. */
  after({ parts, characters }: Place): UIMessageChunk[] {
    const unread = this.#parts.slice(parts)
    const [first] = unread
    if (!first || !isWords(first) || characters === 0) return unread
    const rest = textOf(first).slice(characters)
    return rest === '' ? unread.slice(1) : [saying(first, rest), ...unread.slice(1)]
  }
}

/** The same parts with neighbouring words of one text joined: fewer to store and to send, and the same to read. */
export function joinWords(chunks: readonly UIMessageChunk[]): UIMessageChunk[] {
  const joined: UIMessageChunk[] = []
  for (const chunk of chunks) {
    const last = joined.at(-1)
    const both = last && joinTwo(last, chunk)
    if (both) joined[joined.length - 1] = both
    else joined.push(chunk)
  }
  return joined
}

/** Two parts as one, when both are words of one text, or of one tool's input; else undefined. */
function joinTwo(last: UIMessageChunk, next: UIMessageChunk): Words | undefined {
  if (!isWords(last) || !isWords(next) || last.type !== next.type || nameOf(last) !== nameOf(next))
    return undefined
  // metadata of a later word replaces the earlier one's, so it stays where it is
  if (next.type !== 'tool-input-delta' && next.providerMetadata !== undefined) return undefined
  return { ...last, ...saying(last, textOf(last) + textOf(next)) }
}

type Words = Extract<UIMessageChunk, { type: 'text-delta' | 'reasoning-delta' | 'tool-input-delta' }>

const isWords = (chunk: UIMessageChunk): chunk is Words =>
  chunk.type === 'text-delta' || chunk.type === 'reasoning-delta' || chunk.type === 'tool-input-delta'

const nameOf = (words: Words): string => (words.type === 'tool-input-delta' ? words.toolCallId : words.id)

const textOf = (words: Words): string =>
  words.type === 'tool-input-delta' ? words.inputTextDelta : words.delta

const saying = (words: Words, text: string): Words =>
  words.type === 'tool-input-delta'
    ? { type: words.type, toolCallId: words.toolCallId, inputTextDelta: text }
    : { type: words.type, id: words.id, delta: text }
