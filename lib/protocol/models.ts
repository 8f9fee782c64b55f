import { z } from 'zod'
import { instant, named } from './fields'

const tokens = z.int().positive().nullable()
const dollars = z.number().nonnegative()

const modelPrice = named(
  'ModelPrice',
  z
    .object({
      input: dollars,
      output: dollars,
      cached: dollars.nullable().meta({ description: 'Of input that is read from the provider’s cache' }),
      cache_write: dollars
        .optional()
        .meta({ description: 'Of input that is written into it; absent where it costs as other input' }),
    })
    .meta({ description: 'US dollars per million tokens' }),
)

const facts = {
  window: tokens.meta({ description: 'Tokens of prompt and reply together', examples: [1_050_000] }),
  input: z.array(z.string()).meta({
    description: 'Media types that a message may hold; `*/*` where the provider does not say',
    examples: [['text/plain', 'image/*']],
  }),
  tools: z.boolean().nullable().meta({ description: 'Whether it can call tools' }),
  reasoning: z.boolean().nullable().meta({ description: 'Whether it thinks before it answers' }),
  price: modelPrice.nullable(),
}

/** A model of the API. An unknown value is null. */
export const listedModel = named(
  'Model',
  z.object({
    id: z.string().meta({ examples: ['openai:gpt-6-luna'] }),
    name: z.string().meta({ examples: ['GPT-6 Luna'] }),
    provider: z.string().meta({ examples: ['openai'] }),
    ...facts,
  }),
)

/** Facts about a model, for the person who chooses one. */
export type ModelFacts = Omit<Pick<z.infer<typeof listedModel>, keyof typeof facts>, 'input'> & {
  input: readonly string[]
}

/** A key of a person for a provider, without the key. */
export const providerKey = named(
  'ProviderKey',
  z.object({
    provider: z.string().meta({ examples: ['openai'] }),
    hint: z.string().meta({ description: 'The last four characters of the key', examples: ['x4Qe'] }),
    base_url: z.string().nullable().meta({ description: 'Where an OpenAI-compatible server is' }),
    silence_ms: z.int().nullable().meta({
      description: 'How long its models may say nothing, in ms; null for the time of this server',
    }),
    saved_at: instant,
    readable: z.boolean().meta({
      description: 'False when the server’s secret has changed since: the key has to be saved again',
    }),
  }),
)

export type ProviderKey = z.infer<typeof providerKey>
