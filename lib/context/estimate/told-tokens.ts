/** The most tokens that count for one reply: more than any model reads or writes at once. */
const MOST = 10_000_000

/**
 * The tokens that a provider says a reply took, as they are stored and counted: a whole number from 0 to ten million. The
 * server of a person may say anything. `told_tokens` says the same in SQL.
 *
 * @returns undefined for what is no count: nothing, a negative number, one that is not finite
 *
 * @example toldTokens(12.4) // 12
 * @example toldTokens(1e300) // 10000000
 */
export function toldTokens(count: number | undefined): number | undefined {
  if (count === undefined || !Number.isFinite(count) || count < 0) return undefined
  return Math.min(Math.round(count), MOST)
}
