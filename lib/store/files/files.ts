import { createHash } from 'node:crypto'
import { NotFoundError } from '@/lib/context'
import type { Database } from '@/lib/db'
import { newId } from '@/lib/events'
import { type Counting, lockStored, refusedBy, takeBytes } from '../access/quota'
import { queryIn } from '../commit/append'
import { asking } from '../reads/asking'
import { refusalOf } from '../writes/refusals'
import { ChunkedFiles } from './chunked-files'
import type { FileStore } from './file-store'

/** A stored file without its bytes. */
export interface FileInfo {
  id: string
  /** in hex */
  sha256: string
  mediaType: string
  /** the name of its first upload */
  name: string
  /** in bytes */
  size: number
}

/** Files that one call of `forgetUnheld` removes at most. */
const BATCH = 100

const columns = 'f.id, f.sha256, f.media_type as "mediaType", f.name, f.size'

/** People's files: each content once for its owner, kept as long as a chat holds it. */
export class Files {
  readonly #ask: Database['query']
  readonly #bytes: FileStore

  /** @param counting the limits that stored bytes are counted against; without it nothing is */
  constructor(
    private readonly database: Database,
    private readonly counting?: Counting,
    bytes: FileStore = new ChunkedFiles(database),
  ) {
    this.#ask = asking(database)
    this.#bytes = bytes
  }

  /** These files, counting writes through them for a network address too. */
  countingFor(address: string): Files {
    return this.counting ? new Files(this.database, { ...this.counting, address }, this.#bytes) : this
  }

  /**
   * Stores a file, unless its owner has one of this content: then that one is answered, under its first name.
   * Rejects with `QuotaExceededError`; then nothing is stored.
   *
   * @param file.id what it is to be called, unless another file is
   * @returns undefined when the owner does not exist (any more)
   */
  async store(
    ownerId: string,
    {
      bytes,
      mediaType,
      name,
      id: wanted,
    }: { bytes: Uint8Array; mediaType: string; name: string; id?: string },
  ): Promise<FileInfo | undefined> {
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const known = await uploadedAgain(this.database.query, ownerId, sha256)
    if (known) return known
    const begin = async (id: string) => {
      const [made] = await this.database.query<{ id: string }>(
        `insert into files (id, owner_id, sha256, media_type, name, size)
        select $2, id, $3, $4, $5, $6 from "user" where id = $1 on conflict (id) do nothing returning id`,
        [ownerId, id, sha256, mediaType, name, bytes.length],
      )
      return made?.id
    }
    const id = (wanted !== undefined && (await begin(wanted))) || (await begin(newId()))
    if (id === undefined) return undefined
    try {
      await this.#bytes.put(id, bytes)
      return await this.#keep(id)
    } catch (error) {
      // files without a chat are deleted later: the rest of a broken connection is one of them
      await this.database.query('delete from files where id = $1', [id]).catch(() => undefined)
      throw await refusedBy(this.counting, this.database, refusalOf(error))
    }
  }

  /** The existing ones among some files of a person. */
  of(ownerId: string, ids: readonly string[]): Promise<FileInfo[]> {
    return this.#ask<FileInfo>(
      `select ${columns} from files f where f.owner_id = $1 and f.is_whole
        and f.id in (select json_array_elements_text($2::json))`,
      [ownerId, JSON.stringify(ids)],
    )
  }

  /** A person's files with some contents. */
  ofContent(ownerId: string, contents: readonly string[]): Promise<FileInfo[]> {
    return this.#ask<FileInfo>(
      `select distinct on (f.sha256) ${columns} from files f where f.owner_id = $1 and f.is_whole
        and f.sha256 in (select json_array_elements_text($2::json)) order by f.sha256, f.created_at, f.id`,
      [ownerId, JSON.stringify(contents)],
    )
  }

  /** The existing ones among some files of a chat's owner. */
  ofChat(chatId: string, ids: readonly string[]): Promise<FileInfo[]> {
    return this.#ask<FileInfo>(
      `select ${columns} from files f join chats c on c.user_id = f.owner_id where c.id = $1 and f.is_whole
        and f.id in (select json_array_elements_text($2::json))`,
      [chatId, JSON.stringify(ids)],
    )
  }

  /** One of a person's files, or one in a chat that the person is a member of. Rejects with `NotFoundError` for any other. */
  async findReadable(personId: string, id: string): Promise<FileInfo> {
    const [file] = await this.#ask<FileInfo>(
      `select ${columns} from files f where f.id = $2 and f.is_whole and (f.owner_id = $1 or exists (
        select 1 from chat_files h join chat_members m on m.chat_id = h.chat_id and m.person_id = $1
        join chats c on c.id = h.chat_id and c.user_id = f.owner_id
        join "user" o on o.id = c.user_id and o.gone_at is null where h.file_id = f.id))`,
      [personId, id],
    )
    if (!file) throw new NotFoundError('file', id)
    return file
  }

  /** The bytes of a file that `of`, `ofChat` or `findReadable` gave, piece by piece. */
  pieces({ id }: FileInfo): AsyncIterable<Uint8Array> {
    return this.#bytes.read(id)
  }

  /** The bytes of a file at once. Rejects when it has been deleted meanwhile. */
  async bytes(file: FileInfo): Promise<Buffer> {
    const pieces: Uint8Array[] = []
    for await (const piece of this.pieces(file)) pieces.push(piece)
    const bytes = Buffer.concat(pieces)
    if (bytes.length !== file.size) throw new NotFoundError('file', file.id)
    return bytes
  }

  /**
   * Deletes files that were uploaded and never sent, and the rest of broken uploads, after some time. Returns
   * their number.
   */
  async forgetUnheld(olderMs: number): Promise<number> {
    const rows = await this.database.query(
      `delete from files f using (select id from files u
        where u.uploaded_at < clock_timestamp() - make_interval(secs => $1::float8 / 1000)
          and not exists (select 1 from chat_files h where h.file_id = u.id)
        order by u.uploaded_at limit $2 for update skip locked) old
      where f.id = old.id and not exists (select 1 from chat_files h where h.file_id = f.id) returning 1`,
      [olderMs, BATCH],
    )
    return rows.length
  }

  /** Ends the upload of a file whose bytes are stored. The same content again is the file that is there: the new one goes. */
  #keep(id: string): Promise<FileInfo | undefined> {
    return this.database.orm.transaction(async (tx) => {
      const query = queryIn(tx)
      const [begun] = await query<{ ownerId: string; sha256: string }>(
        'select owner_id as "ownerId", sha256 from files where id = $1 and not is_whole',
        [id],
      )
      if (!begun) return undefined
      // the lock makes uploads of one person serial
      await lockStored(query, begun.ownerId)
      const same = await uploadedAgain(query, begun.ownerId, begun.sha256)
      if (same) {
        await query('delete from files where id = $1', [id])
        return same
      }
      const [file] = await query<FileInfo>(
        `update files f set is_whole = true where f.id = $1 returning ${columns}`,
        [id],
      )
      if (file && this.counting) await takeBytes(query, begun.ownerId, file.size, this.counting)
      return file
    })
  }
}

/** The owner's file of a content, which counts as uploaded now. */
async function uploadedAgain(
  query: Database['query'],
  ownerId: string,
  sha256: string,
): Promise<FileInfo | undefined> {
  const [file] = await query<FileInfo>(
    `update files f set uploaded_at = now() where f.id = (select id from files
      where owner_id = $1 and sha256 = $2 and is_whole order by created_at, id limit 1) returning ${columns}`,
    [ownerId, sha256],
  )
  return file
}
