import { and, eq, isNull, sql } from 'drizzle-orm'
import { type Change, checkChange, NotFoundError } from '@/lib/context'
import { type Database, schema } from '@/lib/db'
import type { BranchId, ChatId, MessageId, UserId } from '@/lib/events'
import type { ImportChoice } from '@/lib/protocol'
import { lockPerson } from '../access/lock-person'
import { type Counting, refusedBy, takenBy } from '../access/quota'
import { analyzeNewTables, queryIn } from '../commit/append'
import { changeAsked } from '../commit/asked'
import { ChangeWriter } from '../commit/change-writer'
import { asking } from '../reads/asking'
import { messageAt } from '../reads/chain-sql'
import { isMovedOn, refusalOf } from '../writes/refusals'
import { advanceSql, BETWEEN, claimSql, columns } from './imports-sql'

const { imports } = schema

/** Bytes of a piece of a file: a statement holds one, and others have their turn between two. */
const PIECE = 256 * 1024
/** An upload that has not ended by then was broken off, in ms. */
const UPLOAD = 3_600_000
/** Time that an import stays listed after its end, in ms. */
const LISTED = 30 * 24 * 3_600_000
/** Times that chats are decided on, while the person writes to them. */
const TRIES = 5
/** Imports that are listed at most. */
const LIST = 20

/** Chats imported so far, and those that failed. */
interface ImportRecord {
  id: string
  name: string
  size: number
  source: string
  status: 'queued' | 'running' | 'done' | 'cancelled' | 'failed'
  reason: string | null
  place: number
  chatsImported: number
  chatsUnchanged: number
  chatsLeft: number
  messagesFound: number
  messagesImported: number
  messagesSkipped: number
  problems: ImportProblem[]
  problemCount: number
  chats: { chatId: ChatId; title: string | null }[]
  createdAt: number
  endedAt: number | null
}

interface ImportProblem {
  chat: string
  chatId?: ChatId
  reason: string
}

/** An import that this process works on, while it holds it. */
interface ClaimedImport {
  id: string
  ownerId: UserId
  name: string
  source: string
  /** items that are done */
  place: number
  choice: ImportChoice | null
  fence: number
}

/** Progress of an import since the last one. */
interface ImportStep {
  place: number
  chatsImported: number
  chatsUnchanged: number
  chatsLeft: number
  messagesFound: number
  messagesImported: number
  messagesSkipped: number
  problemCount: number
  problems: ImportProblem[]
  chats: { chatId: ChatId; title: string | null }[]
}

/** A chat of a person that came from another program. */
interface KnownImport {
  /** its id in that program */
  foreignId: string
  chatId: ChatId
  /** digest of the last import's content; null while that import is under way */
  digest: string | null
}

/** A job waits a moment after each statement of a person: an import that read as one would wait for itself. */
const kinds = { preview: 'read', import: 'job' } as const
type ImportWork = keyof typeof kinds

/** People's imports: their files, how far they have come, and what they write. */
export class Imports {
  /** messages that are written together: the embedded database answers nothing else meanwhile */
  readonly batch: number
  readonly #ask: Database['query']

  /**
   * @param counting the limits that what is written counts against; without it nothing is
   * @param onWritten called with the id of every chat that was written to
   */
  constructor(
    private readonly database: Database,
    private readonly onWritten: (chatId: ChatId) => void,
    private readonly counting?: Counting,
  ) {
    this.#ask = asking(database)
    this.batch = database.kind === 'pglite' ? 40 : 400
  }

