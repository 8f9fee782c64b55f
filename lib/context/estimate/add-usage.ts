import { isPlainObject } from '../fragments/guards'

/** Counts of tokens by purpose, as the AI SDK reports them after a call. */
export interface UsageTotals {
  [count: string]: number | UsageTotals
}

/**
 * Sums the usage before and now: equal keys are added, nested details too. Values that are not counts, such
 * as a provider's own report in `raw`, are left out.
 *
 * @param before totals so far; nothing yet when undefined
 * @param now usage of one call (`LanguageModelUsage` of the AI SDK)
 * @throws TypeError for a count that is negative or no finite number, and for totals that are no object
 *
 * @example addUsage({ inputTokens: 10 }, { inputTokens: 5, outputTokens: 2 }) // { inputTokens: 15, outputTokens: 2 }
 */
export function addUsage(before: unknown, now: object): UsageTotals {
  if (before !== undefined && !isPlainObject(before)) throw new TypeError('The usage so far is not an object')
  return sum(sum({}, before ?? {}), now)
}

function sum(totals: UsageTotals, usage: object): UsageTotals {
  const result = { ...totals }
  for (const [name, value] of Object.entries(usage)) {
    const known = result[name]
    if (typeof value === 'number') result[name] = count(name, value) + (typeof known === 'number' ? known : 0)
    else if (isPlainObject(value) && name !== 'raw') {
      result[name] = sum(typeof known === 'object' ? known : {}, value)
    }
  }
  return result
}

function count(name: string, value: number): number {
  if (!Number.isFinite(value) || value < 0)
    throw new TypeError(`The usage "${name}" is not a count: ${value}`)
  return value
}
