/** The tokens of the shortest prompt that providers keep: OpenAI's and Anthropic's limit for most models. */
const FEWEST = 1024

/** The time for which providers keep a prompt at least after its last use, in ms. */
export const KEPT_MS = 5 * 60_000

/** Tells whether a provider keeps a prompt of so many tokens, and reads it for less the next time. */
export const isKept = (price: { input: number; cached: number | null } | null, tokens: number): boolean =>
  tokens >= FEWEST && price !== null && price.cached !== null && price.cached < price.input
