import type { ModelMessage } from 'ai'
import { jsonText } from '@/lib/transfer/json/values'

/** Letters of messages that are remembered at most, in all. */
const MOST = 16_000_000
/** A longer message is hashed every time. */
const LONGEST = 100_000

/**
 * Hashes of messages by what stands above them: clients send a whole conversation with every call, and comparing a
 * message with the last one in its place costs less than hashing it. The oldest are forgotten first.
 */
export class HashMemo {
  readonly #known = new Map<string, { text: string; hash: string }>()
  #letters = 0

  constructor(
    private readonly hash: (above: string, message: ModelMessage) => string,
    private readonly most = MOST,
  ) {}

  /** Letters that are remembered. */
  get letters(): number {
    return this.#letters
  }

  hashOf(above: string, message: ModelMessage): string {
    const text = jsonText(message)
    const known = this.#known.get(above)
    if (known?.text === text) return known.hash
    const hash = this.hash(above, message)
    if (text.length > LONGEST) return hash
    this.#forget(above)
    this.#known.set(above, { text, hash })
    this.#letters += text.length
    for (const oldest of this.#known.keys()) {
      if (this.#letters <= this.most) break
      this.#forget(oldest)
    }
    return hash
  }

  #forget(above: string): void {
    this.#letters -= this.#known.get(above)?.text.length ?? 0
    this.#known.delete(above)
  }
}
