/** A run of letters and digits is compared by its beginning: bytes of a picture are one word. */
const MAX_WORD = 48
/** A text without blanks that is longer is bytes of a file: its beginning names it. */
const [MAX_BYTES_TEXT, BYTES_HEAD] = [1024, 256]
/** The share of its words in their order that a text has in common with where it is kept. */
const SHARE = 0.75

/**
 * Marks where a text may be cut when it is kept: entities of HTML, marks of sources, the cards of Grok, the frames that programs and
 * models put around thoughts, and fences of code.
 */
const marks =
  /&(?:[a-z]{2,8}|#x?[0-9a-f]{1,6});|\ue200[^\ue201]{0,200}\ue201|【[^】]{0,200}】|<grok:render\b[^>]{0,300}>[\s\S]{0,500}?<\/grok:render>|<\/?details[^>]*>|<summary>[^<]{0,200}<\/summary>|<\/?think(?:ing)?>|```\w*/gi

/**
 * Some texts by the runs of three words in them, in a few bytes for each word: a text of millions of words is looked
 * for in others without a copy of them. It may rarely answer that it holds a text which it does not, and never the
 * other way round.
 */
export class WordFilter {
  readonly #bits: Uint8Array
  readonly #mask: number

  constructor(texts: Iterable<string>) {
    const all = [...texts]
    const letters = all.reduce((sum, text) => sum + text.length, 0)
    let size = 1 << 16
    while (size < letters * 4 && size < 1 << 28) size *= 2
    this.#mask = size - 1
    this.#bits = new Uint8Array(size >> 3)
    for (const text of all) for (const hash of runsOf(text, 'all')) this.#set(hash)
  }

  /** True: most of a text stands in one of these. */
  holds(text: string): boolean {
    let [found, count] = [0, 0]
    for (const hash of runsOf(text, 'longest')) {
      count += 1
      found += this.#has(hash) ? 1 : 0
    }
    return count === 0 || found >= count * SHARE
  }

  #set(hash: number): void {
    const at = hash & this.#mask
    this.#bits[at >> 3] = (this.#bits[at >> 3] ?? 0) | (1 << (at & 7))
  }

  #has(hash: number): boolean {
    const at = hash & this.#mask
    return ((this.#bits[at >> 3] ?? 0) & (1 << (at & 7))) !== 0
  }
}

/** Hashes of runs of one, two and three words, or of the longest runs that each piece of a text has. */
function* runsOf(text: string, which: 'all' | 'longest'): Generator<number> {
  const isBytes = text.length > MAX_BYTES_TEXT && /^[\w+/=:;,.-]+$/.test(text.slice(0, MAX_BYTES_TEXT))
  // an address of data: its kind stands before the bytes
  const body = isBytes ? text.slice(text.indexOf(',') + 1).slice(0, BYTES_HEAD) : text
  for (const piece of /[&\ue200【<`]/.test(body) ? body.split(marks) : [body]) {
    let [one, two, count] = [0, 0, 0]
    for (const [word] of piece.matchAll(/[\p{L}\p{N}]+/gu)) {
      const hash = hashOf(word.slice(0, MAX_WORD))
      const pair = mixed(one, hash)
      const run = mixed(two, hash)
      count += 1
      if (which === 'all') {
        yield hash
        if (count > 1) yield pair
      }
      if (count > 2) yield run
      two = pair
      one = hash
    }
    if (which === 'longest' && (count === 1 || count === 2)) yield count === 1 ? one : two
  }
}

function hashOf(word: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

const mixed = (before: number, hash: number): number =>
  Math.imul((before ^ (before >>> 15)) + 0x9e3779b9, 0x85ebca6b) ^ hash
