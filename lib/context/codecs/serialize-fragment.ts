import { type ContextFragment, LAZY_ID, type LazyFragment } from '../fragments/types'
import { entriesToJson, type JsonObject, valueToJson } from './json-values'

/** A fragment as JSON. `$` keys are ours: see `serializeFragment`. */
export interface SerializedFragment extends JsonObject {
  $fragment: JsonObject
}

/**
 * A fragment, with everything nested in it, as plain JSON that `deserializeFragment` turns back into fragments.
 *
 * | value | JSON |
 * |---|---|
 * | fragment | `{"$fragment": {name, data, …}}`, a message's body in `$message`, a lazy one's configuration in `$lazy`, what the codec of any other gives in `$codec` |
 * | undefined (kept, it is not null) | `{"$undefined": true}` |
 * | NaN, ±Infinity, -0 | `{"$number": "NaN"}` … |
 * | object with a key that begins with `$` | `{"$object": {…}}` |
 * | anything else | itself |
 *
 * So a plain object that merely has the keys `name` and `data` can never be taken for a fragment when read,
 * and data can imitate none of our keys. A value with `toJSON` (a Date) is stored as its result, as JSON
 * always does. Keys stay in their order.
 *
 * @throws UnserializableFragmentError naming the path of a function or promise (`resolveValues` first), symbol, bigint,
 * class instance, or of nesting deeper than 256 levels
 *
 * @example serializeFragment(hint('Be brief')) // { $fragment: { name: 'hint', data: 'Be brief' } }
 */
export function serializeFragment(fragment: ContextFragment): SerializedFragment {
  return fragmentToJson(fragment, '$', 0)
}

function fragmentToJson(fragment: LazyFragment, path: string, depth: number): SerializedFragment {
  const { codec, ...fields } = fragment
  const lazy = fragment[LAZY_ID]
  const inside = (value: unknown) => valueToJson(value, `${path}.codec`, depth + 1, fragmentToJson)
  return {
    $fragment: entriesToJson(fields, path, depth, fragmentToJson),
    ...(codec === undefined
      ? {}
      : fragment.type === 'message'
        ? { $message: inside(codec.encode()) }
        : { $codec: { encoded: inside(codec.encode()), decoded: inside(codec.decode()) } }),
    ...(lazy === undefined ? {} : { $lazy: { type: lazy.type, content: lazy.content } }),
  }
}
