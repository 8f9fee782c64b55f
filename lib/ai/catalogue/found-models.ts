import { isRecord } from '@/lib/events/is-record'
import type { ModelFacts, ModelPrice } from './model-facts'

/** A model that a provider's own list names, with the list's facts of it. */
export interface FoundModel extends Partial<ModelFacts> {
  readonly name: string
  readonly label?: string
}

/** Models of one list that are kept. */
export const MOST_MODELS = 400
const LONGEST_NAME = 200

/** Models of one list that are looked at: the longest lists have a few hundred. */
const MOST_LISTED = 3000
/** The largest window, in tokens, and price, in dollars for a million tokens, that is believed. */
const LARGEST = 1e9

/** The keys under which a list stands; a bare list has none. */
const LIST_KEYS = ['data', 'models', 'items', 'results', 'result']
/** The keys of an entry that name a model where it has no id. */
const NAME_KEYS = ['name', 'model', 'slug', 'key']
const LABEL_KEYS = ['display_name', 'displayName', 'name', 'title']

/** Lists write numbers as numbers or as texts; anything else is not known. */
function numberIn(value: unknown): number | undefined {
  const text = typeof value === 'string' ? value.trim() : value
  const number = typeof text === 'string' && text !== '' ? Number(text) : text
  return typeof number === 'number' && number >= 0 && number <= LARGEST ? number : undefined
}

/** The texts of a list; undefined for a value that is no list. */
const textsIn = (value: unknown): string[] | undefined =>
  Array.isArray(value) ? value.filter((part) => typeof part === 'string') : undefined

type Fields = Readonly<Record<string, unknown>>

const fieldsIn = (value: unknown): Fields => (isRecord(value) ? value : {})

/** An entry of a list, with the name of its model. */
interface Entry {
  name: string
  fields: Fields
}

/**
 * The models of a provider's list that can chat, whatever the shape of the list. Each entry is read by itself: an
 * entry that names no model is left out, and a field that cannot be read is not known.
 *
 * @returns undefined for JSON that is no such list
 */
export function modelsIn(json: unknown): FoundModel[] | undefined {
  const lists = listsIn(json)
  // two lists can stand side by side: the list of OpenAI's form comes first
  const named = lists.map(entriesIn).find((entries) => entries.length > 0)
  if (!named) return lists.some(({ key, entries }) => key !== '' && entries.length === 0) ? [] : undefined
  const found = new Map<string, FoundModel>()
  for (const entry of named) {
    if (isName(entry.name) && canChat(entry) && !found.has(entry.name)) found.set(entry.name, foundIn(entry))
  }
  return [...found.values()].slice(0, MOST_MODELS)
}

interface List {
  /** the key that it stands under */
  key: string
  entries: readonly unknown[]
}

/** The lists that stand in an answer: itself, or below one of the usual keys. */
function listsIn(json: unknown, key = '', depth = 0): List[] {
  if (Array.isArray(json)) return [{ key, entries: json }]
  if (!isRecord(json) || depth > 1) return []
  return LIST_KEYS.flatMap((key) => listsIn(json[key], key, depth + 1))
}

/** Only the beginning of a list is read: the time that takes is bounded too. */
const entriesIn = ({ key, entries }: List): Entry[] =>
  entries.slice(0, MOST_LISTED).flatMap((entry) => entryOf(entry, key))

function entryOf(entry: unknown, listKey: string): Entry | [] {
  if (typeof entry === 'string') return { name: entry, fields: {} }
  const fields = fieldsIn(entry)
  // in OpenAI's form a name is what a model is called in writing
  const keys = 'id' in fields || listKey === 'data' ? ['id'] : NAME_KEYS
  const key = keys.find((key) => typeof fields[key] === 'string' && fields[key] !== '')
  if (key === undefined) return []
  const name = String(fields[key])
  // Google calls a model `models/…`; other servers give the paths of their files as ids, which stay whole
  return { name: key === 'name' ? name.replace(/^models\//, '') : name, fields }
}

const isName = (name: string): boolean =>
  name.trim() !== '' && name.length <= LONGEST_NAME && name.isWellFormed() && !/\p{Cc}/u.test(name)

/** Models for other work, by the purpose in their list or, without one, by their name. */
function canChat({ name, fields }: Entry): boolean {
  const { type } = fields
  if (typeof type === 'string' && OTHER_WORK.test(type)) return false
  if (textsIn(fieldsIn(fields.architecture).output_modalities)?.includes('text') === false) return false
  if (textsIn(fields.supportedGenerationMethods)?.includes('generateContent') === false) return false
  // Cohere's, Mistral's and Ollama's ways to say it
  if (textsIn(fields.endpoints)?.includes('chat') === false) return false
  if (fieldsIn(fields.capabilities).completion_chat === false) return false
  if (/bert/i.test(String(fieldsIn(fields.details).family ?? ''))) return false
  return !/(?:^|[-/:])(?:embed|embedding|embeddings|whisper|tts|dall-e|moderation|rerank)/i.test(name)
}

const OTHER_WORK = /^(?:embed|image|video|speech|audio|transcri|rerank|moderation)/i

function foundIn({ name, fields }: Entry): FoundModel {
  const windows = [
    fields.context_length,
    fields.context_window,
    fields.max_context_length,
    fields.inputTokenLimit,
  ]
  const window = windows.map(numberIn).find((size) => size !== undefined && size > 0)
  const modalities = textsIn(fieldsIn(fields.architecture).input_modalities)
  const says = textsIn(fields.supported_parameters) ?? textsIn(fields.tags)
  const can = textsIn(fields.capabilities)
  const label = LABEL_KEYS.map((key) => fields[key]).find((text) => typeof text === 'string')
  return tidy({
    name,
    ...(typeof label === 'string' && { label }),
    ...(window !== undefined && { window: Math.floor(window) }),
    ...(modalities && { input: mediaTypes(modalities) }),
    // LM Studio's ways to say it
    ...(fields.type === 'llm' && { input: ['text/plain'] }),
    ...(fields.type === 'vlm' && { input: ['text/plain', 'image/*'] }),
    ...(can && { tools: can.includes('tool_use') }),
    ...(says && {
      tools: says.includes('tools') || says.includes('tool-use'),
      reasoning: says.includes('reasoning'),
    }),
    price: priceIn(fieldsIn(fields.pricing)),
  })
}

/** Lists tell dollars per token; lists of providers that rent machines by the hour too tell them for a million. */
function priceIn(pricing: Fields): ModelPrice | null {
  const tokens = 'hourly' in pricing ? 1 : 1e6
  const perMillion = (value: unknown) => {
    const each = numberIn(value)
    if (each === undefined || each * tokens > LARGEST) return null
    return Math.round(each * tokens * 1e6) / 1e6
  }
  const input = perMillion(pricing.prompt ?? pricing.input)
  const output = perMillion(pricing.completion ?? pricing.output)
  if (input === null || output === null) return null
  const write = perMillion(pricing.input_cache_write)
  return {
    input,
    output,
    cached: perMillion(pricing.input_cache_read),
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

/** Without unknown facts: the list is stored. */
const tidy = ({ label, price, ...model }: FoundModel): FoundModel => ({
  ...model,
  ...(label !== undefined &&
    isName(label) &&
    label !== model.name && { label: label.slice(0, 100).toWellFormed() }),
  ...(price && { price }),
})
