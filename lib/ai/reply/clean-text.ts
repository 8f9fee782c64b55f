/** Postgres refuses both, so neither may ever reach a stored reply. */
const cleanText = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD')

/**
 * Cleans text that arrives in pieces. A surrogate pair may be cut between two pieces, so a high half at
 * the end of one waits for the next.
 */
export class TextCleaner {
  #held = ''

  push(piece: string): string {
    const text = this.#held + piece
    const last = text.charCodeAt(text.length - 1)
    const split = last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length
    this.#held = text.slice(split)
    return cleanText(text.slice(0, split))
  }

  /** The rest of the text, after the last piece. */
  end(): string {
    const rest = cleanText(this.#held)
    this.#held = ''
    return rest
  }
}

/** Stays below the 64 levels the store accepts, with room for the message around it. */
const MAX_DEPTH = 56

/**
 * Copies plain JSON with every string and key cleaned. Anything nested deeper than the store accepts is
 * replaced by a short note; class instances pass through untouched.
 */
export const cleanDeep = <T>(value: T): T => clean(value, 0) as T

function clean(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (typeof value !== 'object' || value === null) return value
  if (!Array.isArray(value) && !isPlain(value)) return value
  if (depth >= MAX_DEPTH) return '[nested too deeply]'
  if (Array.isArray(value)) return value.map((item) => clean(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [cleanText(key), clean(item, depth + 1)]),
  )
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
