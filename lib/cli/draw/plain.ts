/**
 * Text of a message or a name, safe to write to a terminal: control characters could move its cursor, change its title or
 * answer for the person. Line ends and tabs stay.
 */
export const plain = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it takes out
  text.replace(/\r\n?/g, '\n').replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')

/** The same on one line of at most so many characters. */
export function oneLine(text: string, width = 72): string {
  const words = plain(text).replace(/\s+/g, ' ').trim()
  const letters = [...words]
  return letters.length > width ? `${letters.slice(0, width - 1).join('')}…` : words
}

/** A time as a person reads it, in the time zone of the machine: `2026-03-14 09:27`. */
export function localTime(milliseconds: number): string {
  const at = new Date(milliseconds)
  const two = (part: number) => String(part).padStart(2, '0')
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`
}

export const whoSpeaks = (role: string): string =>
  ({ user: 'You', assistant: 'Assistant', system: 'System' })[role] ?? plain(role)

export const counted = (count: number, what: string): string =>
  `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`

/** Text moved to the right. */
export const indented = (text: string, by = 4): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? '' : `${' '.repeat(by)}${line}`))
    .join('\n')
