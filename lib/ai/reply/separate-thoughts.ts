import type { TextStreamPart, ToolSet } from 'ai'
import { type Piece, ThoughtSplitter } from '@/lib/events/split-thoughts'

type Part = TextStreamPart<ToolSet>
type PartOf<TYPE extends Part['type']> = Extract<Part, { type: TYPE }>
type Metadata = PartOf<'text-end'>['providerMetadata']

/** Marks the end of a text that was thoughts, as came out only there. */
const THOUGHTS: Metadata = { ramify: { thoughts: true } }

/** Says whether a part of a stream or a message is text that was thoughts: their end stood in it, their beginning in the prompt. */
export const wasThoughts = (metadata: Metadata): boolean => metadata?.ramify?.thoughts === true

/**
 * Passes a model's stream on with the thoughts that stand in its text as reasoning parts. Text that turns out to be
 * thoughts when it has gone out already ends with a mark (`wasThoughts`).
 */
export async function* separateThoughts(source: AsyncIterable<Part>): AsyncGenerator<Part> {
  const open = new Map<string, SplitText>()
  let hasThoughts = false
  function* closeAll(): Generator<Part> {
    for (const text of open.values()) yield* text.end(undefined)
    open.clear()
  }
  const begin = (start: PartOf<'text-start'>): SplitText => {
    const text = new SplitText(start, hasThoughts)
    open.set(start.id, text)
    return text
  }
  try {
    for await (const part of source) {
      switch (part.type) {
        case 'text-start':
          begin(part)
          break
        case 'text-delta':
          // the start may be missing
          yield* (open.get(part.id) ?? begin({ type: 'text-start', id: part.id })).delta(part)
          break
        case 'text-end':
          yield* open.get(part.id)?.end(part) ?? []
          open.delete(part.id)
          break
        case 'reasoning-start':
          hasThoughts = true
          yield part
          break
        case 'start-step':
          hasThoughts = false
          yield part
          break
        case 'finish-step':
        case 'finish':
        case 'abort':
        case 'error':
          yield* closeAll()
          yield part
          break
        default:
          yield part
      }
    }
  } catch (error) {
    yield* closeAll()
    throw error
  }
  yield* closeAll()
}

/** A text of a stream, as parts of words and of thoughts. The first part of words keeps its id and its metadata. */
class SplitText {
  readonly #splitter: ThoughtSplitter
  #parts = 0
  #open: { kind: 'text' | 'reasoning'; id: string } | undefined

  constructor(
    private readonly start: PartOf<'text-start'>,
    hasThoughts: boolean,
  ) {
    this.#splitter = new ThoughtSplitter(hasThoughts)
  }

  *delta({ text, providerMetadata }: PartOf<'text-delta'>): Generator<Part> {
    yield* this.#say(this.#splitter.push(text))
    if (providerMetadata === undefined || this.#open?.kind === 'reasoning') return
    const { id } = this.#open ?? (yield* this.#begin('text'))
    yield { type: 'text-delta', id, text: '', providerMetadata }
  }

  *end(part: PartOf<'text-end'> | undefined): Generator<Part> {
    yield* this.#say(this.#splitter.end())
    const metadata = part?.providerMetadata
    // a part without words may carry a signature
    if (this.#parts === 0 && (metadata ?? this.start.providerMetadata) !== undefined)
      yield* this.#begin('text')
    yield* this.#close(metadata)
  }

  *#say(pieces: readonly Piece[]): Generator<Part> {
    for (const piece of pieces) {
      if (piece.kind === 'end-only') yield* this.#close(THOUGHTS)
      else {
        if (this.#open?.kind !== piece.kind) yield* this.#close(undefined)
        const { kind, id } = this.#open ?? (yield* this.#begin(piece.kind))
        yield { type: `${kind}-delta`, id, text: piece.text }
      }
    }
  }

  *#begin(kind: 'text' | 'reasoning'): Generator<Part, { kind: 'text' | 'reasoning'; id: string }> {
    const { id, providerMetadata } = this.start
    const opened = { kind, id: this.#parts === 0 ? id : `${id}-${this.#parts}` }
    this.#parts += 1
    this.#open = opened
    yield kind === 'text'
      ? { type: 'text-start', id: opened.id, providerMetadata }
      : { type: 'reasoning-start', id: opened.id }
    return opened
  }

  *#close(providerMetadata: Metadata): Generator<Part> {
    if (!this.#open) return
    const { kind, id } = this.#open
    this.#open = undefined
    yield kind === 'text' ? { type: 'text-end', id, providerMetadata } : { type: 'reasoning-end', id }
  }
}
