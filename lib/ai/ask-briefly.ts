import { generateText, type LanguageModel } from 'ai'

export interface BriefQuestion {
  readonly model: LanguageModel
  readonly instructions: string
  readonly prompt: string
  readonly abortSignal: AbortSignal
}

/** What a model says in a few words, and what that took. */
export interface BriefAnswer {
  readonly text: string
  readonly tokens: number
}

/** Room for a few words, and for what a reasoning model thinks before them. */
const MAX_TOKENS = 300

/** Asks a model for a few words: once, without a stream. Rejects when it fails or is aborted. */
export async function askBriefly({
  model,
  instructions,
  prompt,
  abortSignal,
}: BriefQuestion): Promise<BriefAnswer> {
  const { text, usage } = await generateText({
    ...{ model, instructions, prompt, abortSignal },
    maxOutputTokens: MAX_TOKENS,
    maxRetries: 0,
    // models that do not reason leave it out
    providerOptions: { openai: { reasoningEffort: 'low' } },
  })
  return { text, tokens: usage.totalTokens ?? 0 }
}