  /**
   * Begins the upload of a file, unless too many wait already.
   *
   * @returns which bound is met; undefined when there is room, and the row is there
   */
  async begin(
    ownerId: UserId,
    file: { id: string; name: string; size: number; source: string },
    { perPerson, inAll }: { perPerson: number; inAll: number },
  ): Promise<'person' | 'site' | 'gone' | undefined> {
    return this.database.orm.transaction(async (tx) => {
      if (!(await lockPerson(tx, ownerId))) return 'gone'
      await tx.execute(sql`select pg_advisory_xact_lock(hashtext('imports'))`)
      const isOpen = isNull(imports.endedAt)
      if ((await tx.$count(imports, and(isOpen, eq(imports.userId, ownerId)))) >= perPerson) return 'person'
      if ((await tx.$count(imports, isOpen)) >= inAll) return 'site'
      await tx.insert(imports).values({ ...file, userId: ownerId, status: 'uploading' })
      return undefined
    })
  }

  /** Stores the bytes of a file whose upload has begun, and has it wait for its turn; with the chats of it that are meant. */
  async upload(id: string, bytes: AsyncIterable<Uint8Array>, choice?: ImportChoice): Promise<void> {
    let number = 0
    for await (const piece of inPieces(bytes)) {
      await this.database.query('insert into import_pieces (import_id, number, bytes) values ($1, $2, $3)', [
        ...[id, number],
        piece,
      ])
      number += 1
    }
    await this.database.query(
      `update imports set status = 'queued', choice = $2::json where id = $1 and status = 'uploading'`,
      [id, choice ? JSON.stringify(choice) : null],
    )
  }

  /** Forgets an upload that was broken off. */
  async abandon(id: string): Promise<void> {
    await this.database.query(`delete from imports where id = $1 and status = 'uploading'`, [id])
  }

  async *bytes(id: string): AsyncGenerator<Uint8Array> {
    for (let number = 0; ; number++) {
      const [row] = await this.database.query<{ bytes: Uint8Array }>(
        'select bytes from import_pieces where import_id = $1 and number = $2',
        [id, number],
        { kind: 'job' },
      )
      if (!row) return
      yield row.bytes
    }
  }

  /**
   * Takes the import that waits longest, to be worked on for so long without a sign of life: of a person none of whose imports is
   * being worked on. One that has killed its process too often without getting on is ended instead.
   */
  async claim(leaseMs: number): Promise<ClaimedImport | undefined> {
    const open = await this.database.query('select 1 from imports where ended_at is null limit 1')
    if (open.length === 0) return undefined
    return this.database.orm.transaction(async (tx) => {
      // each claim reads what the one before has claimed: in a statement after the lock
      await tx.execute(sql`select pg_advisory_xact_lock(hashtext('claimed imports'))`)
      const [claimed] = await queryIn(tx)<ClaimedImport>(claimSql, [leaseMs])
      return claimed
    })
  }

  /** Keeps holding an import; false when it is another process's by now, was cancelled, or has gone. */
  async renew({ id, fence, ownerId }: ClaimedImport, leaseMs: number): Promise<boolean> {
    const rows = await this.database.query(
      `update imports set lease_until = clock_timestamp() + $4::float8 * interval '1 millisecond'
      where id = $1 and fence = $2 and user_id = $3 and status = 'running' returning 1`,
      [id, fence, ownerId, leaseMs],
    )
    return rows.length > 0
  }

  /**
   * Tells other processes that this one is there, also while it is too busy to renew a lease; until the returned function is
   * called. The lease alone says so behind a pooler without an unpooled url. The embedded database has no other process.
   */
  async attend({ id }: ClaimedImport): Promise<() => Promise<void>> {
    return (await this.database.hold?.(`import ${id}`)) ?? (async () => undefined)
  }

  /** Gives an import back, for any process to go on with it. */
  async release({ id, fence }: ClaimedImport): Promise<void> {
    await this.database.query(
      `update imports set lease_until = null, attempts = 0 where id = $1 and fence = $2 and status = 'running'`,
      [id, fence],
    )
  }

