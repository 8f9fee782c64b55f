import type { LanguageModelV4 } from '@ai-sdk/provider'
import { versionless } from '@/lib/gateway/find-model'
import { boundedFetch } from './bounded-fetch'
import { type FoundServer, localServers } from './catalogue/local-models'
import { documents, free, knownFacts, type ModelFacts, nothingKnown } from './catalogue/model-facts'
import { type Corrections, corrected, readModelsFile } from './catalogue/models-file'
import { COMPATIBLE, type KnownProvider, knownProviders } from './catalogue/providers'
import { demoModel } from './demo-model'
import {
  compatibleModel,
  type Entry,
  hostedModel,
  type ModelOptions,
  type Opening,
  type Unlisted,
} from './model-entries'
import { ModelSettingError, ProviderNotConfiguredError, UnknownModelError } from './model-errors'
import type { ModelChoice, Models, OwnKey } from './models'
import { ownHostFetch } from './own-host-fetch'
import { taking } from './prompt/taking'
import { type Access, type Credential, spokenBy } from './reach'
import { DEFAULT_SILENCE, LONGEST_SILENCE, patientFetch, unhurriedFetch } from './wire/patient-fetch'
import { withShortWaits } from './wire/short-waits'

type ModelEnv = Readonly<Record<string, string | undefined>>

const DEMO = 'demo:demo'

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
  const silenceMs = silenceOf(env)
  const platformFetch = given.fetch ?? unhurriedFetch
  const options: ModelOptions = { ...given, fetch: patientFetch(ownHostFetch(platformFetch), silenceMs) }
  // on a person's own machine the keys of the environment are that person's
  const ofServer: Opening = { ...options, isShared: given.onLaptop !== true }
  const ownFetch = boundedFetch(ownHostFetch(given.ownFetch ?? platformFetch))
  const ofKey = (key: OwnKey): ModelOptions => ({
    ...given,
    fetch: patientFetch(ownFetch, key.silenceMs ?? silenceMs),
  })
  const corrections = readModelsFile(setting(env, 'RAMIFY_MODELS_FILE'))
  const entries = new Map<string, Entry>()
  const add = (entry: Entry) => entries.set(entry.id, entry)
  const unlisted = new Map<string, Unlisted>()
  const keepsToList = given.onLaptop !== true && setting(env, 'RAMIFY_UNLISTED_MODELS') !== 'on'

  const unlistedOf = (provider: KnownProvider, apiKey?: string): Unlisted => {
    const access = { apiKey, baseURL: baseOf(provider, env) }
    const open = (model: string) => hostedModel(provider, model, access, ofServer)
    return { name: provider.name, protocols: spokenBy(provider.name), open, keepsToList }
  }

  for (const provider of knownProviders) {
    const apiKey = setting(env, provider.variable)
    if (apiKey === undefined) continue
    const asked = unlistedOf(provider, apiKey)
    for (const model of namesOf(provider, corrections)) add(asked.open(model))
    unlisted.set(provider.name, asked)
  }
  const compatible = compatibleServer(env)
  if (compatible) {
    const { names, access } = compatible
    const opening = { ...ofServer, address: access.baseURL }
    const open = (name: string) => compatibleModel(COMPATIBLE, { name }, access, opening)
    for (const name of names) add(open(name))
    unlisted.set(COMPATIBLE, { name: COMPATIBLE, protocols: spokenBy(COMPATIBLE), open, keepsToList })
  }
  const delayMs = demoDelay(env)
  // one for everybody: it counts how often it was asked the same
  const demoOnce = demoModel({ delayMs, faults: options.faults })
  const demo: Entry = {
    id: DEMO,
    label: 'Demo (built in, no key)',
    provider: 'demo',
    found: { name: 'demo', input: documents, tools: true, reasoning: false, price: free },
    open: () => demoOnce,
  }
  add(demo)

  const wanted = setting(env, 'RAMIFY_DEFAULT_MODEL')
  const defaultId = chooseDefault()
  const layer = { env, corrections, clock: given.clock ?? Date.now, keyless: unlistedOf }
  return offer(layer, { entries, unlisted, defaultId }, (more) => {
    const added = new Map<string, Entry>()
    const ofKeys = new Map<string, Unlisted>()
    for (const key of more.keys ?? []) {
      for (const entry of modelsOfKey(key, corrections, ofKey(key))) added.set(entry.id, entry)
      ofKeys.set(key.provider, unlistedOfKey(key, ofKey(key)))
    }
    for (const server of more.local ?? []) {
      for (const entry of modelsOfServer(server, options))
        if (!added.has(entry.id)) added.set(entry.id, entry)
    }
    const isOpen = (entry: Entry) =>
      !more.keys?.some(({ provider, isReadable }) => provider === entry.provider && !isReadable)
    const first = [...added.values()].find(isOpen)?.id
    const all = new Map([
      ...added,
      ...[...entries].filter(([id]) => !added.has(id) && id !== DEMO),
      [DEMO, demo],
    ])
    return offer(layer, {
      entries: all,
      unlisted: new Map([...ofKeys, ...[...unlisted].filter(([name]) => !ofKeys.has(name))]),
      defaultId: wanted === undefined && defaultId === DEMO ? (first ?? DEMO) : defaultId,
    })
  })

  function chooseDefault(): string {
    // Insertion order: a configured provider's first model stands before the demo model.
    if (wanted === undefined) return entries.keys().next().value ?? DEMO
    if (entries.has(wanted)) return wanted
    const { name, provider, model } = splitId(wanted)
    const apiKey = provider && setting(env, provider.variable)
    if (provider && model && apiKey) {
      add(hostedModel(provider, model, { apiKey, baseURL: baseOf(provider, env) }, options))
      return wanted
    }
    // its server may be started later
    const server = localServers.find((local) => local.name === name)
    if (server && model && usesLocalModels(env, given.onLaptop)) {
      const [entry] = modelsOfServer({ ...server, models: [{ name: model, price: free }] }, options)
      if (entry) add(entry)
      return wanted
    }
    throw new ModelSettingError(
      'RAMIFY_DEFAULT_MODEL',
      `cannot be used: ${whyMissing(wanted, env, entries).message}`,
    )
  }
}

