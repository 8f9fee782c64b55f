import { isDeepStrictEqual } from 'node:util'
import { wholeNumber } from '../shared/reasons'
import { type Fields, fieldsOf, parsed, textOf } from '../shared/values'

/** A piece of a call, in the form that OpenAI gave it. */
interface CallPiece {
  readonly index: number
  readonly id?: string | undefined
  readonly type: 'function'
  readonly function: { readonly name?: string; readonly arguments: string }
  readonly extra_content?: unknown
}

/** A piece of a call, as a provider sent it. */
interface Said {
  readonly index: number | undefined
  readonly id: string | undefined
  readonly name: string | undefined
  readonly input: string
  readonly extra: unknown
}

/**
 * Reads calls of tools from their pieces, in any shape with a clear meaning, once each: numbers that are texts,
 * missing or the same for all calls, ids that are missing or change, inputs that are objects or written twice over,
 * calls that are sent again.
 */
export class CallReader {
  readonly #calls: Call[] = []

  get isEmpty(): boolean {
    return this.#calls.length === 0
  }

  /** Takes a piece; answers its additions, in OpenAI's form. */
  take(piece: unknown): CallPiece[] {
    const said = saidIn(fieldsOf(piece))
    let call = this.#callOf(said)
    if (call === undefined) {
      if (said.name === undefined) return []
      const isClash = said.id !== undefined && this.#calls.some(({ id }) => id === said.id)
      call = new Call(this.#calls.length, said, isClash)
      this.#calls.push(call)
    }
    call.index = said.index ?? call.index
    return call.add(said.input)
  }

  /** The rest, when no more pieces come. */
  end(): CallPiece[] {
    return this.#calls.flatMap((call) => {
      const earlier = this.#calls.slice(0, call.at)
      return call.isClash && earlier.some((other) => other.isSame(call)) ? [] : call.end()
    })
  }

  /** The call that a piece goes on with; undefined for a piece that begins one. */
  #callOf({ index, id, name, input }: Said): Call | undefined {
    const last = this.#calls.at(-1)
    const known = id === undefined ? undefined : this.#calls.findLast((call) => call.id === id)
    if (known) {
      const isOther =
        name !== undefined && (known.name !== name || (index !== undefined && known.index !== index))
      return isOther ? undefined : known
    }
    const indexed = index === undefined ? last : this.#calls.findLast((call) => call.index === index)
    if (name === undefined) return indexed ?? last
    if (indexed?.name !== name) return undefined
    // a server may name the tool, and give a new id, with every piece
    if (indexed.isPartial) return indexed
    const isBlank = indexed.input.trim() === ''
    if (id !== undefined && indexed.id !== undefined) return undefined
    if (isBlank) return input === '' && index === undefined ? undefined : indexed
    return indexed.hasInput(input) ? indexed : undefined
  }
}

/** One call, and the part of it that has been passed on. */
class Call {
  readonly id: string | undefined
  readonly name: string
  readonly #extra: unknown
  index: number | undefined
  input = ''
  #told: number | undefined
  #depth = 0
  #inText = false
  #isEscaped = false
  #isWhole = false

  constructor(
    readonly at: number,
    { id, name = '', index, extra }: Said,
    /** another call has the same id: it may be that call, sent again */
    readonly isClash: boolean,
  ) {
    this.id = id
    this.name = name
    this.index = index
    this.#extra = extra
  }

  /** Tells whether its input has begun and is not whole. */
  get isPartial(): boolean {
    return this.input.trim() !== '' && !this.#isWhole
  }

  hasInput(input: string): boolean {
    if (input.trim() === '') return true
    return input === this.input || isDeepStrictEqual(parsed(input), parsed(this.input) ?? NaN)
  }

  isSame(other: Call): boolean {
    return other.id === this.id && other.name === this.name && this.hasInput(other.input)
  }

  add(input: string): CallPiece[] {
    // an object that is whole cannot go on: it is sent again
    if (this.#isWhole) return []
    this.input += input
    this.#follow(input)
    // a text that is no object may be an object written as a text: the end tells
    if (this.isClash || (this.input !== '' && !this.input.trimStart().startsWith('{'))) return []
    return this.#tell(this.input)
  }

  end(): CallPiece[] {
    if ((this.#told ?? 0) > 0) return []
    return this.#tell(objectIn(this.input))
  }

  #tell(input: string): CallPiece[] {
    const isFirst = this.#told === undefined
    const rest = input.slice(this.#told ?? 0)
    if (!isFirst && rest === '') return []
    this.#told = input.length
    if (!isFirst) return [{ index: this.at, type: 'function', function: { arguments: rest } }]
    const id = this.isClash ? undefined : this.id
    const called = { name: this.name, arguments: rest }
    return [{ index: this.at, id, type: 'function', function: called, extra_content: this.#extra }]
  }

  /** Follows the braces, to see where the object ends. */
  #follow(text: string): void {
    for (const char of text) {
      if (this.#inText) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (char === '\\') this.#isEscaped = true
        else if (char === '"') this.#inText = false
      } else if (char === '"') this.#inText = true
      else if (char === '{' || char === '[') this.#depth += 1
      else if (char === '}' || char === ']') {
        this.#depth -= 1
        if (this.#depth === 0) this.#isWhole = true
      }
    }
  }
}

/** The text of an input: an object, also where it is written as a text, and `{}` for none. */
function objectIn(input: string, depth = 0): string {
  if (input.trim() === '') return '{}'
  const value = parsed(input)
  if (value === null) return '{}'
  if (typeof value === 'string' && depth < 3) return objectIn(value, depth + 1)
  return input
}

function saidIn(piece: Fields): Said {
  const called =
    typeof piece.function === 'object' && piece.function !== null ? fieldsOf(piece.function) : piece
  const input = called.arguments ?? called.input ?? called.parameters ?? called.args
  const google = fieldsOf(fieldsOf(piece.extra_content).google)
  return {
    index: wholeNumber(piece.index),
    id: wordOf(piece.id) ?? wordOf(piece.call_id),
    name: wordOf(called.name),
    input: input === undefined || input === null ? '' : (textOf(input) ?? JSON.stringify(input)),
    extra: textOf(google.thought_signature)
      ? { google: { thought_signature: google.thought_signature } }
      : undefined,
  }
}

/** A text or a number, as a text that says something. */
const wordOf = (value: unknown): string | undefined => {
  if (typeof value === 'number') return String(value)
  return textOf(value)?.trim() || undefined
}

/** The calls in a message, or in a piece of one. */
export function callsIn({ tool_calls, function_call }: Fields): unknown[] {
  const calls = Array.isArray(tool_calls) ? tool_calls : [tool_calls]
  return [...calls, function_call].filter((call) => fieldsOf(call) === call)
}
