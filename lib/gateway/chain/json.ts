/** The value of a text of JSON; the text itself where it is none, and any other value as it is. */
export function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const text = value.trim()
  // the input of a tool without arguments
  if (text === '') return {}
  try {
    return JSON.parse(text) as unknown
  } catch {
    return value
  }
}

/** Deeper values are compared as they come, with their keys in the order that they have. */
export const MAX_DEPTH = 200

/** The same value with the keys of its objects in order, and without keys that hold nothing. */
export function sorted(value: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => sorted(item, depth + 1))
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  return Object.fromEntries(
    entries
      .sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
      .map(([key, item]) => [key, sorted(item, depth + 1)]),
  )
}
