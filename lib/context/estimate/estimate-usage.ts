import { estimateTokens } from './estimate-tokens'
import { findModel, type ModelInfo } from './model-table'

/** Estimated usage of a prompt. */
export interface UsageEstimate {
  modelId: string
  provider: string
  /** Input tokens, by `estimateTokens`. */
  tokens: number
  /** USD for reading these tokens once; the reply is not included, its length is unknown. */
  cost: number
  limits: {
    /** Tokens that fit into the model's context. */
    context: number
    /** Tokens of the longest reply. */
    output: number
    exceedsContext: boolean
  }
}

/**
 * Tokens, cost and limits of a prompt for one model (Context Engine, “inspect”).
 *
 * @param modelId `provider:model`, as everywhere
 * @param text the prompt, whole or in parts: system prompt, messages…
 * @param options.models figures of unlisted models, or other figures for listed ones
 * @throws UnknownModelError when the model is in neither
 *
 * @example estimateUsage('openai:gpt-4o', [systemPrompt, ...messages.map(messageText)])
 */
export function estimateUsage(
  modelId: string,
  text: string | readonly string[],
  options: { models?: Readonly<Record<string, ModelInfo>> | undefined } = {},
): UsageEstimate {
  const { inputPrice, contextTokens, outputTokens } = findModel(modelId, options.models)
  const tokens = estimateTokens(text)
  return {
    modelId,
    provider: modelId.split(':', 1)[0] ?? modelId,
    tokens,
    cost: (tokens * inputPrice) / 1_000_000,
    limits: { context: contextTokens, output: outputTokens, exceedsContext: tokens > contextTokens },
  }
}

/** Estimated usage of one part of a prompt. */
export interface FragmentEstimate {
  /** Name of the fragment, or the role of the message. */
  name: string
  id?: string
  tokens: number
  /** USD for reading it once. */
  cost: number
}

/** Estimated usage of a prompt, as a whole and part by part. */
export interface PromptEstimate extends UsageEstimate {
  /**
   * In the order of the prompt. Every part is rounded up by itself, and separators count in the whole only,
   * so the parts do not add up to `tokens` exactly.
   */
  fragments: FragmentEstimate[]
}

/**
 * Like `estimateUsage`, with a figure for every part.
 *
 * @param prompt.text the whole of it
 * @param prompt.parts the same text, by fragment and message
 * @throws UnknownModelError when the model is not on file and not in `options.models`
 */
export function estimatePrompt(
  modelId: string,
  prompt: {
    text: readonly string[]
    parts: readonly { name: string; id?: string | undefined; text: string }[]
  },
  options: { models?: Readonly<Record<string, ModelInfo>> | undefined } = {},
): PromptEstimate {
  const { inputPrice } = findModel(modelId, options.models)
  const fragments = prompt.parts.map(({ name, id, text }): FragmentEstimate => {
    const tokens = estimateTokens(text)
    return { name, ...(id === undefined ? {} : { id }), tokens, cost: (tokens * inputPrice) / 1_000_000 }
  })
  return { ...estimateUsage(modelId, prompt.text, options), fragments }
}
