import { createHash, randomBytes } from 'node:crypto'
import { NotFoundError } from '@/lib/context'
import type { Database } from '@/lib/db'
import { asking } from './asking'

/** A key as its owner sees it in a list. Times are milliseconds. */
export interface ApiKeyInfo {
  id: string
  name: string
  /** its first characters, to tell keys apart */
  hint: string
  createdAt: number
  /** to the minute; null while it was never used */
  lastUsedAt: number | null
}

/** Whom a key stands for. */
export interface KeyHolder {
  id: string
  name: string
  guest: boolean
  keyId: string
}

/** Nobody needs more; a script gone wrong would make them without end. */
const MOST_KEYS = 100

/** Keys of people's scripts and agents: 256 random bits, of which only a hash is kept. */
export class ApiKeys {
  readonly #ask: Database['query']

  constructor(database: Database) {
    this.#ask = asking(database)
  }

  /** Makes a key; `key` is told this once. Undefined when the owner has 100 already. */
  async create(
    ownerId: string,
    { id, name }: { id: string; name: string },
  ): Promise<{ id: string; name: string; key: string } | undefined> {
    const key = `rk_${randomBytes(32).toString('base64url')}`
    const rows = await this.#ask(
      `insert into api_keys (id, user_id, name, hash, hint) select $1, $2, $3, $4, $5
      where (select count(*) from api_keys where user_id = $2) < $6::int returning id`,
      [id, ownerId, name, hashOf(key), key.slice(0, 8), MOST_KEYS],
    )
    return rows.length > 0 ? { id, name, key } : undefined
  }

  /** An owner's keys, newest first. */
  async list(ownerId: string): Promise<ApiKeyInfo[]> {
    return this.#ask<ApiKeyInfo>(
      `select id, name, hint, epoch_ms(created_at) as "createdAt", epoch_ms(last_used_at) as "lastUsedAt"
      from api_keys where user_id = $1 order by created_at desc, id desc`,
      [ownerId],
    )
  }

  /** Revokes a key at once and for good. Rejects with `NotFoundError` when it is missing or someone else's. */
  async revoke(ownerId: string, id: string): Promise<void> {
    const rows = await this.#ask('delete from api_keys where id = $1 and user_id = $2 returning id', [
      id,
      ownerId,
    ])
    if (rows.length === 0) throw new NotFoundError('key', id)
  }

  /** Whom a key stands for, and that it was used; undefined for one that is wrong or revoked. */
  async holder(key: string): Promise<KeyHolder | undefined> {
    const [row] = await this.#ask<KeyHolder>(
      `with used as (
        update api_keys set last_used_at = now() where hash = $1
          and (last_used_at is null or last_used_at < now() - interval '1 minute'))
      select u.id, u.name, u.is_anonymous as guest, k.id as "keyId" from api_keys k join "user" u on u.id = k.user_id where k.hash = $1`,
      [hashOf(key)],
    )
    return row
  }
}

const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex')
