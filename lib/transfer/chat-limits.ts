import type { JsonSlice } from './json/split-json'

/** A chat is parsed as a whole, so its length and the number of its messages bound the memory: 300 MB. */
export const MAX_CHAT_BYTES = 32 * 1024 * 1024
export const MAX_CHAT_MESSAGES = 50_000
/** Values of a chat: 32 MB hold fewer where a message is more than its brackets. One takes up to 110 bytes of memory. */
export const MAX_CHAT_VALUES = 1_000_000
/** Exports nest each reply into its question where they nest at all: chats of this many messages. */
export const MAX_DEPTH = 5000

const megabytes = MAX_CHAT_BYTES / 1024 ** 2
export const tooLong = `The chat is longer than ${megabytes} MB. It is left out.`
export const tooMany = `The chat has more than ${MAX_CHAT_MESSAGES.toLocaleString('en')} messages. It is left out.`
export const tooHollow = `The chat is made of more than ${MAX_CHAT_VALUES.toLocaleString('en')} values, more than a conversation is. It is left out.`

/** Words about a chat that the file breaks off in. */
export const cutOff =
  'The file ends in the middle of this chat, as an incomplete download does. Download the export again; what stands before is read.'

/** The reason why a part of a file is no chat that is read. */
export function reasonOf(slice: Exclude<JsonSlice, { kind: 'value' }>): string {
  if (slice.kind === 'cut') return cutOff
  if (slice.why === 'count') return tooHollow
  return slice.why === 'size'
    ? tooLong
    : `The chat is nested deeper than ${MAX_DEPTH.toLocaleString('en')} levels. It is left out.`
}
