import { hasFragmentFields, isPlainObject } from '../fragments/guards'
import {
  type ContextFragment,
  type FragmentCodec,
  LAZY_ID,
  type LazyConfig,
  type LazyFragment,
} from '../fragments/types'
import { entriesFromJson, InvalidSerializedFragmentError, valueFromJson } from './json-values'
import { messageCodec } from './message-codec'

/**
 * The fragment that `serializeFragment` wrote, nested fragments and codecs included.
 *
 * A message gets the plain message codec: both directions give what its codec encoded when it was serialised.
 * When the two ids differ, the message's id wins over the fragment's. Any other codec gives its stored
 * result.
 *
 * @param value parsed JSON, trusted for nothing
 * @throws InvalidSerializedFragmentError naming the path, for everything `serializeFragment` would not write
 *
 * @example deserializeFragment(JSON.parse(JSON.stringify(serializeFragment(hint('Be brief')))))
 */
export function deserializeFragment(value: unknown): ContextFragment {
  if (!isPlainObject(value) || !('$fragment' in value))
    throw new InvalidSerializedFragmentError('$', 'an object with $fragment was expected')
  return fragmentFromJson(value, '$', 0)
}

function fragmentFromJson(json: Record<string, unknown>, path: string, depth: number): ContextFragment {
  const { $fragment, $message, $lazy, $codec, ...rest } = json
  const [unknownKey] = Object.keys(rest)
  if (unknownKey !== undefined)
    throw new InvalidSerializedFragmentError(
      path,
      `unknown key ${JSON.stringify(unknownKey)} beside $fragment`,
    )
  if (!isPlainObject($fragment)) throw new InvalidSerializedFragmentError(path, '$fragment is not an object')
  const fields = entriesFromJson($fragment, path, depth, fragmentFromJson)
  if (!hasFragmentFields(fields))
    throw new InvalidSerializedFragmentError(path, '$fragment is not a fragment')
  const fragment: LazyFragment = fields
  if ('$lazy' in json) fragment[LAZY_ID] = lazyFromJson($lazy, path)
  const inside = (value: unknown) => valueFromJson(value, `${path}.codec`, depth + 1, fragmentFromJson)
  if ('$codec' in json) return { ...fragment, codec: codecFromJson($codec, path, inside) }
  return '$message' in json ? asMessage(fragment, inside($message)) : fragment
}

function asMessage(fragment: ContextFragment, message: unknown): ContextFragment {
  const id = isPlainObject(message) && typeof message.id === 'string' ? { id: message.id } : {}
  return { ...fragment, ...id, codec: messageCodec(message) }
}

function codecFromJson(json: unknown, path: string, inside: (value: unknown) => unknown): FragmentCodec {
  if (!isPlainObject(json) || !('encoded' in json && 'decoded' in json))
    throw new InvalidSerializedFragmentError(path, '$codec is not what a codec gave')
  const [encoded, decoded] = [inside(json.encoded), inside(json.decoded)]
  return { encode: () => encoded, decode: () => decoded }
}

function lazyFromJson(json: unknown, path: string): LazyConfig {
  if (!isPlainObject(json) || typeof json.content !== 'string')
    throw new InvalidSerializedFragmentError(path, '$lazy is not a configuration')
  if (json.type !== 'last-assistant')
    throw new InvalidSerializedFragmentError(path, `Unknown lazy fragment type: ${String(json.type)}`)
  return { type: json.type, content: json.content }
}
