import type { UsageLine } from '@/lib/protocol'

/** Sum of several lines. */
export interface Total {
  replies: number
  input: number
  cached: number
  output: number
  /** the cost of replies whose price is known; null where there are none */
  cost: number | null
  /** replies whose price is not known */
  unpriced: number
}

export function summed(lines: readonly UsageLine[]): Total {
  const total: Total = { replies: 0, input: 0, cached: 0, output: 0, cost: null, unpriced: 0 }
  for (const { replies, input_tokens, cached_tokens, output_tokens, cost_usd } of lines) {
    total.replies += replies
    total.input += input_tokens
    total.cached += cached_tokens
    total.output += output_tokens
    if (cost_usd === null) total.unpriced += replies
    else total.cost = (total.cost ?? 0) + cost_usd
  }
  return total
}

export const tokensOf = ({ input, output }: Pick<Total, 'input' | 'output'>): number => input + output

/** Models with their usage, the one with the most tokens first. */
export function bySpent(lines: readonly UsageLine[]): { model: string; total: Total }[] {
  const models = Map.groupBy(lines, ({ model }) => model)
  return [...models]
    .map(([model, own]) => ({ model, total: summed(own) }))
    .sort((one, other) => tokensOf(other.total) - tokensOf(one.total))
}

/** A cost in dollars; where no price is known, words that say so. */
export function costWords({ cost, unpriced }: Pick<Total, 'cost' | 'unpriced'>): string {
  if (cost === null) return unpriced > 0 ? 'unknown' : '$0'
  if (cost === 0) return '$0'
  return cost < 0.01
    ? '< $0.01'
    : `$${cost.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`
}
