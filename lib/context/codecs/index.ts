export { deserializeFragment } from './deserialize-fragment'
export { type FlatFragment, fromFragment } from './flat/from-fragment'
export { type ReadFlat, type ToFragmentOptions, toFragment } from './flat/to-fragment'
export {
  InvalidSerializedFragmentError,
  type JsonObject,
  type JsonValue,
  UnserializableFragmentError,
} from './json-values'
export { messageCodec } from './message-codec'
export { type SerializedFragment, serializeFragment } from './serialize-fragment'
