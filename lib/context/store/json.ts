/** JSON with sorted keys, so that equal values have equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, child: unknown) =>
    typeof child === 'object' && child !== null && !Array.isArray(child)
      ? Object.fromEntries(Object.entries(child).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : child,
  )
}

/**
 * True when two values are the same once written as JSON: the order of keys does not matter, a property that is undefined counts as absent.
 * Throws the errors of `JSON.stringify` (a cycle, a bigint).
 */
export const jsonEqual = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b)
