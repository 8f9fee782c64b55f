import { NotFoundError, named } from '@/lib/context'
import type { Database } from '@/lib/db'
import { asking } from '../reads/asking'
import { refusalOf } from '../writes/refusals'
import type { Seal } from './seal'
import { type SealedRow, sealedColumns } from './sealed-row'

/** A person's server of tools, as its owner sees it: never the token. */
interface ToolServerInfo {
  id: string
  name: string
  url: string
  hasToken: boolean
  /** false for a token that was saved under another secret of the server: the server has to be added again */
  isReadable: boolean
  /** in milliseconds */
  createdAt: number
}

/** A server as its tools are called. */
export interface StoredToolServer extends ToolServerInfo {
  /** undefined where there is none, or it is not readable */
  token: string | undefined
}

/** A server to be added. */
export interface NewToolServer {
  id: string
  name: string
  url: string
  token: string | undefined
}

/** Servers of one person at most. */
const MOST_SERVERS = 20

/** A person has as many servers as are allowed. */
export class TooManyServersError extends named('TooManyServersError') {
  constructor() {
    super(`You have ${MOST_SERVERS} tool servers, which is the most. Remove one first.`)
  }
}

/** People's servers of tools, their tokens sealed. */
export class ToolServers {
  readonly #ask: Database['query']
  readonly #seal: () => Seal

  /** @param seal asked for when a token is saved or read, and not before: see `sealWhenNeeded` */
  constructor(database: Database, seal: () => Seal) {
    this.#ask = asking(database)
    this.#seal = seal
  }

  /**
   * Adds a server.
   *
   * @returns undefined when the owner does not exist (any more)
   * @throws NameTakenError when the person has one of this name, TooManyServersError
   */
  async add(ownerId: string, { id, name, url, token }: NewToolServer): Promise<StoredToolServer | undefined> {
    const sealed = token === undefined ? null : this.#seal().close(token, [id, url])
    const adding = this.#ask<SealedRow>(
      `insert into tool_servers (id, user_id, name, url, sealed)
      select $1, u.id, $3, $4, $5 from "user" u
      where u.id = $2 and (select count(*) from tool_servers s where s.user_id = u.id) < ${MOST_SERVERS}
      returning ${sealedColumns('tool_servers')}`,
      [id, ownerId, name, url, sealed],
    )
    const [row] = await adding.catch((error: unknown) => {
      throw refusalOf(error)
    })
    if (row) return this.#opened(row)
    const [person] = await this.#ask('select 1 from "user" where id = $1', [ownerId])
    if (person) throw new TooManyServersError()
    return undefined
  }

  /** A person's servers, by name. */
  async of(ownerId: string): Promise<StoredToolServer[]> {
    const rows = await this.#ask<SealedRow>(
      `select ${sealedColumns('s')} from tool_servers s where s.user_id = $1 order by lower(s.name)`,
      [ownerId],
    )
    return rows.map((row) => this.#opened(row))
  }

  /** The servers of the person whom a chat belongs to. */
  async ofChat(chatId: string): Promise<StoredToolServer[]> {
    const rows = await this.#ask<SealedRow>(
      `select ${sealedColumns('s')} from tool_servers s join chats c on c.user_id = s.user_id where c.id = $1
      order by lower(s.name)`,
      [chatId],
    )
    return rows.map((row) => this.#opened(row))
  }

  /** Removes a server for good. Rejects with `NotFoundError` when the person has none of this id. */
  async remove(ownerId: string, id: string): Promise<void> {
    const rows = await this.#ask('delete from tool_servers where user_id = $1 and id = $2 returning id', [
      ownerId,
      id,
    ])
    if (rows.length === 0) throw new NotFoundError('tool server', id)
  }

  #opened({ sealed, ...row }: SealedRow): StoredToolServer {
    const token = sealed === null ? undefined : this.#seal().open(sealed, [row.id, row.url])
    return { ...row, token, hasToken: sealed !== null, isReadable: sealed === null || token !== undefined }
  }
}
