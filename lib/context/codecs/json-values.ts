import { isExactFragment, isPlainObject } from '../fragments/guards'
import type { ContextFragment } from '../fragments/types'

/** Any value that JSON can hold. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject
export type JsonObject = { [key: string]: JsonValue }

/** Deeper than any real context; a cycle ends here with a message instead of a stack overflow. */
const MAX_DEPTH = 256
/** As deep as `valueToJson` goes, with its own wrappers counted. */
const MAX_JSON_DEPTH = 1024

type FragmentToJson = (fragment: ContextFragment, path: string, depth: number) => JsonValue

/**
 * A value as JSON that `valueFromJson` turns back; the table of `serializeFragment` says how.
 *
 * @param nested writes a fragment inside of the value, as an object with the key `$fragment`
 * @throws UnserializableFragmentError
 */
export function valueToJson(value: unknown, path: string, depth: number, nested: FragmentToJson): JsonValue {
  if (depth > MAX_DEPTH)
    throw new UnserializableFragmentError(path, `more than ${MAX_DEPTH} levels (a cycle?)`)
  if (value === undefined) return { $undefined: true }
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return numberToJson(value)
  if (Array.isArray(value)) {
    return Array.from(value, (item: unknown, index) =>
      valueToJson(item, `${path}[${index}]`, depth + 1, nested),
    )
  }
  if (isExactFragment(value)) return nested(value, path, depth + 1)
  if (hasToJson(value)) return valueToJson(value.toJSON(), path, depth + 1, nested)
  if (isPlainObject(value)) {
    const json = entriesToJson(value, path, depth, nested)
    return Object.keys(value).some((key) => key.startsWith('$')) ? { $object: json } : json
  }
  throw new UnserializableFragmentError(path, describe(value))
}

/** The values of an object as JSON, under the same keys. */
export const entriesToJson = (
  object: object,
  path: string,
  depth: number,
  nested: FragmentToJson,
): JsonObject =>
  // fromEntries defines own properties, so even a key named `__proto__` arrives as data.
  Object.fromEntries(
    Object.entries(object).map(([key, value]) => [
      key,
      valueToJson(value, `${path}.${key}`, depth + 1, nested),
    ]),
  )

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

type FragmentFromJson = (json: Record<string, unknown>, path: string, depth: number) => ContextFragment

/**
 * The value that `valueToJson` wrote.
 *
 * @param nested reads an object with the key `$fragment`
 * @throws InvalidSerializedFragmentError
 */
export function valueFromJson(json: unknown, path: string, depth: number, nested: FragmentFromJson): unknown {
  if (depth > MAX_JSON_DEPTH) throw new InvalidSerializedFragmentError(path, 'nested too deeply')
  if (json === null || typeof json !== 'object') return json
  if (Array.isArray(json))
    return json.map((item, index) => valueFromJson(item, `${path}[${index}]`, depth + 1, nested))
  if (!isPlainObject(json)) throw new InvalidSerializedFragmentError(path, 'this is not JSON')
  if (!Object.keys(json).some((key) => key.startsWith('$'))) return entriesFromJson(json, path, depth, nested)
  return '$fragment' in json ? nested(json, path, depth + 1) : taggedFromJson(json, path, depth, nested)
}

/** The values of an object of JSON, under the same keys. */
export const entriesFromJson = (
  json: Record<string, unknown>,
  path: string,
  depth: number,
  nested: FragmentFromJson,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(json).map(([key, value]) => [
      key,
      valueFromJson(value, `${path}.${key}`, depth + 1, nested),
    ]),
  )

function taggedFromJson(
  json: Record<string, unknown>,
  path: string,
  depth: number,
  nested: FragmentFromJson,
): unknown {
  const [[tag, value] = [], ...others] = Object.entries(json)
  if (others.length > 0)
    throw new InvalidSerializedFragmentError(path, `unknown keys ${Object.keys(json).join(', ')}`)
  if (tag === '$undefined' && value === true) return undefined
  if (tag === '$number' && typeof value === 'string' && SPECIAL_NUMBERS.has(value)) return Number(value)
  if (tag === '$object' && isPlainObject(value)) return entriesFromJson(value, path, depth, nested)
  throw new InvalidSerializedFragmentError(path, `unknown tag ${String(tag)}`)
}

const SPECIAL_NUMBERS = new Set(['NaN', 'Infinity', '-Infinity', '-0'])

/** A value inside a fragment that cannot be written as JSON and read back: a function, a Map, a cycle… */
export class UnserializableFragmentError extends Error {
  override readonly name = 'UnserializableFragmentError'

  constructor(
    /** Path of the value, `$.data[0].size`. */
    readonly path: string,
    /** Describes the value for the error message. */
    readonly reason: string,
  ) {
    super(`Cannot serialize the fragment: ${reason} at ${path}`)
  }
}

/** Serialised text that `serializeFragment` did not write: edited by hand, cut off, or from a newer version. */
export class InvalidSerializedFragmentError extends Error {
  override readonly name = 'InvalidSerializedFragmentError'

  constructor(
    /** Path of the error, `$.data[0]`. */
    readonly path: string,
    /** Describes the expected value for the error message. */
    readonly reason: string,
  ) {
    super(`Invalid serialized fragment at ${path}: ${reason}`)
  }
}
