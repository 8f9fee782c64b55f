/**
 * The text of a stored message: its text parts, each on a line of its own, as `message_text` in the database has it.
 * Parts are separate blocks: the last word of one and the first of the next are two words. Reasoning, tools and files
 * have no text here.
 *
 * For what is not a UI message, the likeliest text: a string itself, `content` or `text` of an object, else its JSON.
 * Never throws; nothing to say is an empty string.
 *
 * @example messageText({ id: 'q1', role: 'user', parts: [{ type: 'text', text: 'Hello' }] }) // 'Hello'
 */
export function messageText(data: unknown): string {
  try {
    return textOf(data)
  } catch {
    // A getter, proxy or cycle: there is no text to be had, and a preview must not break a save.
    return ''
  }
}

function textOf(data: unknown): string {
  if (typeof data === 'string') return data
  if (data === null || data === undefined) return ''
  if (typeof data !== 'object') return String(data)
  if (Array.isArray(data)) return data.some(isTextPart) ? textOfParts(data) : JSON.stringify(data)
  if ('parts' in data && Array.isArray(data.parts)) return textOfParts(data.parts)
  if ('content' in data) return textOf(data.content)
  if ('text' in data && typeof data.text === 'string') return data.text
  return JSON.stringify(data) ?? ''
}

function textOfParts(parts: unknown[]): string {
  return parts
    .filter(isTextPart)
    .map((part) => part.text)
    .join('\n')
}

function isTextPart(part: unknown): part is { type: 'text'; text: string } {
  return (
    typeof part === 'object' &&
    part !== null &&
    'type' in part &&
    part.type === 'text' &&
    'text' in part &&
    typeof part.text === 'string'
  )
}
