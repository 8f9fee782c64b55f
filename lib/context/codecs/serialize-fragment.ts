import { isExactFragment, isPlainObject } from '../fragments/guards'
import { type ContextFragment, LAZY_ID, type LazyFragment } from '../fragments/types'

/** What JSON can hold. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }

/** A fragment as JSON. `$` keys are ours: see `serializeFragment`. */
export interface SerializedFragment {
  [key: string]: JsonValue
  $fragment: { [key: string]: JsonValue }
}

/** Deeper than any real context; a cycle ends here with a message instead of a stack overflow. */
const MAX_DEPTH = 256

/**
 * A fragment, with everything nested in it, as plain JSON that `deserializeFragment` turns back into fragments.
 *
 * | value | JSON |
 * |---|---|
 * | fragment | `{"$fragment": {name, data, …}}`, a message's body in `$message`, a lazy one's configuration in `$lazy` |
 * | undefined (kept, it is not null) | `{"$undefined": true}` |
 * | NaN, ±Infinity, -0 | `{"$number": "NaN"}` … |
 * | object with a key that begins with `$` | `{"$object": {…}}` |
 * | anything else | itself |
 *
 * So a plain object that merely has the keys `name` and `data` can never be taken for a fragment when read, and data
 * can imitate none of our keys. What has `toJSON` (a Date) is stored as that says, as JSON always does. Keys
 * stay in their order.
 *
 * @throws UnserializableFragmentError naming the path of a function or promise (`resolveValues` first), symbol, bigint, class instance, or of nesting
 * deeper than 256 levels
 *
 * @example serializeFragment(hint('Be brief')) // { $fragment: { name: 'hint', data: 'Be brief' } }
 */
export function serializeFragment(fragment: ContextFragment): SerializedFragment {
  return fragmentToJson(fragment, '$', 0)
}

function fragmentToJson(fragment: LazyFragment, path: string, depth: number): SerializedFragment {
  const { codec, ...fields } = fragment
  const lazy = fragment[LAZY_ID]
  return {
    $fragment: entriesToJson(fields, path, depth),
    ...(codec === undefined ? {} : { $message: toJson(codec.encode(), `${path}.codec`, depth + 1) }),
    ...(lazy === undefined ? {} : { $lazy: { type: lazy.type, content: lazy.content } }),
  }
}

function toJson(value: unknown, path: string, depth: number): JsonValue {
  if (depth > MAX_DEPTH)
    throw new UnserializableFragmentError(path, `more than ${MAX_DEPTH} levels (a cycle?)`)
  if (value === undefined) return { $undefined: true }
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return numberToJson(value)
  if (Array.isArray(value)) {
    return Array.from(value, (item: unknown, index) => toJson(item, `${path}[${index}]`, depth + 1))
  }
  if (isExactFragment(value)) return fragmentToJson(value, path, depth + 1)
  if (hasToJson(value)) return toJson(value.toJSON(), path, depth + 1)
  if (isPlainObject(value)) {
    const json = entriesToJson(value, path, depth)
    return Object.keys(value).some((key) => key.startsWith('$')) ? { $object: json } : json
  }
  throw new UnserializableFragmentError(path, describe(value))
}

function entriesToJson(object: object, path: string, depth: number): { [key: string]: JsonValue } {
  // fromEntries defines own properties, so even a key named `__proto__` arrives as data.
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, toJson(value, `${path}.${key}`, depth + 1)]),
  )
}

function numberToJson(value: number): JsonValue {
  if (Object.is(value, -0)) return { $number: '-0' }
  return Number.isFinite(value) ? value : { $number: String(value) }
}

function hasToJson(value: unknown): value is { toJSON(): unknown } {
  return (
    typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function'
  )
}

function describe(value: unknown): string {
  if (typeof value !== 'object' || value === null) return `a ${typeof value}`
  if (value instanceof Promise) return 'a promise'
  return `an instance of ${value.constructor?.name ?? 'an unknown class'}`
}

/** A value inside a fragment that cannot be written as JSON and read back: a function, a Map, a cycle… */
export class UnserializableFragmentError extends Error {
  override readonly name = 'UnserializableFragmentError'

  constructor(
    /** Where the value stands, `$.data[0].size`. */
    readonly path: string,
    /** What it is, in words. */
    readonly reason: string,
  ) {
    super(`Cannot serialize the fragment: ${reason} at ${path}`)
  }
}
