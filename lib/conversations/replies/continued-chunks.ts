import type { UIMessageChunk } from 'ai'
import { type CutReply, goingOn, mayStandBetween } from '@/lib/context'
import { storedReply } from '../chats/to-chat-message'

/** The id of the continued text, which no provider gives. */
const id = 'cut'

/**
 * The chunks of a reply that continues a cut one: first the cut reply, then the model's addition. A reader
 * gets the message that `continuedMessage` stores, without marks of steps in the cut reply: a reply that
 * begins anew takes back a whole step, and then the cut reply comes again.
 */
export class ContinuedChunks {
  /** the last text of the cut reply waits for its next words, gets them, or is over */
  #text: 'waits' | 'grows' | 'over' = 'over'
  /** the id that the model's text has */
  #from: string | undefined
  #isFirst = true
  #isFirstStep = true
  #isBegun = false

  /** @param start the first chunk of a reply that ends before it begins */
  constructor(
    private readonly cut: CutReply,
    private readonly start: UIMessageChunk & { type: 'start' },
  ) {}

  /** Turns a chunk of the model into chunks for readers. */
  *next(chunk: UIMessageChunk): Generator<UIMessageChunk> {
    if (!this.#isBegun) {
      this.#isBegun = true
      yield chunk.type === 'start' ? chunk : this.start
      yield* this.#begin()
    }
    switch (chunk.type) {
      case 'start':
        return
      case 'reset-step':
        // its first words were thoughts
        yield chunk
        yield* this.#begin()
        return
      case 'start-step':
        if (!this.#isFirstStep) yield chunk
        this.#isFirstStep = false
        return
      case 'text-start':
        if (this.#text !== 'waits') break
        this.#text = 'grows'
        this.#from = chunk.id
        return
      case 'text-delta':
        if (chunk.id !== this.#from || this.#text === 'over') break
        if (chunk.delta === '') return
        yield { ...chunk, id, delta: this.#isFirst ? goingOn(this.cut, chunk.delta) : chunk.delta }
        this.#isFirst = false
        return
      case 'text-end':
        if (chunk.id !== this.#from || this.#text === 'over') break
        this.#text = 'over'
        yield { ...chunk, id }
        return
      case 'message-metadata':
        yield chunk
        return
    }
    if (this.#text === 'waits' && !mayStandBetween(chunk.type)) {
      this.#text = 'over'
      yield { type: 'text-end', id }
    }
    yield chunk
  }

  /** The cut reply. Its last text stays open. */
  #begin(): UIMessageChunk[] {
    const { message, open } = this.cut
    const { parts } = message
    const chunksOf = (some: typeof parts) =>
      storedReply({ ...message, parts: some.filter(({ type }) => type !== 'step-start') }).slice(1)
    const text = open === undefined ? undefined : parts[open]
    if (open === undefined || text?.type !== 'text') return chunksOf(parts)
    this.#text = 'waits'
    this.#isFirst = true
    return [
      ...chunksOf(parts.slice(0, open)),
      { type: 'text-start', id },
      { type: 'text-delta', id, delta: text.text },
      ...chunksOf(parts.slice(open + 1)),
    ]
  }
}
