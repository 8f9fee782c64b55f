export { deserializeFragment, InvalidSerializedFragmentError } from './deserialize-fragment'
export { messageCodec } from './message-codec'
export {
  type JsonValue,
  type SerializedFragment,
  serializeFragment,
  UnserializableFragmentError,
} from './serialize-fragment'
