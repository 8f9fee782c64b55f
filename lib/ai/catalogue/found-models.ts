import { z } from 'zod'
import type { ModelFacts, ModelPrice } from './model-facts'

/** A model that a provider's own list names, with what the list says of it. */
export interface FoundModel extends Partial<ModelFacts> {
  readonly name: string
  readonly label?: string
}

/** Models of one list that are kept. */
const MOST_MODELS = 400
const LONGEST_NAME = 200

/** Models of one list that are looked at: those of the longest lists are a few hundred. */
const MOST_LISTED = 3000
/** The largest window, in tokens, and price, in dollars for a million tokens, that is believed. */
const LARGEST = 1e9

/** Lists write numbers as numbers or as texts; anything else is not known. */
const number = z
  .union([z.number(), z.string().trim().min(1).transform(Number)])
  .pipe(z.number().nonnegative().max(LARGEST))
  .optional()
  .catch(undefined)

/** A list of OpenAI's form, with what OpenRouter and the AI Gateway say besides; or Google's. */
const listed = z.union([
  z.object({
    data: z.array(
      z.looseObject({
        id: z.string(),
        name: z.string().optional().catch(undefined),
        type: z.string().optional().catch(undefined),
        context_length: number,
        context_window: number,
        architecture: z
          .object({
            input_modalities: z.array(z.string()),
            output_modalities: z.array(z.string()).optional(),
          })
          .optional()
          .catch(undefined),
        supported_parameters: z.array(z.string()).optional().catch(undefined),
        tags: z.array(z.string()).optional().catch(undefined),
        pricing: z
          .looseObject({
            ...{ prompt: number, completion: number, input: number, output: number },
            input_cache_read: number,
            input_cache_write: number,
          })
          .optional()
          .catch(undefined),
      }),
    ),
  }),
  z.object({
    models: z.array(
      z.looseObject({
        name: z.string(),
        displayName: z.string().optional(),
        supportedGenerationMethods: z.array(z.string()).optional(),
      }),
    ),
  }),
])

type Listed = Extract<z.output<typeof listed>, { data: unknown }>['data'][number]

/** The models of a provider's list that can chat; undefined for JSON that is no such list. */
export function modelsIn(json: unknown): FoundModel[] | undefined {
  const parsed = listed.safeParse(shortened(json))
  if (!parsed.success) return undefined
  const found =
    'data' in parsed.data
      ? parsed.data.data.filter(canChat).map(foundIn)
      : parsed.data.models
          .filter(({ supportedGenerationMethods: does }) => does?.includes('generateContent') ?? true)
          .map(({ name, displayName }) => ({ name: name.replace(/^models\//, ''), label: displayName }))
  const named = new Map(found.filter(({ name }) => isName(name)).map((model) => [model.name, tidy(model)]))
  return [...named.values()].slice(0, MOST_MODELS)
}

/** Only the beginning of a list is checked: the time that takes is bounded too. */
function shortened(json: unknown): unknown {
  if (typeof json !== 'object' || json === null) return json
  const { data, models }: { data?: unknown; models?: unknown } = json
  if (Array.isArray(data)) return { data: data.slice(0, MOST_LISTED) }
  return Array.isArray(models) ? { models: models.slice(0, MOST_LISTED) } : json
}

const isName = (name: string): boolean =>
  name.trim() !== '' && name.length <= LONGEST_NAME && name.isWellFormed() && !/\p{Cc}/u.test(name)

/** Models for other work, by their type or, where the list has none, by their name. */
function canChat({ id, type, architecture }: Listed): boolean {
  if (type !== undefined && /^(?:embedding|image|video|speech|transcription|rerank)/.test(type)) return false
  if (architecture?.output_modalities?.includes('text') === false) return false
  return !/(?:^|[-/:])(?:embed|embedding|embeddings|whisper|tts|dall-e|moderation|rerank)/i.test(id)
}

function foundIn(model: Listed): FoundModel {
  const window = model.context_length ?? model.context_window
  const says = model.supported_parameters ?? model.tags
  return {
    name: model.id,
    label: model.name,
    ...(window !== undefined && window > 0 && { window: Math.floor(window) }),
    ...(model.architecture && { input: mediaTypes(model.architecture.input_modalities) }),
    ...(says && {
      tools: says.includes('tools') || says.includes('tool-use'),
      reasoning: says.includes('reasoning'),
    }),
    price: priceIn(model.pricing),
  }
}

/** Lists tell dollars per token. */
function priceIn(pricing: Listed['pricing']): ModelPrice | null {
  const perMillion = (each: number | undefined) => {
    if (each === undefined || each * 1e6 > LARGEST) return null
    return Math.round(each * 1e12) / 1e6
  }
  const input = perMillion(pricing?.prompt ?? pricing?.input)
  const output = perMillion(pricing?.completion ?? pricing?.output)
  if (input === null || output === null) return null
  const write = perMillion(pricing?.input_cache_write)
  return {
    input,
    output,
    cached: perMillion(pricing?.input_cache_read),
    ...(write !== null && { cache_write: write }),
  }
}

const types = new Map([
  ['image', 'image/*'],
  ['audio', 'audio/*'],
  ['video', 'video/*'],
  ['file', 'application/pdf'],
])

/** Each type once, however often the list names it. */
const mediaTypes = (modalities: readonly string[]): string[] => [
  ...new Set(['text/plain', ...modalities.flatMap((modality) => types.get(modality) ?? [])]),
]

/** Without what is not known: the list is stored. */
const tidy = ({ label, price, ...model }: FoundModel): FoundModel => ({
  ...model,
  ...(label !== undefined &&
    isName(label) &&
    label !== model.name && { label: label.slice(0, 100).toWellFormed() }),
  ...(price && { price }),
})
