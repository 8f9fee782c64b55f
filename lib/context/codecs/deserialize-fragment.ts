import { hasFragmentFields, isPlainObject } from '../fragments/guards'
import { type ContextFragment, LAZY_ID, type LazyConfig, type LazyFragment } from '../fragments/types'
import { messageCodec } from './message-codec'

/** As deep as `serializeFragment` goes, with its own wrappers counted. */
const MAX_DEPTH = 1024

/**
 * The fragment that `serializeFragment` wrote, nested fragments and codecs included.
 *
 * A message gets the plain message codec: both directions give what its codec encoded when it was serialised. The id
 * of that message wins over the fragment's, should someone have changed one of the two.
 *
 * @param value parsed JSON, trusted for nothing
 * @throws InvalidSerializedFragmentError naming the path, for everything `serializeFragment` would not write
 *
 * @example deserializeFragment(JSON.parse(JSON.stringify(serializeFragment(hint('Be brief')))))
 */
export function deserializeFragment(value: unknown): ContextFragment {
  if (!isPlainObject(value) || !('$fragment' in value))
    throw invalid('$', 'an object with $fragment was expected')
  return fragmentFromJson(value, '$', 0)
}

function fragmentFromJson(json: Record<string, unknown>, path: string, depth: number): ContextFragment {
  const { $fragment, $message, $lazy, ...rest } = json
  const [unknownKey] = Object.keys(rest)
  if (unknownKey !== undefined)
    throw invalid(path, `unknown key ${JSON.stringify(unknownKey)} beside $fragment`)
  if (!isPlainObject($fragment)) throw invalid(path, '$fragment is not an object')
  const fields = objectFromJson($fragment, path, depth)
  if (!hasFragmentFields(fields)) throw invalid(path, '$fragment is not a fragment')
  const fragment: LazyFragment = fields
  if ('$lazy' in json) fragment[LAZY_ID] = lazyFromJson($lazy, path)
  return '$message' in json ? asMessage(fragment, fromJson($message, `${path}.codec`, depth + 1)) : fragment
}

function asMessage(fragment: ContextFragment, message: unknown): ContextFragment {
  const id = isPlainObject(message) && typeof message.id === 'string' ? { id: message.id } : {}
  return { ...fragment, ...id, codec: messageCodec(message) }
}

function lazyFromJson(json: unknown, path: string): LazyConfig {
  if (!isPlainObject(json) || typeof json.content !== 'string')
    throw invalid(path, '$lazy is not a configuration')
  if (json.type !== 'last-assistant') throw invalid(path, `Unknown lazy fragment type: ${String(json.type)}`)
  return { type: json.type, content: json.content }
}

function fromJson(json: unknown, path: string, depth: number): unknown {
  if (depth > MAX_DEPTH) throw invalid(path, 'nested too deeply')
  if (json === null || typeof json !== 'object') return json
  if (Array.isArray(json)) return json.map((item, index) => fromJson(item, `${path}[${index}]`, depth + 1))
  if (!isPlainObject(json)) throw invalid(path, 'this is not JSON')
  if (!Object.keys(json).some((key) => key.startsWith('$'))) return objectFromJson(json, path, depth)
  if ('$fragment' in json) return fragmentFromJson(json, path, depth + 1)
  return taggedFromJson(json, path, depth)
}

function taggedFromJson(json: Record<string, unknown>, path: string, depth: number): unknown {
  const [[tag, value] = [], ...others] = Object.entries(json)
  if (others.length > 0) throw invalid(path, `unknown keys ${Object.keys(json).join(', ')}`)
  if (tag === '$undefined' && value === true) return undefined
  if (tag === '$number' && typeof value === 'string' && SPECIAL_NUMBERS.has(value)) return Number(value)
  if (tag === '$object' && isPlainObject(value)) return objectFromJson(value, path, depth)
  throw invalid(path, `unknown tag ${String(tag)}`)
}

const SPECIAL_NUMBERS = new Set(['NaN', 'Infinity', '-Infinity', '-0'])

function objectFromJson(json: Record<string, unknown>, path: string, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) => [key, fromJson(value, `${path}.${key}`, depth + 1)]),
  )
}

function invalid(path: string, reason: string): InvalidSerializedFragmentError {
  return new InvalidSerializedFragmentError(path, reason)
}

/** Serialised text that `serializeFragment` did not write: edited by hand, cut off, or from a newer version. */
export class InvalidSerializedFragmentError extends Error {
  override readonly name = 'InvalidSerializedFragmentError'

  constructor(
    /** Where it went wrong, `$.data[0]`. */
    readonly path: string,
    /** What was expected there. */
    readonly reason: string,
  ) {
    super(`Invalid serialized fragment at ${path}: ${reason}`)
  }
}
