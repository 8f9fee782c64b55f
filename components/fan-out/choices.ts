import { dollars } from '@/components/app/dollars'
import { estimateTokens } from '@/lib/context/estimate'
import { isKept } from '@/lib/context/estimate/kept-prompts'
import type { OfferedModel } from '@/lib/protocol'
import { mostReplies } from '@/lib/protocol/fan-out'

/** Number of replies that each model is asked for, by model. */
export type Counts = Readonly<Record<string, number>>

/** Tokens of a reply of middling length, for the estimate. */
const replyTokens = 500

/** The choice to begin with: the last one, as far as its models are offered and possible; else the same model three times. */
export function firstCounts(stored: string, model: string, isPossible: (id: string) => boolean): Counts {
  const kept = Object.entries(readCounts(stored)).filter(([id]) => isPossible(id))
  const few: Record<string, number> = {}
  let room: number = mostReplies
  for (const [id, count] of kept) {
    if (room > 0) few[id] = Math.min(count, room)
    room -= count
  }
  if (kept.length > 0) return few
  return isPossible(model) ? { [model]: 3 } : {}
}

function readCounts(stored: string): Counts {
  try {
    const value: unknown = JSON.parse(stored)
    if (typeof value !== 'object' || value === null) return {}
    return Object.fromEntries(
      Object.entries(value).filter(([, count]) => Number.isInteger(count) && count > 0),
    )
  } catch {
    return {}
  }
}

export const sumOf = (counts: Counts): number => Object.values(counts).reduce((sum, count) => sum + count, 0)

/** One more or one fewer of a model, within the limits of each context. */
export function changed(counts: Counts, id: string, by: 1 | -1, most: number = mostReplies): Counts {
  if (by > 0 && sumOf(counts) >= most) return counts
  const count = Math.max(0, (counts[id] ?? 0) + by)
  const { [id]: _before, ...others } = counts
  return count === 0 ? others : { ...counts, [id]: count }
}

/**
 * The models to ask, each as often as it was chosen, in the order of the list.
 *
 * @param first the model of the branch: where it is among them, the branch goes on with it
 */
export const modelsOf = (
  counts: Counts,
  models: readonly Pick<OfferedModel, 'id'>[],
  first: string,
): string[] =>
  [first, ...models.flatMap(({ id }) => (id === first ? [] : [id]))].flatMap((id) =>
    Array.from({ length: counts[id] ?? 0 }, () => id),
  )

const million = 1_000_000

/** The most replies of all models together in so many contexts. */
export const mostIn = (contexts: number): number => Math.floor(mostReplies / Math.max(contexts, 1))

/** Cost of a fan-out in US dollars, for prompts alone and with its replies; the models whose price is not known. */
export interface Cost {
  prompts: number
  whole: number
  unknown: string[]
  /** true when replies read a prompt from the provider's cache that another one of them has paid */
  isShared: boolean
}

/** @param prompts the tokens of the prompt in each context; providers that keep prompts read each once */
export function costOf(
  counts: Counts,
  models: readonly Pick<OfferedModel, 'id' | 'label' | 'price'>[],
  prompts: readonly number[],
): Cost {
  const cost: Cost = { prompts: 0, whole: 0, unknown: [], isShared: false }
  for (const { id, label, price } of models) {
    const count = counts[id] ?? 0
    if (count === 0) continue
    if (!price) {
      cost.unknown.push(label)
      continue
    }
    for (const tokens of prompts) {
      const again = isKept(price, tokens) ? (price.cached ?? price.input) : price.input
      const first = isKept(price, tokens) ? (price.cache_write ?? price.input) : price.input
      const prompt = (tokens * (first + (count - 1) * again)) / million
      cost.prompts += prompt
      cost.whole += prompt + (count * replyTokens * price.output) / million
      cost.isShared ||= count > 1 && again < price.input
    }
  }
  return cost
}

/** The cost in words: `About $0.012 for the prompts, $0.042 with replies of 500 tokens each.` */
export function costWords({ prompts, whole, unknown, isShared }: Cost): string {
  const missing = unknown.length === 0 ? '' : `The price of ${unknown.join(' and ')} is not known.`
  if (whole === 0) return missing || 'Costs nothing.'
  const known = `About ${dollars(prompts)} for the prompts, ${dollars(whole)} with replies of ${replyTokens} tokens each.`
  const shared = isShared ? 'The first reply pays for the prompt, the others read it from the cache.' : ''
  return [known, shared, missing].filter(Boolean).join(' ')
}

/** About how many tokens a draft adds to a prompt. */
export const draftTokens = (text: string): number => estimateTokens(text)
