/** Limits of the JSON of a body. */
export interface JsonLimits {
  /** levels of objects and arrays within each other */
  depth: number
  /** values of any kind: objects, arrays, their elements, texts, numbers */
  values: number
  /** the name of a list at the top; only its last element is kept */
  lastOf?: string
}

/** A body that is refused while it is read. */
export class JsonRefusedError extends Error {
  override readonly name = 'JsonRefusedError'

  constructor(readonly reason: 'invalid' | 'depth' | 'values') {
    super(`JSON refused: ${reason}`)
  }
}

// Tokens that may come next.
const VALUE = 0
const VALUE_OR_END = 1
const KEY_OR_END = 2
const KEY = 3
const COLON = 4
const COMMA_OR_END = 5
const NOTHING = 6
// Within a token.
const STRING = 7
const ESCAPE = 8
const HEX = 9
const LITERAL = 10
const MINUS = 11
const ZERO = 12
const INTEGER = 13
const POINT = 14
const FRACTION = 15
const EXPONENT = 16
const EXPONENT_SIGN = 17
const EXPONENT_DIGITS = 18

const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [
  0x22, 0x5c, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d,
]
const literals: Readonly<Record<number, string>> = { 116: 'true', 102: 'false', 110: 'null' }

/** A number may end after these, and nowhere else. */
const isWholeNumber = (state: number) =>
  state === ZERO || state === INTEGER || state === FRACTION || state === EXPONENT_DIGITS

/**
 * Reads JSON (RFC 8259) as its bytes arrive and builds no values: it refuses a body at the first byte that is not JSON,
 * too deep or too much, and keeps the bytes to parse. It keeps only the last element of the list `lastOf`, so a client
 * that sends its whole history costs its bytes and its last message. No parser on the registry has such limits: they all
 * build values or tokens first. Dropped elements must be JSON too, with any number of values.
 *
 * The top must be an object. The caller checks that the bytes are UTF-8.
 */
export class JsonGate {
  #state = VALUE
  /** the objects (true) and lists around the current place, outermost first */
  readonly #within: boolean[] = []
  #values = 0
  /** values outside the list, while within it */
  #valuesBefore = 0
  /** the last element so far holds too many values; that counts only if no other follows */
  #tooMany = false
  #isKey = false
  /** number of characters of `lastOf` that the key at the top has matched; -1 for another key */
  #matched = -1
  #literal = ''
  #read = 0
  /** the next or current value is the list */
  #isList = false
  #inList = false
  readonly #kept: Uint8Array[] = []
  #element: Uint8Array[] = []

  constructor(private readonly limits: JsonLimits) {}

