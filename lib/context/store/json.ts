/** JSON with sorted keys, so that equal values have equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, child: unknown) =>
    typeof child === 'object' && child !== null && !Array.isArray(child)
      ? Object.fromEntries(Object.entries(child).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : child,
  )
}

/**
 * True when two values are the same once written as JSON: order of keys does not matter, `undefined` counts as absent.
 * Throws what `JSON.stringify` throws (a cycle, a bigint).
 */
export function jsonEqual(a: unknown, b: unknown): boolean {
  return isSame(asJson(a), asJson(b))
}

function asJson(value: unknown): unknown {
  const text: string | undefined = JSON.stringify(value)
  return text === undefined ? undefined : JSON.parse(text)
}

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const entries = Object.entries(a)
  const others = new Map<string, unknown>(Object.entries(b))
  return (
    entries.length === others.size &&
    entries.every(([key, value]) => others.has(key) && isSame(value, others.get(key)))
  )
}
