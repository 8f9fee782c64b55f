/** A value of a JSON file, still as bytes. */
export type JsonSlice =
  /**
   * The bytes are there until the next slice is asked for, or they are taken: see {@link takenBytes}. `count` of values are
   * in it, itself too.
   */
  | { kind: 'value'; index: number; bytes: Buffer; count: number; member?: Member }
  /** Longer, deeper or of more values than is read. `head` is its beginning, for its name. */
  | { kind: 'refused'; index: number; why: Refusal; head: Buffer; member?: Member }
  /** The file ends in the middle of a value, or before its array is closed. */
  | { kind: 'cut'; index: number; head: Buffer }

export type Refusal = 'size' | 'depth' | 'count'

/** The place of a value in the object at the top. */
interface Member {
  key: string
  /** The member is a list, and the value one of its elements. */
  isElement: boolean
}

export interface SplitOptions {
  /** Values before this one are passed over without being kept. */
  from?: number
  maxBytes: number
  maxDepth: number
  /** Values in a value: each takes more memory than it has bytes. An empty list counts as two. */
  maxCount: number
  /** The values are the members of the object at the top, and of a member that is a list its elements. */
  ofMembers?: boolean
  /**
   * Takes, piece by piece and as they stand in the file, the texts in elements of the member `of` that are longer than `from`
   * bytes; the value is refused where one is longer than `most`. The value has an empty text in the place of each.
   */
  longTexts?: { of: string; from: number; most: number; take(piece: Buffer, isLast: boolean): Promise<void> }
  /** Text after the array belongs to the object around it. */
  endsWithList?: boolean
  /** Counts the values, also those that are passed over. */
  tally?: { count: number }
}

const HEAD_BYTES = 4096
/** A buffer that is longer is not kept for the next value. */
const KEPT_BYTES = 1024 * 1024
const nothing = Buffer.alloc(0)

/**
 * The bytes of a value, which are the caller's alone from now on: everyone who has handed the slice on still holds the
 * slice, and would hold the bytes of a long chat as long as it is worked on.
 */
