import { isExactFragment, isLazyFragment, isMessageFragment, isPlainObject } from '../../fragments/guards'
import { type ContextFragment, LAZY_ID } from '../../fragments/types'
import {
  entriesToJson,
  type JsonObject,
  type JsonValue,
  UnserializableFragmentError,
  valueToJson,
} from '../json-values'
import { entriesOf, FIELDS, formOf, misfit } from './forms'

/** A fragment as one flat object of JSON: its type, and its fields beside it. */
export type FlatFragment = JsonObject & { type: string }

/**
 * A fragment as flat JSON for storage and transport, easy to read, write and check by programs that have never seen a fragment;
 * `toFragment` reads it.
 *
 * | fragment | JSON |
 * |---|---|
 * | made by a helper | its name and its fields: `{"type":"term","name":"MRR","definition":"…"}` |
 * | with a codec | what that encodes, which must have a `type` |
 * | a message | `{"type":"message","name":…,"id":…,"data":…,"message":…}` with what its codec encodes |
 * | `lastAssistantMessage` | `{"type":"last-assistant","content":…}` |
 * | any other | `{"type":"fragment","name":…,"data":…}`, values as `serializeFragment` writes them, nested fragments in `$fragment` |
 *
 * An `id` stands beside the fields; `metadata` and `persist` make a fragment one of the last row. `type: 'fragment'` is what a
 * fragment is without it, and is not written.
 *
 * @throws UnserializableFragmentError naming the path of what JSON cannot hold, and of functions and promises
 *
 * @example fromFragment(hint('Be brief')) // { type: 'hint', text: 'Be brief' }
 */
export function fromFragment(fragment: ContextFragment): FlatFragment {
  return flat(fragment, '$', 0)
}

function flat(fragment: ContextFragment, path: string, depth: number): FlatFragment {
  if (isLazyFragment(fragment)) return { type: fragment[LAZY_ID].type, content: fragment[LAZY_ID].content }
  if (isMessageFragment(fragment)) return flatMessage(fragment, path, depth)
  if (fragment.codec) return encoded(fragment.codec.encode(), path, depth)
  return flatHelper(fragment, path, depth) ?? { type: 'fragment', ...fieldsOf(fragment, path, depth) }
}

const nested = (fragment: ContextFragment, path: string, depth: number): JsonValue => ({
  $fragment: flat(fragment, path, depth),
})

function fieldsOf(fragment: ContextFragment, path: string, depth: number): JsonObject {
  const { type: _type, codec: _codec, ...fields } = fragment
  const unknown = Object.keys(fields).find((key) => !FIELDS.has(key))
  if (unknown !== undefined) throw new UnserializableFragmentError(`${path}.${unknown}`, 'an unknown field')
  return entriesToJson(fields, path, depth, nested)
}

function flatMessage(fragment: ContextFragment, path: string, depth: number): FlatFragment {
  if (!fragment.codec) throw new UnserializableFragmentError(path, 'a message without codec')
  const message = valueToJson(fragment.codec.encode(), `${path}.message`, depth + 1, nested)
  return { type: 'message', ...fieldsOf(fragment, path, depth), message }
}

/** Result of a codec, which is a flat form already. */
function encoded(value: unknown, path: string, depth: number): FlatFragment {
  const json = valueToJson(value, `${path}.codec`, depth, nested)
  if (!isPlainObject(json) || typeof json.type !== 'string') {
    throw new UnserializableFragmentError(`${path}.codec`, 'a form without a type')
  }
  return { ...json, type: json.type }
}

/** The form of the helper that makes this very fragment, if there is one. */
function flatHelper(fragment: ContextFragment, path: string, depth: number): FlatFragment | undefined {
  const { name: type, data, id, ...rest } = fragment
  if (Object.entries(rest).some(([key, value]) => key !== 'type' && value !== undefined)) return undefined
  const head: FlatFragment = id === undefined ? { type } : { type, id }
  if (type === 'glossary') {
    const entries = entriesOf(data)
    return entries && { ...head, entries }
  }
  const form = formOf(type)
  if (!form) return undefined
  const fields = form.content === undefined ? data : { [form.content]: data }
  if (!isPlainObject(fields) || misfit(form, fields, isExactFragment)) return undefined
  if (!isInOrder(Object.keys(fields), Object.keys(form.fields))) return undefined
  return {
    ...head,
    ...Object.fromEntries(
      Object.entries(fields).map(([field, value]) => [field, fieldToJson(value, `${path}.${field}`, depth)]),
    ),
  }
}

function fieldToJson(value: unknown, path: string, depth: number): JsonValue {
  if (!Array.isArray(value)) return valueToJson(value, path, depth, nested)
  return value.map((item: unknown, index) =>
    isExactFragment(item)
      ? flat(item, `${path}[${index}]`, depth + 1)
      : valueToJson(item, `${path}[${index}]`, depth + 1, nested),
  )
}

/**
 * True when the keys are in the order of the form. They are printed in that order, so it is part of the data.
 */
function isInOrder(keys: readonly string[], order: readonly string[]): boolean {
  const places = keys.map((key) => order.indexOf(key))
  return places.every((place, index) => index === 0 || place > (places[index - 1] ?? -1))
}
