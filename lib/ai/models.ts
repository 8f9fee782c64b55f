import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { OpenProvider } from '@/lib/gateway/provider-of'
import type { FoundModel } from './catalogue/found-models'
import type { FoundServer } from './catalogue/local-models'
import type { ModelFacts } from './catalogue/model-facts'
import type { ProviderName } from './catalogue/providers'
import type { Receiver } from './prompt/takes'
import type { Credential, Reach } from './reach'

/** A model that a person can pick. `id` is `provider:model` and may hold further colons after the first. */
export type ModelChoice = { readonly id: string; readonly label: string; readonly provider: string }

/** A person's key for a provider. */
export type OwnKey = {
  readonly provider: ProviderName
  /** address of an OpenAI-compatible server; null for the other providers */
  readonly baseUrl: string | null
  /** silence that its models may keep, in ms; null for the time of the server */
  readonly silenceMs: number | null
  /** models that the provider listed when the key was saved */
  readonly models: readonly FoundModel[]
  /** false when `open` throws */
  readonly isReadable: boolean
  /** The key itself. Throws `KeyUnreadableError` for a key that was saved under another secret of the server. */
  open(): string
}

/** The models offered besides the models of the environment. */
type MoreModels = {
  readonly keys?: readonly OwnKey[]
  readonly local?: readonly FoundServer[]
}

export type Models = {
  /** Every model that can answer now, in the order to show them; the demo model comes last. */
  list(): ModelChoice[]
  /** The same models with their facts. */
  describe(): (ModelChoice & ModelFacts)[]
  /** The model where none is chosen. Always one of `list()`. */
  readonly defaultId: string
  /** The providers that are asked for names which no list has: those with a key. */
  readonly providers: readonly OpenProvider[]
  /**
   * The model behind an id, also one that no list has. Throws `UnknownModelError` for an id that no provider is asked
   * for, or that is missing from the list of a key that many people share, and `ProviderNotConfiguredError` when its
   * provider has no key.
   */
  get(id: string): LanguageModelV4
  /**
   * Address, key and protocols by which the provider of a model is asked; undefined for a provider without a protocol
   * that agents know. Throws as `get` does, and `KeyUnreadableError` for a person's key that cannot be opened.
   *
   * @param own goes there in place of the stored key: any known provider is asked with it, for any name
   */
  reach(id: string, own?: Credential): Reach | undefined
  /** The same for a call that names no model; undefined also for a provider without a key. */
  reachProvider(name: string, own?: Credential): Reach | undefined
  /** A model as prompts are made for it; undefined for the demo model. */
  receiver(id: string): Receiver | undefined
  /**
   * These models and the models that a person's keys and the servers on this machine add. A person's key counts
   * before the environment's. Unless the environment names a default, the first added model is the default.
   */
  with(more: MoreModels): Models
}