  /**
   * Writes changes and how far the import has come with them, all in one transaction.
   *
   * @returns false when the import was cancelled or is another process's: then nothing was written
   * @throws the refusals of `ContextStore.commit`, for the first change that is refused; then nothing was written
   */
  async advance(
    { id, fence, ownerId }: ClaimedImport,
    step: ImportStep,
    changes: readonly Change[],
    leaseMs: number,
  ): Promise<boolean> {
    for (const change of changes) checkChange(change)
    const asked = changes.map((change) => ({
      ...changeAsked(change, this.counting),
      chatId: change.chatId,
      // a person's messages of the day are those that were said here
      use: (of: Change, bodies: readonly string[]) => ({ ...takenBy(of, bodies), messages: 0 }),
    }))
    for (let tries = 1; ; tries += 1) {
      try {
        const written = await ChangeWriter.of(this.database).prepare(asked)
        const [row] = await this.database.query<{ done: boolean }>(
          advanceSql,
          [
            ...[id, ownerId, fence, leaseMs, JSON.stringify(step)],
            written.map(({ rows }) => rows).join(BETWEEN),
            written.map(({ quotas }) => quotas ?? '').join(BETWEEN),
            written.map(({ bodies }) => bodies).join(BETWEEN),
          ],
          { kind: 'job' },
        )
        if (!row?.done) return false
        for (const { chatId } of changes) this.onWritten(chatId)
        if (written.some(({ hasDoubled }) => hasDoubled)) await analyzeNewTables(this.database.query)
        return true
      } catch (error) {
        // a person writes to one of the chats meanwhile
        if (isMovedOn(error) && tries < TRIES) continue
        throw await refusedBy(this.counting, this.database, refusalOf(error))
      }
    }
  }

  /** Ends an import that this process holds. Its file is deleted. */
  async end({ id, fence }: ClaimedImport, status: 'done' | 'failed', reason?: string): Promise<void> {
    const ended = await this.database.query(
      `update imports set status = $3, reason = $4, ended_at = clock_timestamp(), lease_until = null
      where id = $1 and fence = $2 and status = 'running' returning 1`,
      [id, fence, status, reason ?? null],
    )
    if (ended.length > 0) await this.#forgetFile(id)
  }

  /** Cancels an import that has not ended. Rejects with `NotFoundError` for one that is missing or another person's. */
  async cancel(ownerId: UserId, id: string): Promise<void> {
    await this.find(ownerId, id)
    const ended = await this.database.query(
      `update imports set status = 'cancelled', ended_at = clock_timestamp(), lease_until = null
      where id = $1 and user_id = $2 and ended_at is null returning 1`,
      [id, ownerId],
    )
    if (ended.length > 0) await this.#forgetFile(id)
  }

