/** The middle value; of an even count the mean of the two in the middle. Throws for no values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.floor((sorted.length - 1) / 2)]
  if (upper === undefined || lower === undefined) throw new RangeError('No values to take the median of')
  return (lower + upper) / 2
}

/** The value that a share of all values is not above. Throws for no values. */
export function percentile(values: readonly number[], share: number): number {
  const value = values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1]
  if (value === undefined) throw new RangeError('No values to take a percentile of')
  return value
}

/** A limit on a ratio, itself still allowed. */
export type Target = { atMost: number } | { atLeast: number }

export const atMost = (limit: number): Target => ({ atMost: limit })
export const atLeast = (limit: number): Target => ({ atLeast: limit })

/** The same target where everything may cost `factor` times as much. */
export function relaxed(target: Target, factor: number): Target {
  return 'atMost' in target ? atMost(target.atMost * factor) : atLeast(target.atLeast / factor)
}

/** Whether a ratio keeps to its target; without a target there is nothing to keep. */
export function isMet(ratio: number, target: Target | undefined): boolean | undefined {
  if (!target) return undefined
  return 'atMost' in target ? ratio <= target.atMost : ratio >= target.atLeast
}
