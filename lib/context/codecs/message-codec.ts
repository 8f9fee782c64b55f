import type { FragmentCodec } from '../fragments/types'

/**
 * The codec of a message fragment (Core Concepts, “Codec System”): the AI SDK reads the stored form, so both directions
 * give back the very message, unchanged and not copied.
 *
 * @example messageCodec(uiMessage).decode() === uiMessage
 */
export function messageCodec(message: unknown): FragmentCodec {
  return {
    decode: () => message,
    encode: () => message,
  }
}
