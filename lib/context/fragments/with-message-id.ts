import { isPlainObject } from './guards'
import type { FragmentCodec, MessageFragment } from './types'

/**
 * The same message under another id, on the fragment and in what its codec encodes and decodes.
 *
 * For an edit: the stored message keeps its id, the edited one gets a new one. The fragment given is left alone.
 * A fragment without codec (a lazy one) only changes its own id.
 *
 * @example withMessageId(user('Hello', { id: 'q1' }), 'q2').id // 'q2'
 */
export function withMessageId<F extends MessageFragment>(fragment: F, id: string): F & { id: string } {
  const { codec } = fragment
  return codec === undefined ? { ...fragment, id } : { ...fragment, id, codec: renamed(codec, id) }
}

function renamed(codec: FragmentCodec, id: string): FragmentCodec {
  return {
    decode: () => withId(codec.decode(), id),
    encode: () => withId(codec.encode(), id),
  }
}

function withId(value: unknown, id: string): unknown {
  return isPlainObject(value) ? { ...value, id } : value
}
