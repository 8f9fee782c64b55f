/** A text by its letters and digits: marks around words are no part of them. */
export const lettersOf = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase()

/** The values of a JSON file, or of its lines; null: one of them is broken. */
export function valuesIn(text: string): unknown[] | null {
  const parsed = (json: string): unknown[] | null => {
    try {
      return [JSON.parse(json)]
    } catch {
      return null
    }
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return parsed(text) ?? (lines.every(parsed) ? lines.flatMap((line) => parsed(line) ?? []) : null)
}

/** All texts in a value, with the nearest key above each. */
export function leaves(value: unknown, key: unknown = ''): { key: string; text: string }[] {
  if (typeof value === 'string') return [{ key: String(key), text: value }]
  if (Array.isArray(value)) return value.flatMap((item) => leaves(item, key))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => leaves(item, name))
}

/** Whether a text is kept, as a whole or each of its lines: marks, entities and elements may have gone. */
export function isKept(text: string, kept: string): boolean {
  const plain = text
    .replace(/^data:[^,]*,/, '')
    .replace(/\ue200[^\ue201]*\ue201|【[^】]*】/g, '\n')
    .replace(/<summary>.*?<\/summary>|<\/?details[^>]*>|```\w*/g, '\n')
    .replace(/^:::\w*.*$/gm, '\n')
    .replace(/&quot;|&gt;|&lt;|&amp;|&#\w+;/g, ' ')
  if (/^[\w+/=]{100,}$/.test(plain)) return true
  const inside = /^\s*[{[]/.test(text) ? valuesIn(text) : null
  if (inside && inside.length > 0) return inside.flatMap(leaves).every((leaf) => isKept(leaf.text, kept))
  return plain.split('\n').every((line) => kept.includes(lettersOf(line)))
}
