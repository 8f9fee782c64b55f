import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { OpenProvider } from '@/lib/gateway/provider-of'
import { isRouted, withCacheMarks, withMarkedBlocks } from './cache-marks'
import type { FoundModel } from './catalogue/found-models'
import { COMPATIBLE, type KnownProvider } from './catalogue/providers'
import type { ModelChoice } from './models'
import type { Receiver } from './prompt/takes'
import { type Access, type Credential, compatibleReach, type Reach, reachOf } from './reach'
import { withAddedParts } from './wire/added-parts'
import { pliantFetch } from './wire/pliant-fetch'
import { wireFetch } from './wire/wire-fetch'

export type ModelOptions = {
  /** Lets the demo model obey its documented fault phrases. For tests. */
  readonly faults?: boolean
  /** Replaces `fetch` for every provider that speaks HTTP. */
  readonly fetch?: typeof globalThis.fetch
  /** Reaches the addresses that people give; `fetch` unless given. */
  readonly ownFetch?: typeof globalThis.fetch
  /** True on a person's own machine; see `usesLocalModels`. */
  readonly onLaptop?: boolean
  /** The time that decides which price holds. */
  readonly clock?: () => number
}

/** The options that the models of one source are opened with. */
export type Opening = ModelOptions & {
  readonly isShared?: boolean
  /** the server's address, where it is not its provider's own */
  readonly address?: string | undefined
}

export type Entry = ModelChoice & {
  /** the facts that its provider or server tells */
  readonly found?: FoundModel
  readonly open: () => LanguageModelV4
  readonly reach?: (own?: Credential) => Reach
  /** undefined for the demo model */
  readonly receiver?: Receiver
}

/** The models of a provider that no list has. */
export type Unlisted = OpenProvider & {
  readonly open: (model: string) => Entry
}

/** A model of a provider that has its key, also a model that our short list lacks. */
export function hostedModel(provider: KnownProvider, model: string, access: Access, options: Opening): Entry {
  const { name, models, baseUrl } = provider
  const id = `${name}:${model}`
  const label = models.get(model) ?? model
  const { fetch = globalThis.fetch } = options
  const compatible = () => {
    const { apiKey, baseURL = baseUrl } = access
    return compatibleModel(name, { name: model }, { apiKey, baseURL }, options).open()
  }
  const open = {
    openai: () => createOpenAI({ ...access, fetch: wireFetch(fetch, 'responses') })(model),
    anthropic: () =>
      withCacheMarks(createAnthropic({ ...access, fetch: wireFetch(fetch, 'messages') })(model)),
    google: () => createGoogleGenerativeAI({ ...access, fetch: wireFetch(fetch, 'google') })(model),
    groq: compatible,
    openrouter: compatible,
    gateway: compatible,
  }[name]
  const reach = reachOf(provider, model, access, options)
  const receiver = { provider: name, model, address: options.address }
  return { id, label, provider: name, open, receiver, ...(reach && { reach }) }
}

/** A model behind OpenAI's protocol. */
export function compatibleModel(
  provider: string,
  found: FoundModel,
  access: Access,
  options: Opening,
): Entry {
  const { name, label = name } = found
  const { fetch = globalThis.fetch } = options
  const open = () => {
    const { apiKey, baseURL = '' } = access
    const read = wireFetch(pliantFetch(fetch), 'chat-completions')
    // Without includeUsage a streamed reply reports no tokens at all.
    const settings = { name: provider, baseURL, includeUsage: true, apiKey, fetch: read }
    if (!isRouted(provider, name)) return withAddedParts(createOpenAICompatible(settings)(name))
    const routed = createOpenAICompatible({ ...settings, transformRequestBody: withMarkedBlocks })
    return withCacheMarks(withAddedParts(routed(name)), 'openaiCompatible')
  }
  // a server on this machine needs no credential, and learns none
  const reach = (own?: Credential) =>
    compatibleReach(name, access, options, provider === COMPATIBLE ? own : undefined)
  const receiver = { provider, model: name, address: options.address }
  return { id: `${provider}:${name}`, label, provider, found, open, reach, receiver }
}
