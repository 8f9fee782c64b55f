import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, type LanguageModelV4 } from '@ai-sdk/provider'
import { wrapLanguageModel } from 'ai'
import { demoModel } from './demo-model'
import { retryAfter } from './explain-error'
import { type KnownProvider, knownProviders } from './known-models'
import { ModelSettingError, ProviderNotConfiguredError, UnknownModelError } from './model-errors'
import { ownHostFetch } from './own-host-fetch'

type ModelEnv = Readonly<Record<string, string | undefined>>

/** What a person picks from. `id` is `provider:model` and may hold further colons after the first. */
type ModelChoice = { readonly id: string; readonly label: string; readonly provider: string }

export type Models = {
  /** Every model that can answer now, in the order to show them; the demo model comes last. */
  list(): ModelChoice[]
  /** The model where none is chosen. Always one of `list()`. */
  readonly defaultId: string
  /**
   * The model behind an id. Throws `UnknownModelError` for an id that is not listed and
   * `ProviderNotConfiguredError` for one whose provider has no key.
   */
  get(id: string): LanguageModelV4
}

export type ModelOptions = {
  /** Lets the demo model obey its documented fault phrases. For tests. */
  readonly faults?: boolean
  /** Replaces `fetch` for every provider that speaks HTTP. */
  readonly fetch?: typeof globalThis.fetch
}

const DEMO = 'demo:demo'
const COMPATIBLE = 'openai-compatible'

type Entry = ModelChoice & { readonly open: () => LanguageModelV4 }

/**
 * Reads which providers are on from an environment and offers their models.
 * Throws `ModelSettingError`, one line that names the variable, for a value that cannot work.
 * Opens no connection: a provider is first asked when its model answers.
 *
 * @example
 * const models = createModels(process.env)
 * const model = models.get(models.defaultId)
 */
export function createModels(env: ModelEnv, given: ModelOptions = {}): Models {
  const options: ModelOptions = { ...given, fetch: ownHostFetch(given.fetch) }
  const entries = new Map<string, Entry>()
  const add = (entry: Entry) => entries.set(entry.id, entry)

  for (const provider of knownProviders.filter(({ variable }) => setting(env, variable))) {
    for (const model of provider.models.keys()) add(hostedModel(provider, model, env, options))
  }
  for (const entry of compatibleModels(env, options)) add(entry)
  const delayMs = demoDelay(env)
  add({
    id: DEMO,
    label: 'Demo (built in, no key)',
    provider: 'demo',
    open: () => demoModel({ delayMs, faults: options.faults }),
  })

  const opened = new Map<string, LanguageModelV4>()
  const open = (id: string): LanguageModelV4 => {
    const entry = entries.get(id)
    if (entry === undefined) throw whyMissing(id)
    return withShortWaits(entry.open())
  }

  return {
    list: () => [...entries.values()].map(({ id, label, provider }) => ({ id, label, provider })),
    defaultId: chooseDefault(),
    get(id) {
      const model = opened.get(id) ?? open(id)
      opened.set(id, model)
      return model
    },
  }

  function chooseDefault(): string {
    const wanted = setting(env, 'RAMIFY_DEFAULT_MODEL')
    // Insertion order: a configured provider's first model stands before the demo model.
    if (wanted === undefined) return entries.keys().next().value ?? DEMO
    if (entries.has(wanted)) return wanted
    const { provider, model } = splitId(wanted)
    if (provider && model && setting(env, provider.variable)) {
      add(hostedModel(provider, model, env, options))
      return wanted
    }
    throw new ModelSettingError('RAMIFY_DEFAULT_MODEL', `cannot be used: ${whyMissing(wanted).message}`)
  }

  function whyMissing(id: string): Error {
    const variable = missingVariable(id, env)
    if (variable) return new ProviderNotConfiguredError(id, variable)
    return new UnknownModelError(id, [...entries.keys()])
  }
}

