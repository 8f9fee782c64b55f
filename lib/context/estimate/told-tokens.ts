/** The most tokens that count for one reply: more than any model reads or writes at once. */
const MOST = 10_000_000

/**
 * Tokens of a reply as its provider reports them, made a whole number from 0 to ten million for storing and
 * counting: a person's own server may report anything. `told_tokens` has the same rule in SQL.
 *
 * @returns undefined for a missing, negative or infinite count
 *
 * @example toldTokens(12.4) // 12
 * @example toldTokens(1e300) // 10000000
 */
export function toldTokens(count: number | undefined): number | undefined {
  if (count === undefined || !Number.isFinite(count) || count < 0) return undefined
  return Math.min(Math.round(count), MOST)
}
