import {
  type ContextFragment,
  type FragmentObject,
  LAZY_ID,
  type LazyConfig,
  type LazyFragment,
  type MessageFragment,
} from './types'

/**
 * True when `data` is a fragment: an object with a string `name` and a `data` property, with any further keys
 * (Core Concepts, “Type Guards”). Never throws.
 */
export function isFragment(data: unknown): data is ContextFragment {
  return (
    typeof data === 'object' &&
    data !== null &&
    'name' in data &&
    'data' in data &&
    typeof data.name === 'string'
  )
}

/**
 * True when `data` is a plain object: not an array, not a fragment, not a primitive, not a class instance
 * (Core Concepts, “Type Guards”).
 */
export function isFragmentObject(data: unknown): data is FragmentObject {
  return isPlainObject(data) && !isFragment(data)
}

/** True when a fragment is a message of the conversation (`type: 'message'`), lazy ones included. */
export function isMessageFragment(fragment: ContextFragment): fragment is MessageFragment {
  return fragment.type === 'message'
}

/** True when a fragment still has to be given its id by `save()`; its `[LAZY_ID]` then says how. */
export function isLazyFragment(
  fragment: ContextFragment,
): fragment is LazyFragment & { [LAZY_ID]: LazyConfig } {
  return LAZY_ID in fragment && fragment[LAZY_ID] !== undefined
}

/**
 * True when `data` is a fragment and nothing but a fragment: no key beyond the documented ones, each of its type.
 *
 * Inside data `isFragment` is too generous: `{ name: 'Ana', data: 3, unit: 'kg' }` is a row of a table, and reading
 * it as a fragment would lose its unit. Codecs and renderers use this guard for nested values.
 */
export function isExactFragment(data: unknown): data is ContextFragment {
  return hasFragmentFields(data) && Object.keys(data).every((key) => FRAGMENT_KEYS.has(key))
}

const FRAGMENT_KEYS = new Set(['id', 'name', 'data', 'type', 'persist', 'codec', 'metadata'])

/** Content of a fragment that is not a message: its decoded codec, else its data. */
export const fragmentData = ({ codec, data }: ContextFragment): unknown => (codec ? codec.decode() : data)

/** True when `data` is a plain object whose documented fragment fields all have their documented types. */
export function hasFragmentFields(data: unknown): data is ContextFragment {
  if (!isPlainObject(data) || !isFragment(data)) return false
  const { id, type, persist, codec, metadata } = data
  return (
    (id === undefined || typeof id === 'string') &&
    (type === undefined || type === 'fragment' || type === 'message') &&
    (persist === undefined || typeof persist === 'boolean') &&
    (codec === undefined || (typeof codec?.encode === 'function' && typeof codec.decode === 'function')) &&
    (metadata === undefined || isPlainObject(metadata))
  )
}

/** True when `value` is an object made by a literal (or without prototype), as JSON would give it. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  // Not `=== Object.prototype`: another realm (a test's VM, an iframe) has its own.
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