/**
 * True when models on this machine are offered: on a laptop unless switched off, on a server only when switched on.
 *
 * @param onLaptop without it, a machine without `DATABASE_URL` counts as a laptop
 */
export function usesLocalModels(
  env: ModelEnv,
  onLaptop = setting(env, 'DATABASE_URL') === undefined,
): boolean {
  const wish = setting(env, 'RAMIFY_LOCAL_MODELS')
  return wish === undefined ? onLaptop : wish === 'on'
}

interface Layer {
  env: ModelEnv
  corrections: Corrections
  clock: () => number
  /** reaches a provider without a stored key */
  keyless: (provider: KnownProvider) => Unlisted
}

/** The offer: the models of the lists, and the providers that are asked for others. */
interface Offered {
  entries: ReadonlyMap<string, Entry>
  unlisted: ReadonlyMap<string, Unlisted>
  defaultId: string
}

/** Google has the name of a model in the address. */
const UNFIT_NAME = /[^\w.-]/

function offer(
  { env, corrections, clock, keyless }: Layer,
  { entries, unlisted, defaultId }: Offered,
  extend?: Models['with'],
): Models {
  const opened = new Map<string, LanguageModelV4>()
  /** A provider is asked for any name on a client's own credential, and without a stored key. */
  const providerOf = (id: string, own?: Credential): Unlisted | undefined => {
    const { name, provider } = splitId(id)
    const known = unlisted.get(name) ?? (own && provider && keyless(provider))
    return known && own ? { ...known, keepsToList: false } : known
  }
  const entryOf = (id: string, own?: Credential): Entry => {
    const listed = entries.get(id)
    if (listed !== undefined) return listed
    const { name, model } = splitId(id)
    const provider = providerOf(id, own)
    const isFit = model !== '' && !(name === 'google' && UNFIT_NAME.test(model))
    if (provider === undefined || !isFit) throw whyMissing(id, env, entries)
    if (provider.keepsToList && !entries.has(`${name}:${versionless(model)}`))
      throw new UnknownModelError(id, [...entries.keys()], true)
    return provider.open(model)
  }
  const open = (id: string): LanguageModelV4 => {
    const entry = entryOf(id)
    const model = withShortWaits(entry.open())
    return entry.receiver ? taking(model, entry.receiver) : model
  }
  const shown = ({ id, label, provider }: Entry): ModelChoice => ({
    id,
    label: corrections[id]?.name ?? label,
    provider,
  })
  const models: Models = {
    list: () => [...entries.values()].map(shown),
    describe: () =>
      [...entries.values()].map((entry) => ({
        ...shown(entry),
        ...corrected(factsOf(entry, clock()), corrections[entry.id]),
      })),
    defaultId,
    providers: [...unlisted.values()],
    get(id) {
      const model = opened.get(id) ?? open(id)
      opened.set(id, model)
      return model
    },
    reach: (id, own) => entryOf(id, own).reach?.(own),
    reachProvider: (name, own) => providerOf(`${name}:`, own)?.open('').reach?.(own),
    receiver(id) {
      if (id === DEMO) return undefined
      const { name, model } = splitId(id)
      return entries.get(id)?.receiver ?? { provider: name, model }
    },
    with: (more) => extend?.(more) ?? models,
  }
  return models
}

