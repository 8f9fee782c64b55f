import { NameTakenError, NotFoundError, named } from '@/lib/context'
import type { Database } from '@/lib/db'
import { asking } from '../reads/asking'
import type { Seal } from './seal'
import { type SealedRow, sealedColumns } from './sealed-row'

/** Another server of a person, as its owner sees it: never the key. */
interface RemoteInfo {
  id: string
  name: string
  url: string
  hasKey: boolean
  /** false for a key that was saved under another secret of this server: the remote has to be added again */
  isReadable: boolean
  /** in milliseconds */
  createdAt: number
}

/** A remote as it is asked. */
export interface StoredRemote extends RemoteInfo {
  /** undefined where there is none, or it is not readable */
  key: string | undefined
}

/** A remote to be added. */
export interface NewRemote {
  id: string
  name: string
  url: string
  key: string | undefined
}

/** Remotes of one person at most. */
const MOST_REMOTES = 20

/** A person has as many remotes as are allowed. */
export class TooManyRemotesError extends named('TooManyRemotesError') {
  constructor() {
    super(`You have ${MOST_REMOTES} remotes, which is the most. Remove one first.`)
  }
}

/** People's other servers, their keys sealed. */
export class Remotes {
  readonly #ask: Database['query']
  readonly #seal: () => Seal

  /** @param seal asked for when a key is saved or read, and not before: see `sealWhenNeeded` */
  constructor(database: Database, seal: () => Seal) {
    this.#ask = asking(database)
    this.#seal = seal
  }

  /**
   * Adds a remote.
   *
   * @returns undefined when the owner does not exist (any more)
   * @throws NameTakenError when the person has one of this name, TooManyRemotesError
   */
  async add(ownerId: string, { id, name, url, key }: NewRemote): Promise<StoredRemote | undefined> {
    const sealed = key === undefined ? null : this.#seal().close(key, [id, url])
    const [row] = await this.#ask<SealedRow>(
      `insert into remotes (id, user_id, name, url, sealed)
      select $1, u.id, $3, $4, $5 from "user" u
      where u.id = $2 and (select count(*) from remotes r where r.user_id = u.id) < ${MOST_REMOTES}
      on conflict do nothing returning ${sealedColumns('remotes')}`,
      [id, ownerId, name, url, sealed],
    )
    if (row) return this.#opened(row)
    const [person] = await this.#ask<{ taken: boolean }>(
      `select exists (select 1 from remotes r where r.user_id = u.id and lower(r.name) = lower($2)) as taken
      from "user" u where u.id = $1`,
      [ownerId, name],
    )
    if (person?.taken)
      throw new NameTakenError(
        `You have a remote called ${name} already. Remove it first, or choose another name.`,
      )
    if (person) throw new TooManyRemotesError()
    return undefined
  }

  /** A person's remotes, by name. */
  async of(ownerId: string): Promise<StoredRemote[]> {
    const rows = await this.#ask<SealedRow>(
      `select ${sealedColumns('r')} from remotes r where r.user_id = $1 order by lower(r.name)`,
      [ownerId],
    )
    return rows.map((row) => this.#opened(row))
  }

  /** Removes a remote for good, and what is remembered of its branches. Rejects with `NotFoundError` when the person has none of this name. */
  async remove(ownerId: string, name: string): Promise<void> {
    const rows = await this.#ask(
      'delete from remotes where user_id = $1 and lower(name) = lower($2) returning id',
      [ownerId, name],
    )
    if (rows.length === 0) throw new NotFoundError('remote', name)
  }

  #opened({ sealed, ...row }: SealedRow): StoredRemote {
    const key = sealed === null ? undefined : this.#seal().open(sealed, [row.id, row.url])
    return { ...row, key, hasKey: sealed !== null, isReadable: sealed === null || key !== undefined }
  }
}
