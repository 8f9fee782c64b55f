/** Prices and limits of a model. */
export interface ModelInfo {
  /** USD per million input tokens. */
  inputPrice: number
  /** USD per million output tokens. */
  outputPrice: number
  /** Tokens the model can read and write in one request. */
  contextTokens: number
  /** Tokens of the longest reply. */
  outputTokens: number
}

/** The day the table below was put together, from models.dev and the providers' own price pages. */
export const PRICES_AS_OF = '2026-11-20'

const MILLION = 1_000_000
const GEMINI = [1_048_576, 65_536] as const

/**
 * Well-known models by `provider:model`: standard list prices without caching, batches or long-context surcharges.
 * Providers change prices without notice; `estimateUsage` takes figures that are missing or outdated here.
 */
export const MODEL_TABLE: Readonly<Record<string, ModelInfo>> = {
  'demo:demo': model(0, 0, 128_000, 16_384),

  'openai:gpt-4o': model(2.5, 10, 128_000, 16_384),
  'openai:gpt-4o-mini': model(0.15, 0.6, 128_000, 16_384),
  'openai:gpt-4.1': model(2, 8, 1_047_576, 32_768),
  'openai:gpt-4.1-mini': model(0.4, 1.6, 1_047_576, 32_768),
  'openai:gpt-5': model(1.25, 10, 400_000, 128_000),
  'openai:gpt-5-mini': model(0.25, 2, 400_000, 128_000),
  'openai:gpt-5-nano': model(0.05, 0.4, 400_000, 128_000),
  'openai:gpt-5.4': model(2.5, 15, 1_050_000, 128_000),
  'openai:gpt-5.5': model(5, 30, 1_050_000, 128_000),
  'openai:gpt-5.6': model(2, 10, 1_050_000, 128_000),
  'openai:gpt-5.6-sol': model(2, 10, 1_050_000, 128_000),
  'openai:o4-mini': model(1.1, 4.4, 200_000, 100_000),

  'anthropic:claude-haiku-4-5': model(1, 5, 200_000, 64_000),
  'anthropic:claude-sonnet-4-6': model(3, 15, MILLION, 64_000),
  'anthropic:claude-sonnet-5': model(2, 10, MILLION, 128_000),
  'anthropic:claude-sonnet-5-5': model(2, 10, MILLION, 128_000),
  'anthropic:claude-opus-4-5': model(5, 25, 200_000, 64_000),
  'anthropic:claude-opus-5': model(5, 25, MILLION, 128_000),
  'anthropic:claude-opus-5-5': model(4, 20, MILLION, 128_000),
  'anthropic:claude-fable-5-1': model(10, 50, MILLION, 128_000),

  'google:gemini-2.5-flash': model(0.3, 2.5, ...GEMINI),
  'google:gemini-2.5-pro': model(1.25, 10, ...GEMINI),
  'google:gemini-3.1-pro-preview': model(2, 12, ...GEMINI),
  'google:gemini-3.8-flash': model(0.75, 3.75, ...GEMINI),

  'groq:openai/gpt-oss-20b': model(0.075, 0.3, 131_072, 65_536),
  'groq:openai/gpt-oss-120b': model(0.15, 0.6, 131_072, 65_536),
}

function model(
  inputPrice: number,
  outputPrice: number,
  contextTokens: number,
  outputTokens: number,
): ModelInfo {
  return { inputPrice, outputPrice, contextTokens, outputTokens }
}

/**
 * Price and limits of a model.
 *
 * A dated or `latest` name counts as the model it is a version of (`gpt-4o-2024-11-20`), a gateway's name
 * as the provider's own (`gateway:openai/gpt-4o`), and `groq:gpt-oss-20b` as `groq:openai/gpt-oss-20b`.
 *
 * @param models entries that win over the table, by `provider:model`
 * @throws UnknownModelError
 */
export function findModel(modelId: string, models: Readonly<Record<string, ModelInfo>> = {}): ModelInfo {
  for (const name of namesOf(modelId)) {
    for (const table of [models, MODEL_TABLE]) {
      const found = Object.hasOwn(table, name) ? table[name] : undefined
      if (found) return found
    }
  }
  throw new UnknownModelError(modelId)
}

function namesOf(modelId: string): string[] {
  const undated = modelId.replace(/-(\d{4}-\d{2}-\d{2}|\d{8}|latest)$/, '')
  return [modelId, undated].flatMap((name) => [
    name,
    name.replace(/^gateway:([^/]+)\//, '$1:'),
    name.replace(/^groq:gpt-oss/, 'groq:openai/gpt-oss'),
  ])
}

/** A model without known price and limits; the message explains how to pass them. */
export class UnknownModelError extends Error {
  override readonly name = 'UnknownModelError'

  constructor(readonly modelId: string) {
    super(
      `Unknown model "${modelId}": its price and context size are not on file. Use an id of the form ` +
        `"provider:model", pass its figures as estimateUsage(id, text, { models: { "${modelId}": … } }), ` +
        'or add it to lib/context/estimate/model-table.ts.',
    )
  }
}
