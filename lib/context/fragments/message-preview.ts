import { messageText } from './message-text'

/**
 * The beginning of a message's text on one line, fit for an indexed column: whitespace collapsed, no NUL,
 * no lone surrogate, at most `max` UTF-16 units, and never half a surrogate pair at the end. Never throws.
 *
 * @param data a stored message, or anything `messageText` reads
 * @param max limit in UTF-16 units, 160 unless told
 *
 * @example messagePreview({ id: 'q1', role: 'user', parts: [{ type: 'text', text: 'Two\n\nlines' }] }) // 'Two lines'
 */
export function messagePreview(data: unknown, max = 160): string {
  const line = messageText(data).replaceAll('\0', '').replace(/\s+/gu, ' ').trim()
  return withoutHalfPair(line.slice(0, Math.max(0, max)), line)
    .toWellFormed()
    .trimEnd()
}

/** Drops a high surrogate that the cut, and not the text itself, left without its other half. */
function withoutHalfPair(cut: string, whole: string): string {
  const next = whole.codePointAt(cut.length - 1)
  return cut.length < whole.length && next !== undefined && next > 0xffff ? cut.slice(0, -1) : cut
}
