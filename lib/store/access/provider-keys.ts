import { NotFoundError } from '@/lib/context'
import type { Database } from '@/lib/db'
import { asking } from '../reads/asking'
import type { Seal } from './seal'

/** A key as its owner sees it: never the key itself. */
export interface ProviderKeyInfo {
  provider: string
  /** its last characters, to tell keys apart */
  hint: string
  /** address of a server that speaks OpenAI's protocol; null for the other providers */
  baseUrl: string | null
  /** maximum silence of its models, in ms; null for the server's setting */
  silenceMs: number | null
  /** in milliseconds */
  savedAt: number
  /** false for a key that was saved under another secret of the server: it has to be saved again */
  isReadable: boolean
}

/** A key as a reply is asked for with it. */
export interface StoredProviderKey<Model> extends ProviderKeyInfo {
  /** the provider's list when the key was saved */
  models: Model[]
  /** undefined where it is not readable */
  key: string | undefined
}

/** A key to be saved. */
export interface NewProviderKey<Model> {
  provider: string
  key: string
  baseUrl: string | null
  /** maximum silence of its models, in ms; null for the server's setting */
  silenceMs?: number | null
  models: readonly Model[]
}

/** Characters of a key that its owner sees again, of one that is long enough to hide the rest. */
const HINT = 4
const HINTED = 12

/** People's keys for model providers, one for each provider, sealed for their owner. */
export class ProviderKeys<Model> {
  readonly #ask: Database['query']
  readonly #seal: () => Seal

  /** @param seal asked for when a key is saved or read, and not before: see `sealWhenNeeded` */
  constructor(database: Database, seal: () => Seal) {
    this.#ask = asking(database)
    this.#seal = seal
  }

  /**
   * Saves a key, in place of the one there was for the provider.
   *
   * @returns undefined when the owner does not exist (any more)
   */
  async save(ownerId: string, given: NewProviderKey<Model>): Promise<ProviderKeyInfo | undefined> {
    const { provider, key, baseUrl, models, silenceMs = null } = given
    const hint = key.length < HINTED ? '' : key.slice(-HINT)
    const sealed = this.#seal().close(key, [ownerId, provider, baseUrl])
    const [row] = await this.#ask<{ savedAt: number }>(
      `insert into provider_keys (user_id, provider, sealed, hint, base_url, models, silence_ms)
      select id, $2, $3, $4, $5, $6::json, $7 from "user" where id = $1
      on conflict (user_id, provider) do update set sealed = excluded.sealed, hint = excluded.hint,
        base_url = excluded.base_url, models = excluded.models, silence_ms = excluded.silence_ms, saved_at = now()
      returning epoch_ms(saved_at) as "savedAt"`,
      [ownerId, provider, sealed, hint, baseUrl, JSON.stringify(models), silenceMs],
    )
    return row && { provider, hint, baseUrl, silenceMs, savedAt: row.savedAt, isReadable: true }
  }

  /** A person's keys, by provider. */
  async list(ownerId: string): Promise<ProviderKeyInfo[]> {
    const keys = await this.of(ownerId)
    return keys.map(({ key: _key, models: _models, ...info }) => info)
  }

  /** A person's keys with what is behind their seals. */
  async of(ownerId: string): Promise<StoredProviderKey<Model>[]> {
    return (
      await this.#ask<Row<Model>>(`${selectKeys} where k.user_id = $1 order by k.provider`, [ownerId])
    ).map((row) => this.#opened(row))
  }

  /** The keys of the person whom a chat belongs to. */
  async ofChat(chatId: string): Promise<StoredProviderKey<Model>[]> {
    return (
      await this.#ask<Row<Model>>(
        `${selectKeys} join chats c on c.user_id = k.user_id where c.id = $1 order by k.provider`,
        [chatId],
      )
    ).map((row) => this.#opened(row))
  }

  /** Seals a person's key for another person, to whom it moves; undefined for one that is not readable. */
  resealed(
    from: string,
    to: string,
    key: Pick<Row<Model>, 'provider' | 'sealed' | 'baseUrl'>,
  ): string | undefined {
    const { provider, baseUrl } = key
    const open = this.#seal().open(key.sealed, [from, provider, baseUrl])
    return open === undefined ? undefined : this.#seal().close(open, [to, provider, baseUrl])
  }

  /** Deletes a key for good. Rejects with `NotFoundError` when the person has none for the provider. */
  async remove(ownerId: string, provider: string): Promise<void> {
    const rows = await this.#ask(
      'delete from provider_keys where user_id = $1 and provider = $2 returning provider',
      [ownerId, provider],
    )
    if (rows.length === 0) throw new NotFoundError('key', provider)
  }

  #opened({ userId, sealed, ...row }: Row<Model>): StoredProviderKey<Model> {
    const key = this.#seal().open(sealed, [userId, row.provider, row.baseUrl])
    return { ...row, key, isReadable: key !== undefined }
  }
}

interface Row<Model> extends Omit<ProviderKeyInfo, 'isReadable'> {
  userId: string
  sealed: string
  models: Model[]
}

const selectKeys = `select k.user_id as "userId", k.provider, k.sealed, k.hint, k.base_url as "baseUrl",
  k.silence_ms as "silenceMs", k.models,
  epoch_ms(k.saved_at) as "savedAt" from provider_keys k`
