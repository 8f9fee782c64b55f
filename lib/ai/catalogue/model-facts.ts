/** Price of a model, in US dollars per million tokens. */
export interface ModelPrice {
  readonly input: number
  readonly output: number
  /** price of input that is read from the provider's cache; null where it is not known */
  readonly cached: number | null
  /** price of input that is written into it; absent where it costs as other input */
  readonly cache_write?: number | undefined
}

/** Facts of a model. An unknown value is null, never 0 or false. */
export interface ModelFacts {
  /** tokens that prompt and reply may have together */
  readonly window: number | null
  /** media types that a message may hold; `text/plain` always, others with a wildcard: `image/*`, or where nothing is known any type */
  readonly input: readonly string[]
  /** true when it can call tools */
  readonly tools: boolean | null
  /** true when it thinks before it answers */
  readonly reasoning: boolean | null
  readonly price: ModelPrice | null
}

const TEXT = 'text/plain'

/** A model of which only the name is known. It may be sent any file: its provider decides, and says so. */
export const nothingKnown: ModelFacts = {
  window: null,
  input: [TEXT, '*/*'],
  tools: null,
  reasoning: null,
  price: null,
}

/** A model that runs here costs nothing. */
export const free: ModelPrice = { input: 0, output: 0, cached: 0 }

/** A price and the day from which it holds, in UTC. */
type DatedPrice = readonly [
  from: string,
  input: number,
  output: number,
  cached: number | null,
  cacheWrite?: number,
]

interface Row extends Omit<ModelFacts, 'price'> {
  /** oldest first; empty where the provider's price depends on more than the number of tokens */
  readonly prices: readonly DatedPrice[]
}

const pictures = [TEXT, 'image/*']
export const documents = [TEXT, 'image/*', 'application/pdf']
const everything = [TEXT, 'image/*', 'audio/*', 'video/*', 'application/pdf']
const thinks = { tools: true, reasoning: true }

const row = (window: number, input: readonly string[], ...prices: DatedPrice[]): Row => ({
  window,
  input,
  ...thinks,
  prices,
})

/**
 * The providers' published list prices and windows, as of 2026-11-22. Models with a higher price for long prompts
 * have the price of usual ones. An operator corrects or adds to it with RAMIFY_MODELS_FILE.
 */
const table: Readonly<Record<string, Row>> = {
  'openai:gpt-6-astra': row(1_050_000, pictures, ['2026-09-03', 10, 50, 1]),
  'openai:gpt-6-luna': row(1_050_000, pictures, ['2026-09-22', 0.1, 0.5, 0.01]),
  'openai:gpt-5.5': row(1_050_000, documents, ['2026-04-24', 5, 30, 0.5]),
  'openai:gpt-4.1': {
    ...row(1_047_576, documents, ['2025-04-14', 2, 8, 0.5]),
    reasoning: false,
  },
  'anthropic:claude-sonnet-5-5': row(1_000_000, documents, ['2026-09-29', 2, 10, 0.2, 2.5]),
  'anthropic:claude-opus-5-5': row(1_000_000, documents, ['2026-09-29', 4, 20, null, 5]),
  // its price depends on the length of the prompt
  'anthropic:claude-haiku-5-5': row(1_000_000, documents),
  'google:gemini-4-argon': row(1_048_576, everything, ['2026-09-30', 2, 10, 0.1], ['2026-12-01', 4, 20, 0.2]),
  'google:gemini-4-hydrogen': row(1_048_576, everything, ['2026-11-01', 1.5, 7.5, null]),
  'groq:openai/gpt-oss-120b': row(131_072, [TEXT], ['2025-08-05', 0.15, 0.6, null]),
  'groq:openai/gpt-oss-20b': row(131_072, [TEXT], ['2025-08-05', 0.075, 0.3, null]),
}

/**
 * The facts of a model by its id.
 *
 * @param at the moment whose price counts, in milliseconds
 */
export function knownFacts(id: string, at: number): ModelFacts {
  const found = Object.hasOwn(table, id) ? table[id] : undefined
  if (!found) return nothingKnown
  const { prices, ...facts } = found
  const inForce = prices.findLast(([from]) => Date.parse(from) <= at)
  if (!inForce) return { ...facts, price: null }
  const [, input, output, cached, cacheWrite] = inForce
  const price = { input, output, cached, ...(cacheWrite !== undefined && { cache_write: cacheWrite }) }
  return { ...facts, price }
}