/** Our table knows a model better than a list does. */
function factsOf({ id, found }: Entry, at: number): ModelFacts {
  const known = knownFacts(id, at)
  if (!found) return known
  const { name: _name, label: _label, ...says } = found
  return known === nothingKnown ? { ...nothingKnown, ...says } : known
}

function whyMissing(id: string, env: ModelEnv, entries: ReadonlyMap<string, Entry>): Error {
  const variable = missingVariable(id, env)
  if (variable) return new ProviderNotConfiguredError(id, variable)
  return new UnknownModelError(id, [...entries.keys()])
}

/** A provider's models, from our list and from the operator's file. */
function namesOf({ name, models }: KnownProvider, corrections: Corrections): Set<string> {
  const added = Object.keys(corrections).filter((id) => id.startsWith(`${name}:`))
  return new Set([...models.keys(), ...added.map((id) => id.slice(name.length + 1))])
}

/** Reaches a provider with a person's key. */
const accessOfKey = (key: OwnKey, provider: KnownProvider | undefined): Access => ({
  get apiKey() {
    return key.open()
  },
  baseURL: key.baseUrl ?? provider?.baseUrl,
})

const providerOfKey = (key: OwnKey) => knownProviders.find(({ name }) => name === key.provider)

/** A person's own key is asked for any name. */
function unlistedOfKey(key: OwnKey, options: ModelOptions): Unlisted {
  const provider = providerOfKey(key)
  const access = accessOfKey(key, provider)
  const address = key.baseUrl ?? undefined
  const open = (model: string) =>
    provider
      ? hostedModel(provider, model, access, options)
      : compatibleModel(COMPATIBLE, { name: model }, access, { ...options, address })
  return { name: key.provider, protocols: spokenBy(key.provider), open, keepsToList: false }
}

/**
 * A person's key offers our list of its provider, as far as the key may use it; without one, the models that the
 * provider listed.
 */
function modelsOfKey(key: OwnKey, corrections: Corrections, options: ModelOptions): Entry[] {
  const provider = providerOfKey(key)
  const access = accessOfKey(key, provider)
  const listed = new Map(key.models.map((model) => [model.name, model]))
  const address = key.baseUrl ?? undefined
  if (!provider) {
    return key.models.map((model) => compatibleModel(COMPATIBLE, model, access, { ...options, address }))
  }
  const ours = [...namesOf(provider, corrections)].filter(
    (name) => listed.has(name) || corrections[`${provider.name}:${name}`],
  )
  const names = provider.check === undefined && ours.length > 0 ? ours : [...listed.keys()]
  return names.map((name) => ({
    ...hostedModel(provider, name, access, options),
    label: provider.models.get(name) ?? listed.get(name)?.label ?? name,
    found: listed.get(name),
  }))
}

const modelsOfServer = ({ name, url, models }: FoundServer, options: ModelOptions): Entry[] =>
  models.map((model) => compatibleModel(name, model, { baseURL: `${url}/v1` }, { ...options, address: url }))

const baseOf = ({ name }: KnownProvider, env: ModelEnv): string | undefined =>
  name === 'openai' || name === 'anthropic' ? setting(env, `${name.toUpperCase()}_BASE_URL`) : undefined

/** The server of the environment that speaks OpenAI's protocol, and the models that are listed of it. */
function compatibleServer(env: ModelEnv): { names: string[]; access: Access } | undefined {
  const baseURL = setting(env, 'OPENAI_COMPATIBLE_BASE_URL')
  if (baseURL === undefined) {
    if (setting(env, 'OPENAI_COMPATIBLE_MODELS') === undefined) return undefined
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
  return { names, access: { baseURL, apiKey: setting(env, 'OPENAI_COMPATIBLE_API_KEY') } }
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

/** Silence that a model may keep, in ms. */
function silenceOf(env: ModelEnv): number {
  const value = setting(env, 'RAMIFY_MODEL_SILENCE_MS')
  if (value === undefined) return DEFAULT_SILENCE
  const ms = Number(value)
  if (!/^\d+$/.test(value) || ms < 1000 || ms > LONGEST_SILENCE) {
    throw new ModelSettingError(
      'RAMIFY_MODEL_SILENCE_MS',
      `must be whole milliseconds between 1000 and ${LONGEST_SILENCE}, a day`,
    )
  }
  return ms
}

/** A `.env` line without a value counts as not set. */
function setting(env: ModelEnv, variable: string): string | undefined {
  return env[variable]?.trim() || undefined
}
