import { messagePreview } from './message-preview'

/** Characters of a title (UTF-16 units), the ellipsis not counted. */
const MAX_TITLE = 60

/**
 * What a chat is called after its first message: the beginning of its text on one line, with an ellipsis when there is
 * more; empty when there is no text. Never throws.
 *
 * @param data a stored message, or anything `messageText` reads
 */
export function messageTitle(data: unknown): string {
  const line = messagePreview(data, MAX_TITLE)
  // a space and a wide character fit: with neither of them there is no more
  const more = messagePreview(data, MAX_TITLE + 3)
  return line.length < more.length ? `${line}…` : line
}