  /** Takes the next bytes. Throws `JsonRefusedError`. The bytes are kept, not copied. */
  push(bytes: Uint8Array): void {
    let from = 0
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i] as number
      switch (this.#state) {
        case STRING:
          // most bytes of a body: a text is passed over in one go
          if (!this.#isKey && isPlain(byte)) {
            while (i + 1 < bytes.length && isPlain(bytes[i + 1] as number)) i++
            continue
          }
          if (byte === QUOTE) this.#endString()
          else if (byte === BACKSLASH) this.#state = ESCAPE
          else if (byte < 0x20) throw new JsonRefusedError('invalid')
          if (this.#isKey) this.#match(byte)
          continue
        case ESCAPE:
          this.#escape(byte)
          continue
        case HEX:
          if (!isHex(byte)) throw new JsonRefusedError('invalid')
          if (++this.#read === 4) this.#state = STRING
          continue
        case LITERAL:
          if (byte !== this.#literal.charCodeAt(this.#read++)) throw new JsonRefusedError('invalid')
          if (this.#read === this.#literal.length) this.#endValue()
          continue
      }
      if (this.#state >= MINUS) {
        const next = afterDigit(this.#state, byte)
        if (next !== undefined) {
          this.#state = next
          continue
        }
        if (!isWholeNumber(this.#state)) throw new JsonRefusedError('invalid')
        this.#endValue()
        // the byte that ended the number is handled below
      }
      if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) continue
      from = this.#structure(byte, bytes, from, i)
    }
    this.#keep(bytes, from, bytes.length)
  }

  /** The bytes to parse, in the parts that they came in, once all have been read. Throws `JsonRefusedError`. */
  end(): readonly Uint8Array[] {
    if (this.#state !== NOTHING) throw new JsonRefusedError('invalid')
    return this.#kept
  }

  /** Handles a byte between tokens. Returns the start of the bytes that are neither kept nor dropped yet. */
  #structure(byte: number, bytes: Uint8Array, from: number, at: number): number {
    const state = this.#state
    if (byte === COMMA && state === COMMA_OR_END) {
      this.#state = this.#within.at(-1) ? KEY : VALUE
      if (!this.#inList || this.#within.length !== 2) return from
      this.#element = []
      this.#values = 0
      this.#tooMany = false
      return at + 1
    }
    if (byte === 0x3a && state === COLON) {
      this.#state = VALUE
      return from
    }
    if (byte === QUOTE && (state === KEY || state === KEY_OR_END)) {
      this.#state = STRING
      this.#isKey = true
      this.#matched = this.#within.length === 1 && this.limits.lastOf !== undefined ? 0 : -1
      return from
    }
    const ends = state === COMMA_OR_END || state === (byte === CLOSE_LIST ? VALUE_OR_END : KEY_OR_END)
    if (ends && byte === (this.#within.at(-1) ? CLOSE_OBJECT : CLOSE_LIST))
      return this.#close(bytes, from, at)
    if (state === VALUE || state === VALUE_OR_END) return this.#open(byte, bytes, from, at)
    throw new JsonRefusedError('invalid')
  }

  #open(byte: number, bytes: Uint8Array, from: number, at: number): number {
    const isList = this.#isList && this.#within.length === 1
    this.#isList = false
    if (this.#within.length === 0 && byte !== OPEN_OBJECT) throw new JsonRefusedError('invalid')
    this.#count()
    if (byte === QUOTE) {
      this.#state = STRING
      this.#isKey = false
      return from
    }
    if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      if (this.#within.length >= this.limits.depth) throw new JsonRefusedError('depth')
      this.#within.push(byte === OPEN_OBJECT)
      this.#state = byte === OPEN_OBJECT ? KEY_OR_END : VALUE_OR_END
      if (!isList || byte !== OPEN_LIST) return from
      this.#keep(bytes, from, at + 1)
      this.#inList = true
      this.#valuesBefore = this.#values
      this.#values = 0
      this.#element = []
      return at + 1
    }
    const literal = literals[byte]
    if (literal !== undefined) {
      this.#literal = literal
      this.#read = 1
      this.#state = LITERAL
    } else if (byte === 0x2d) this.#state = MINUS
    else if (byte === 0x30) this.#state = ZERO
    else if (isDigit(byte)) this.#state = INTEGER
    else throw new JsonRefusedError('invalid')
    return from
  }

  #close(bytes: Uint8Array, from: number, at: number): number {
    const endsList = this.#inList && this.#within.length === 2
    if (endsList) {
      if (this.#tooMany) throw new JsonRefusedError('values')
      this.#keep(bytes, from, at)
      this.#inList = false
      // one by one: a hundred thousand chunks are too many arguments
      for (const part of this.#element) this.#kept.push(part)
      this.#element = []
      this.#values += this.#valuesBefore
      if (this.#values > this.limits.values) throw new JsonRefusedError('values')
    }
    this.#within.pop()
    this.#endValue()
    return endsList ? at : from
  }

  #endString(): void {
    if (this.#isKey) this.#state = COLON
    else this.#endValue()
  }

  #endValue(): void {
    this.#state = this.#within.length === 0 ? NOTHING : COMMA_OR_END
  }

  #escape(byte: number): void {
    this.#matched = -1
    if (byte === 0x75) {
      this.#read = 0
      this.#state = HEX
    } else if ('"\\/bfnrt'.includes(String.fromCharCode(byte))) this.#state = STRING
    else throw new JsonRefusedError('invalid')
  }

  /** Compares a byte of a key at the top with the name of the list; an escaped name does not match. */
  #match(byte: number): void {
    const { lastOf } = this.limits
    if (this.#state === COLON) {
      this.#isList = lastOf !== undefined && this.#matched === lastOf.length
      this.#isKey = false
    } else if (this.#matched >= 0) {
      this.#matched = byte === lastOf?.charCodeAt(this.#matched) ? this.#matched + 1 : -1
    }
  }

  #count(): void {
    this.#values += 1
    if (this.#values <= this.limits.values) return
    if (!this.#inList) throw new JsonRefusedError('values')
    this.#tooMany = true
  }

  #keep(bytes: Uint8Array, from: number, to: number): void {
    if (from >= to) return
    const part = bytes.subarray(from, to)
    if (!this.#inList) this.#kept.push(part)
    // an element with too many values is refused or dropped, so it is not kept
    else if (!this.#tooMany) this.#element.push(part)
  }
}

/** A byte within a text that neither ends it nor begins an escape, and that a text may hold. */
const isPlain = (byte: number): boolean => byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39

const isHex = (byte: number): boolean =>
  isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66)

/** The state of a number after one more byte; undefined when the byte is not part of it. */
function afterDigit(state: number, byte: number): number | undefined {
  const digit = isDigit(byte)
  switch (state) {
    case MINUS:
      return byte === 0x30 ? ZERO : digit ? INTEGER : undefined
    case POINT:
    case FRACTION:
      if (digit) return FRACTION
      break
    case EXPONENT:
      if (byte === 0x2b || byte === 0x2d) return EXPONENT_SIGN
      return digit ? EXPONENT_DIGITS : undefined
    case EXPONENT_SIGN:
    case EXPONENT_DIGITS:
      return digit ? EXPONENT_DIGITS : undefined
    case INTEGER:
      if (digit) return INTEGER
      break
  }
  if (byte === 0x2e && (state === ZERO || state === INTEGER)) return POINT
  const isExponent = byte === 0x65 || byte === 0x45
  return isExponent && state !== POINT ? EXPONENT : undefined
}