export function takenBytes(slice: Extract<JsonSlice, { kind: 'value' }>): Buffer {
  const { bytes } = slice
  slice.bytes = nothing
  return bytes
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

const isBlank = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

interface OpenValue {
  /** A number or a word, which no bracket ends. */
  isBare: boolean
  /** The key of a member, whose value follows. */
  isKey: boolean
  refused: Refusal | null
  /** Values in it so far. */
  count: number
  /** The text that is read: the length of the value kept before it, and its bytes that are not kept with it. */
  text?: { begin: number; taken: number }
}

/** The bytes of a value while it is read, in one buffer for all values: a new one for each would be a heap of garbage. */
class Held {
  #buffer = Buffer.allocUnsafe(64 * 1024)
  #kept = 0
  /** Bytes of the value, also those that are not kept. */
  size = 0

  /** Takes the next bytes, and keeps the part of the value below `limit`. */
  add(piece: Buffer, limit: number): void {
    this.size += piece.length
    const part = piece.subarray(0, Math.max(0, limit - this.#kept))
    if (this.#kept + part.length > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#kept + part.length, this.#buffer.length * 2))
      this.#buffer.copy(larger, 0, 0, this.#kept)
      this.#buffer = larger
    }
    part.copy(this.#buffer, this.#kept)
    this.#kept += part.length
  }

  get kept(): number {
    return this.#kept
  }

  /** A copy of the kept bytes behind a place, which are kept no longer. */
  cutFrom(place: number): Buffer {
    const cut = Buffer.from(this.#buffer.subarray(place, this.#kept))
    this.#kept = place
    this.size -= cut.length
    return cut
  }

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#kept)
  }

  /** The bytes; when they are many, this slice alone has them. */
  give(): Buffer {
    const { bytes } = this
    if (this.#buffer.length > KEPT_BYTES) {
      this.#buffer = Buffer.allocUnsafe(64 * 1024)
      this.#kept = 0
    }
    return bytes
  }

  get head(): Buffer {
    return Buffer.from(this.bytes.subarray(0, HEAD_BYTES))
  }

  clear(): void {
    this.#kept = 0
    this.size = 0
  }
}

/**
 * The values of a JSON file as slices of its bytes: the elements of its array, or of several, the values that stand one after
 * another, or the members of its object.
 *
 * A parser builds a value before its size or depth is known. This looks at brackets, commas and quotes only: a value of any
 * length passes in the memory of one chunk, and `JSON.parse` reads one chat at a time at its full speed.
 */
export async function* splitJson(
  chunks: AsyncIterable<Buffer>,
  {
    from = 0,
    maxBytes,
    maxDepth,
    maxCount,
    ofMembers = false,
    longTexts,
    endsWithList = false,
    tally = { count: 0 },
  }: SplitOptions,
): AsyncGenerator<JsonSlice> {
  /** Brackets that are open. */
  let depth = 0
  /** Depth at which the values stand: 1 in an array or an object of members, 2 in the list of a member, else 0. */
  let base: 0 | 1 | 2 | null = null
  /** The member whose value is read, or follows. */
  let key: string | null = null
  let index = 0
  let inString = false
  /** Backslashes at the end of the last chunk, inside of a string. */
  let backslashes = 0
  let open: OpenValue | null = null

  const held = new Held()

  const keep = (value: OpenValue, piece: Buffer) => {
    // the beginning of a value that is not wanted is enough to name it
    held.add(piece, index >= from && value.refused === null ? maxBytes : HEAD_BYTES)
    if (held.size > maxBytes) value.refused ??= 'size'
  }

  const close = ({ isKey, refused, count }: OpenValue): JsonSlice | null => {
    if (isKey) {
      key = held.head.toString('utf8').replace(/^"|"$/g, '')
      return null
    }
    const here = index
    index += 1
    tally.count = index
    if (here < from) return null
    const member = key === null ? undefined : { key, isElement: base === 2 }
    if (refused) return { kind: 'refused', index: here, why: refused, head: held.head, member }
    return { kind: 'value', index: here, bytes: held.give(), count, member }
  }

  /** Keeps some bytes of a text with its value, or has them taken where the text is long. */
  const takeText = async (value: OpenValue, piece: Buffer, isLast: boolean): Promise<void> => {
    const { text } = value
    const isLong = text !== undefined && text.taken > 0
    if (!isLong) keep(value, piece)
    if (!text || !longTexts || value.refused !== null) return
    if (!isLong && held.kept - text.begin <= longTexts.from) return
    const taken = isLong ? piece : held.cutFrom(text.begin)
    text.taken += taken.length
    if (text.taken > longTexts.most) value.refused = 'size'
    else await longTexts.take(taken, isLast)
  }

  /** The quote that ends the string, or -1. Counts the backslashes before a quote, over the border of chunks. */
  const endOfString = (chunk: Buffer, start: number): number => {
    for (let at = start; ; ) {
      const found = chunk.indexOf(quote, at)
      const stop = found === -1 ? chunk.length : found
      let run = stop
      while (run > at && chunk[run - 1] === backslash) run -= 1
      // a run that reaches back to the beginning of the look continues the count before
      const count = stop - run + (run === at ? backslashes : 0)
      backslashes = found === -1 ? count : 0
      if (found === -1 || count % 2 === 0) return found
      at = found + 1
    }
  }

  for await (const chunk of chunks) {
    /** Place in this chunk at which the piece of the open value begins. */
    let start = 0
    let at = 0
    while (at < chunk.length) {
      if (inString) {
        const end = endOfString(chunk, at)
        if (end === -1) break
        inString = false
        at = end + 1
        if (open?.text) {
          await takeText(open, chunk.subarray(start, end), true)
          open.text = undefined
          start = end
        }
        if (open && depth === base) {
          // a string that stands as a value
          keep(open, chunk.subarray(start, at))
          const slice = close(open)
          open = null
          if (slice) yield slice
        }
        continue
      }
      const byte = chunk[at] as number
      if (open === null) {
        const isSeparator = byte === comma || (ofMembers && byte === colon)
        if (isBlank(byte) || isSeparator) {
          if (byte === comma && base === 1) key = null
          at += 1
        } else if (base === null && byte === (ofMembers ? openBrace : openBracket)) {
          base = 1
          depth = 1
          at += 1
        } else if (base === 1 && key !== null && byte === openBracket) {
          base = 2
          depth = 2
          at += 1
        } else if (base === 2 && byte === closeBracket) {
          base = 1
          depth = 1
          at += 1
        } else if (byte === closeBracket || byte === closeBrace) {
          // another array may follow, in files that were put together
          if (base === 1 && endsWithList) return
          if (base === 1) [base, depth, key] = [ofMembers ? 0 : null, 0, null]
          at += 1
        } else {
          base ??= 0
          start = at
          held.clear()
          open = { isBare: true, isKey: ofMembers && base === 1 && key === null, refused: null, count: 1 }
        }
        continue
      }
      const opens = byte === openBrace || byte === openBracket
      const closes = byte === closeBrace || byte === closeBracket
      if (open.isBare && !opens && byte !== quote && (closes || byte === comma || isBlank(byte))) {
        keep(open, chunk.subarray(start, at))
        const slice = close(open)
        open = null
        if (slice) yield slice
        continue
      }
      at += 1
      if (byte === quote) {
        inString = true
        if (longTexts !== undefined && base === 2 && depth > base && key === longTexts.of) {
          keep(open, chunk.subarray(start, at))
          start = at
          open.text = { begin: held.kept, taken: 0 }
        }
      } else if (byte === comma) {
        open.count += 1
        if (open.count > maxCount) open.refused ??= 'count'
      } else if (opens) {
        open.isBare = false
        depth += 1
        open.count += 1
        if (depth - (base ?? 0) > maxDepth) open.refused ??= 'depth'
        if (open.count > maxCount) open.refused ??= 'count'
      } else if (closes) {
        depth -= 1
        if (depth === base) {
          keep(open, chunk.subarray(start, at))
          const slice = close(open)
          open = null
          if (slice) yield slice
        }
      }
    }
    if (open) await takeText(open, chunk.subarray(start), false)
  }
  if (open?.isBare && !inString && base === 0) {
    const slice = close(open)
    if (slice) yield slice
  } else if (open || base === 1 || base === 2) {
    tally.count = index + 1
    yield { kind: 'cut', index, head: open ? held.head : Buffer.alloc(0) }
  }
}

/**
 * The lines of a file of JSON lines as slices, blank ones left out. A line that is broken does not hide the next, as it would
 * if brackets were counted over the border of lines.
 */
export async function* splitLines(
  chunks: AsyncIterable<Buffer>,
  { from = 0, maxBytes, maxDepth, maxCount, tally = { count: 0 } }: SplitOptions,
): AsyncGenerator<JsonSlice> {
  let index = 0
  const held = new Held()
  const take = (): JsonSlice | null => {
    const { bytes: line, size } = held
    if (size <= maxBytes && line.every(isBlank)) return null
    const here = index
    index += 1
    tally.count = index
    if (here < from) return null
    if (size > maxBytes) return { kind: 'refused', index: here, why: 'size', head: held.head }
    const { deepest, count } = extentOf(line)
    if (deepest > maxDepth) return { kind: 'refused', index: here, why: 'depth', head: held.head }
    if (count > maxCount) return { kind: 'refused', index: here, why: 'count', head: held.head }
    return { kind: 'value', index: here, bytes: held.give(), count }
  }
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
      held.add(chunk.subarray(start, end), maxBytes)
      start = end + 1
      const slice = take()
      if (slice) yield slice
      held.clear()
    }
    held.add(chunk.subarray(start), maxBytes)
  }
  const last = take()
  if (last) yield last
}

/** The levels and values of a JSON text, which is not looked at otherwise. */
export function extentOf(line: Buffer): { deepest: number; count: number } {
  let [depth, deepest, count] = [0, 0, 1]
  for (let at = 0; at < line.length; at += 1) {
    const byte = line[at]
    if (byte === quote) {
      do {
        at = line.indexOf(quote, at + 1)
        if (at === -1) return { deepest, count }
      } while (isEscaped(line, at))
    } else if (byte === openBrace || byte === openBracket) {
      depth += 1
      count += 1
      deepest = Math.max(deepest, depth)
    } else if (byte === comma) count += 1
    else if (byte === closeBrace || byte === closeBracket) depth -= 1
  }
  return { deepest, count }
}

function isEscaped(line: Buffer, at: number): boolean {
  let run = at
  while (line[run - 1] === backslash) run -= 1
  return (at - run) % 2 === 1
}
