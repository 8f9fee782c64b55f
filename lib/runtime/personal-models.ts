import {
  createModels,
  type FoundModel,
  hideSecret,
  KeyUnreadableError,
  LocalModels,
  type Models,
  nothingKnown,
  type OwnKey,
  ownHostFetch,
  type PromptParts,
  type ProviderName,
  providerLabel,
  publicFetch,
  sentPrompt,
  unhurriedFetch,
  usesLocalModels,
} from '@/lib/ai'
import { type Ports, patiently } from '@/lib/conversations'
import type { ProviderKeys } from '@/lib/store'
import { reachNothing } from './demo'
import type { Env } from './env'
import { isLaptop } from './own-machine'

/** The models of the environment, and the access to models that persons add. */
export interface Catalogue {
  readonly base: Models
  readonly local: LocalModels
  /** reaches the addresses that people give */
  readonly ownFetch: typeof globalThis.fetch
  /** true when such an address may lead into the server's own network */
  readonly allowsPrivate: boolean
}

/** Reads the models of an environment. Throws `ModelSettingError` for a value that cannot work. */
export function openCatalogue(source: Readonly<Record<string, string | undefined>>, env: Env): Catalogue {
  const onLaptop = isLaptop(source, env)
  const allowsPrivate = env.RAMIFY_PRIVATE_ADDRESSES ? env.RAMIFY_PRIVATE_ADDRESSES === 'on' : onLaptop
  const ownFetch = env.RAMIFY_DEMO === 'on' ? reachNothing : allowsPrivate ? unhurriedFetch : publicFetch
  return {
    base: createModels(source, {
      ownFetch,
      onLaptop,
      // a client of the gateway may bring a credential of its own
      ...(env.RAMIFY_DEMO === 'on' && { fetch: reachNothing }),
    }),
    local: new LocalModels(usesLocalModels(source, onLaptop) ? undefined : []),
    ownFetch: ownHostFetch(ownFetch),
    allowsPrivate,
  }
}

/**
 * The models of each person: models of the server, models on its machine, and models that the person's keys
 * add. Keys are read for every turn, so a key removed in another process is not used here either.
 */
export class PersonalModels {
  constructor(
    readonly catalogue: Catalogue,
    private readonly keys: ProviderKeys<FoundModel>,
    private readonly waiting: Pick<Ports, 'clock' | 'logError'>,
  ) {}

  /** The default for a person without keys. */
  get defaultId(): string {
    return this.catalogue.base.defaultId
  }

  /** The models that need no key of a person. */
  async shared(): Promise<Models> {
    return this.catalogue.base.with({ local: await this.catalogue.local.found() })
  }

  /** The models that a person can choose from. */
  async of(ownerId: string) {
    const models = await this.#with(this.keys.of(ownerId))
    const known = new Map(models.describe().map((model) => [model.id, model]))
    return {
      models,
      defaultId: models.defaultId,
      ids: [...known.keys()],
      providers: models.providers,
      has: (id: string) => known.has(id),
      facts: (id: string) => known.get(id) ?? nothingKnown,
      get: (id: string) => models.get(id),
      reach: models.reach,
      reachProvider: models.reachProvider,
      sentTo: (modelId: string, prompt: PromptParts) =>
        sentPrompt({ ...prompt, modelId }, models.receiver(modelId)),
    }
  }

  /**
   * A model for a reply in a chat, asked with the keys of the chat's owner. Rejects with `UnknownModelError`,
   * `ProviderNotConfiguredError` or `KeyUnreadableError`. While the database is away it waits up to a minute.
   */
  async inChat(chatId: string, id: string, signal?: AbortSignal) {
    // it needs no key: its replies do not wait for a look-up
    if (id.startsWith('demo:')) return this.catalogue.base.get(id)
    const reading = patiently(this.waiting, () => this.keys.ofChat(chatId), { what: 'reading keys', signal })
    return (await this.#with(reading)).get(id)
  }

  /** Facts of a model for the owner of a chat. */
  async factsIn(chatId: string, id: string, signal?: AbortSignal) {
    const reading = patiently(this.waiting, () => this.keys.ofChat(chatId), { what: 'reading keys', signal })
    const models = await this.#with(reading)
    return models.describe().find((model) => model.id === id) ?? nothingKnown
  }

  async #with(reading: ReturnType<ProviderKeys<FoundModel>['of']>): Promise<Models> {
    const [stored, local] = await Promise.all([reading, this.catalogue.local.found()])
    return this.catalogue.base.with({ keys: stored.map(ownKey), local })
  }
}

function ownKey({
  key,
  models,
  ...info
}: Awaited<ReturnType<ProviderKeys<FoundModel>['of']>>[number]): OwnKey {
  const provider = info.provider as ProviderName
  return {
    provider,
    models,
    baseUrl: info.baseUrl,
    silenceMs: info.silenceMs,
    isReadable: info.isReadable,
    open() {
      if (key === undefined) throw new KeyUnreadableError(providerLabel(provider))
      hideSecret(key)
      return key
    },
  }
}
