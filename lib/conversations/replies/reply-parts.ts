import type { UIMessageChunk } from 'ai'

/** Where a reader is: after so many parts, and after so many characters of the one that follows. */
export interface Place {
  parts: number
  characters: number
}

/** Words are kept joined up to about this many characters: of more, cutting off the newest would copy too much. */
const LONGEST = 4096

/** The parts of a reply so far. They take the memory of its text, in however many words that came. */
export class ReplyParts {
  readonly #parts: UIMessageChunk[] = []

  get first(): UIMessageChunk | undefined {
    return this.#parts[0]
  }

  /** The place of a reader who has them all. */
  get end(): Place {
    const last = this.#parts.at(-1)
    return last && isWords(last)
      ? { parts: this.#parts.length - 1, characters: last.delta.length }
      : { parts: this.#parts.length, characters: 0 }
  }

  /** Whether there is more than a reader at a place has read. */
  goOnAfter({ parts, characters }: Place): boolean {
    const { end } = this
    return end.parts > parts || end.characters > characters
  }

  push(part: UIMessageChunk): void {
    const last = this.#parts.at(-1)
    const isFull = last && isWords(last) && last.delta.length >= LONGEST
    const both = last && !isFull ? joinTwo(last, part) : undefined
    if (both) this.#parts[this.#parts.length - 1] = both
    else this.#parts.push(part)
  }

  /** What a reader at a place has not read, joined. */
  after({ parts, characters }: Place): UIMessageChunk[] {
    const unread = this.#parts.slice(parts)
    const [first] = unread
    if (!first || !isWords(first) || characters === 0) return unread
    const delta = first.delta.slice(characters)
    return [...(delta === '' ? [] : [{ type: first.type, id: first.id, delta }]), ...unread.slice(1)]
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

/** Two parts as one, when both are words of one text; else undefined. */
function joinTwo(last: UIMessageChunk, next: UIMessageChunk): Words | undefined {
  const goesOn =
    isWords(next) && last.type === next.type && last.id === next.id && next.providerMetadata === undefined
  return goesOn ? { ...last, delta: last.delta + next.delta } : undefined
}

type Words = Extract<UIMessageChunk, { type: 'text-delta' | 'reasoning-delta' }>

const isWords = (chunk: UIMessageChunk): chunk is Words =>
  chunk.type === 'text-delta' || chunk.type === 'reasoning-delta'