/** A model of a provider that has its key, also one that our short list lacks. */
function hostedModel(provider: KnownProvider, model: string, env: ModelEnv, options: ModelOptions): Entry {
  const { name, variable, models } = provider
  const settings = { apiKey: setting(env, variable), fetch: options.fetch }
  const open = {
    openai: () => createOpenAI({ ...settings, baseURL: setting(env, 'OPENAI_BASE_URL') })(model),
    anthropic: () => createAnthropic(settings)(model),
    google: () => createGoogleGenerativeAI(settings)(model),
  }[name]
  return { id: `${name}:${model}`, label: models.get(model) ?? model, provider: name, open }
}

function compatibleModels(env: ModelEnv, options: ModelOptions): Entry[] {
  const baseURL = setting(env, 'OPENAI_COMPATIBLE_BASE_URL')
  if (baseURL === undefined) {
    if (setting(env, 'OPENAI_COMPATIBLE_MODELS') === undefined) return []
    throw new ModelSettingError(
      'OPENAI_COMPATIBLE_BASE_URL',
      'is missing although OPENAI_COMPATIBLE_MODELS is set, e.g. http://127.0.0.1:11434/v1',
    )
  }
  if (!/^https?:\/\//i.test(baseURL) || !URL.canParse(baseURL)) {
    throw new ModelSettingError(
      'OPENAI_COMPATIBLE_BASE_URL',
      'must be an http or https address, e.g. http://127.0.0.1:11434/v1',
    )
  }
  const names = (setting(env, 'OPENAI_COMPATIBLE_MODELS') ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  if (names.length === 0) {
    throw new ModelSettingError(
      'OPENAI_COMPATIBLE_MODELS',
      'is missing although OPENAI_COMPATIBLE_BASE_URL is set: list the model names, separated by commas',
    )
  }
  const apiKey = setting(env, 'OPENAI_COMPATIBLE_API_KEY')
  const provider = createOpenAICompatible({
    name: COMPATIBLE,
    baseURL,
    // Without it a streamed reply reports no tokens at all.
    includeUsage: true,
    apiKey,
    fetch: options.fetch,
  })
  return names.map((name) => ({
    id: `${COMPATIBLE}:${name}`,
    label: name,
    provider: COMPATIBLE,
    open: () => provider(name),
  }))
}

/** The known provider that an id names, and the name of its model. */
function splitId(id: string): { name: string; model: string; provider: KnownProvider | undefined } {
  const [name = '', ...rest] = id.split(':')
  return { name, model: rest.join(':'), provider: knownProviders.find((known) => known.name === name) }
}

function missingVariable(id: string, env: ModelEnv): string | undefined {
  const { name, model, provider } = splitId(id)
  const variable = name === COMPATIBLE ? 'OPENAI_COMPATIBLE_BASE_URL' : provider?.variable
  return model && variable && !setting(env, variable) ? variable : undefined
}

function demoDelay(env: ModelEnv): number {
  const value = setting(env, 'RAMIFY_DEMO_DELAY_MS')
  if (value === undefined) return 20
  if (!/^\d{1,5}$/.test(value)) {
    throw new ModelSettingError('RAMIFY_DEMO_DELAY_MS', 'must be whole milliseconds between 0 and 99999')
  }
  return Number(value)
}

/** A `.env` line without a value counts as not set. */
function setting(env: ModelEnv, variable: string): string | undefined {
  return env[variable]?.trim() || undefined
}

/** The longest silent wait for a provider. */
const LONGEST_MS = 2_000

/**
 * A model that retries only after a short pause. By itself, the AI SDK waits in silence for a `Retry-After` of up to a minute,
 * while the reader could be told and choose another model.
 */
const withShortWaits = (model: LanguageModelV4): LanguageModelV4 =>
  wrapLanguageModel({
    model,
    middleware: {
      wrapStream: async ({ doStream }) => {
        try {
          return await doStream()
        } catch (error) {
          // it is not worth another try at once
          throw asksForLong(error) ? Object.assign(error, { isRetryable: false }) : error
        }
      },
    },
  })

const asksForLong = (error: unknown): error is APICallError =>
  APICallError.isInstance(error) &&
  error.isRetryable &&
  (retryAfter(error.responseHeaders ?? {}) ?? 0) > LONGEST_MS
