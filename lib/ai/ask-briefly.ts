import { generateText, type LanguageModel } from 'ai'
import { withoutThoughts } from '@/lib/events/split-thoughts'

export interface BriefQuestion {
  readonly model: LanguageModel
  readonly instructions: string
  readonly prompt: string
  readonly abortSignal: AbortSignal
}

/** A model’s words for a brief request, without the thoughts that it wrote into them, and their tokens. */
export interface BriefAnswer {
  readonly text: string
  readonly tokens: number
}

/** Room for a few words, and for the thoughts of a reasoning model before them. */
const MAX_TOKENS = 300

/** Room for a summary, and for the thoughts of a reasoning model before it. */
const MAX_SUMMARY_TOKENS = 4000
/** Limit of the wait for a summary, in ms. */
const SUMMARY_MS = 120_000

/**
 * Asks a model to sum up a conversation, or what `instructions` say: once, without a stream. Rejects when it fails or is
 * aborted.
 */
export async function askForSummary({
  model,
  prompt,
  abortSignal,
  instructions = summaryInstructions,
}: Omit<BriefQuestion, 'instructions'> & Partial<Pick<BriefQuestion, 'instructions'>>): Promise<BriefAnswer> {
  const { text, usage } = await generateText({
    model,
    prompt,
    instructions,
    abortSignal: AbortSignal.any([abortSignal, AbortSignal.timeout(SUMMARY_MS)]),
    maxOutputTokens: MAX_SUMMARY_TOKENS,
  })
  return { text: withoutThoughts(text), tokens: usage.totalTokens ?? 0 }
}

const summaryInstructions = `Sum up the beginning of a conversation, for the model that goes on with it and cannot read it.
Keep every fact, name, number, decision, wish and open question, and what was said of files and results of tools. Where it
matters, say who said it. Write plain text without an introduction, in the language of the conversation, in at most 600 words.`

/** Asks a model for a few words: once, without a stream. Rejects when it fails or is aborted. */
export async function askBriefly({
  model,
  instructions,
  prompt,
  abortSignal,
}: BriefQuestion): Promise<BriefAnswer> {
  const { text, usage } = await generateText({
    model,
    instructions,
    prompt,
    abortSignal,
    maxOutputTokens: MAX_TOKENS,
    maxRetries: 0,
    // models that do not reason leave it out
    providerOptions: { openai: { reasoningEffort: 'low' } },
  })
  return { text: withoutThoughts(text), tokens: usage.totalTokens ?? 0 }
}