  /** One of a person's imports. Rejects with `NotFoundError` for one that is missing or another person's. */
  async find(ownerId: UserId, id: string): Promise<ImportRecord> {
    const [found] = await this.#ask<ImportRecord>(
      `select ${columns} from imports i where i.user_id = $1 and i.id = $2 and i.status <> 'uploading'`,
      [ownerId, id],
    )
    if (!found) throw new NotFoundError('import', id)
    return found
  }

  /** A person's imports, the latest first. */
  list(ownerId: UserId): Promise<ImportRecord[]> {
    return this.#ask<ImportRecord>(
      `select ${columns} from imports i where i.user_id = $1 and i.status <> 'uploading'
      order by i.created_at desc, i.id desc limit $2`,
      [ownerId, LIST],
    )
  }

  /** Those of some chats of another program that a person has. */
  known(
    ownerId: UserId,
    source: string,
    foreignIds: readonly string[],
    work: ImportWork,
  ): Promise<KnownImport[]> {
    return this.#ask<KnownImport>(
      `select distinct on (1) metadata #>> '{imported,id}' as "foreignId", id as "chatId",
        metadata #>> '{imported,digest}' as digest
      from chats where user_id = $1 and metadata ? 'imported'
        and metadata #>> '{imported,id}' = any (array(select json_array_elements_text($3::json)))
        and metadata #>> '{imported,source}' = $2
      order by 1, created_at, id`,
      [ownerId, source, JSON.stringify(foreignIds)],
      { kind: kinds[work] },
    )
  }

  /** Those whose messages hold what some digests say: files that give their chats no id are found again by it. */
  knownByDigest(
    ownerId: UserId,
    source: string,
    digests: readonly string[],
    work: ImportWork,
  ): Promise<{ chatId: ChatId; digest: string }[]> {
    return this.#ask<{ chatId: ChatId; digest: string }>(
      `select distinct on (2) id as "chatId", metadata #>> '{imported,digest}' as digest
      from chats where user_id = $1 and metadata ? 'imported'
        and metadata #>> '{imported,digest}' = any (array(select json_array_elements_text($3::json)))
        and metadata #>> '{imported,source}' = $2
      order by 2, created_at, id`,
      [ownerId, source, JSON.stringify(digests)],
      { kind: kinds[work] },
    )
  }

  /** A chat's stored messages, and the branches that can go on, the active one first. */
  async tree(chatId: ChatId): Promise<{
    messages: { id: MessageId; imported: string | null; parts: unknown[] | null }[]
    branches: { id: BranchId; name: string; headId: MessageId | null; isOpen: boolean }[]
  }> {
    const [row] = await this.#ask<Awaited<ReturnType<Imports['tree']>>>(
      `select (select coalesce(json_agg(json_build_object('id', m.id, 'imported', m.data #>> '{metadata,imported}',
            'parts', case when json_typeof(m.data) = 'object' and m.data #>> '{metadata,imported}' is null
              and json_typeof(m.data -> 'parts') = 'array' then m.data -> 'parts' end)), '[]')
          from messages m where m.chat_id = $1) as messages,
        (select coalesce(json_agg(json_build_object('id', b.id, 'name', b.name, 'headId', h.id,
            'isOpen', b.archived_at is null and not exists (select 1 from runs r where r.chat_id = b.chat_id
              and r.branch_id = b.id and r.status in ('queued', 'running')))
            order by b.id = c.active_branch_id, b.created_at desc, b.id desc), '[]')
          from branches b join chats c on c.id = b.chat_id
          left join ${messageAt('b.chat_id', 'b.head_lane', 'b.head_depth')} h on true
          where b.chat_id = $1) as branches`,
      [chatId],
      { kind: 'job' },
    )
    return row ?? { messages: [], branches: [] }
  }

  /** Deletes what uploads that broke off have left, old imports, and files that are not needed. Returns how many rows. */
  async forgetOld(): Promise<number> {
    const gone = await this.database.query(
      `delete from imports where (status = 'uploading' and created_at < clock_timestamp() - $1::float8 * interval '1 millisecond')
        or ended_at < clock_timestamp() - $2::float8 * interval '1 millisecond' returning 1`,
      [UPLOAD, LISTED],
    )
    const files = await this.database.query(
      `delete from import_pieces p using (select q.import_id, q.number from import_pieces q
        join imports i on i.id = q.import_id and i.ended_at is not null limit 200) old
      where p.import_id = old.import_id and p.number = old.number returning 1`,
    )
    return gone.length + files.length
  }

  /** In small statements: the embedded database answers nothing else meanwhile. */
  async #forgetFile(id: string): Promise<void> {
    for (let gone = 1; gone > 0; ) {
      const rows = await this.database.query(
        `delete from import_pieces where import_id = $1 and number in
          (select number from import_pieces where import_id = $1 limit 100) returning 1`,
        [id],
      )
      gone = rows.length
    }
  }
}

/** Bytes in pieces of one size, as they come. */
async function* inPieces(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = []
  let size = 0
  for await (const some of bytes) {
    held.push(some)
    size += some.length
    if (size < PIECE) continue
    const all = Buffer.concat(held)
    let at = 0
    // a copy: a driver that looks at the memory behind a view would send the whole buffer
    for (; size - at >= PIECE; at += PIECE) yield Uint8Array.from(all.subarray(at, at + PIECE))
    held = [all.subarray(at)]
    size -= at
  }
  if (size > 0) yield Uint8Array.from(Buffer.concat(held))
}
