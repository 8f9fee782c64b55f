import {
  type AfterEvent,
  type EventPage,
  messageText,
  type ThreadEvent,
  type ThreadHead,
  type ThreadMessage,
  type ThreadPage,
  type ThreadSummary,
} from '@/lib/context'
import type { Database } from '@/lib/db'
import { type StoredEvent, upcast } from '@/lib/events'
import { asking } from './asking'
import { chatOfSql, childrenSql, eventsSql, headSql, messagesSql, threadsSql } from './thread-sql'

/**
 * Reads for the HTTP commands, each in one statement scoped by the owner: undefined for a missing or another
 * person's thread.
 */
export class ThreadReads {
  readonly #ask: Database['query']

  /** @param signal ends what is being read when it is aborted */
  constructor(
    private readonly database: Pick<Database, 'query'>,
    signal?: AbortSignal,
  ) {
    this.#ask = asking(database, signal ? { signal } : {})
  }

  /** The same reads, for as long as their caller is there. */
  until(signal: AbortSignal): ThreadReads {
    return new ThreadReads(this.database, signal)
  }

  /** An owner's threads that are not archived, newest first; undefined when `before` is not one of them. */
  async list(ownerId: string, { before, limit }: ThreadPage): Promise<ThreadSummary[] | undefined> {
    const [row] = await this.#ask<{ threads: ThreadSummary[] }>(threadsSql, [ownerId, before ?? null, limit])
    return row?.threads
  }

  /** The unarchived threads forked from a thread, newest first. */
  async children(
    threadId: string,
    ownerId: string,
    { before, limit }: ThreadPage,
  ): Promise<ThreadSummary[] | undefined> {
    const params = [ownerId, before ?? null, limit, threadId]
    const [row] = await this.#ask<{ threads: ThreadSummary[] }>(childrenSql, params)
    return row?.threads
  }

  async head(threadId: string, ownerId: string): Promise<ThreadHead | undefined> {
    const [row] = await this.#ask<HeadRow>(headSql, [threadId, ownerId])
    if (!row) return undefined
    const { name, status, ...head } = row
    return { ...head, role: name, partial: status }
  }

  /** The chat of a thread: its key, and the owner's id for it. */
  async chatOf(threadId: string, ownerId: string): Promise<{ chatId: string; called: string } | undefined> {
    const [row] = await this.#ask<{ chatId: string; called: string }>(chatOfSql, [threadId, ownerId])
    return row
  }

  /** The messages of the thread's chain, inherited and own, in order. */
  async messages(
    threadId: string,
    ownerId: string,
    { after, limit, bytes }: AfterEvent,
  ): Promise<EventPage<ThreadMessage> | undefined> {
    const rows = await this.#ask<MessageRow>(messagesSql, [threadId, ownerId, after, limit, bytes])
    return pageOf(rows, ({ id, name, data, ...row }) =>
      id === null ? null : { ...row, messageId: id, role: name, content: messageText(data) },
    )
  }

  /** Events of the thread, inherited and own, in order: one sequence, at any depth of nested forks. */
  async events(
    threadId: string,
    ownerId: string,
    { after, limit, bytes }: AfterEvent,
  ): Promise<EventPage<ThreadEvent> | undefined> {
    const rows = await this.#ask<EventRow>(eventsSql, [threadId, ownerId, after, limit, bytes])
    return pageOf(rows, ({ data, ...event }) => {
      if (event.type === null) return null
      return data === null ? upcast(event) : { ...upcast(event), content: messageText(data) }
    })
  }
}

/** No rows: no such thread. A row of nulls: an empty page. */
function pageOf<Row extends { more: boolean | null }, T extends { eventNumber: number }>(
  rows: readonly Row[],
  toItem: (row: Omit<Row, 'more'>) => T | null,
): EventPage<T> | undefined {
  if (rows.length === 0) return undefined
  const found = rows.map(({ more: _more, ...row }) => toItem(row)).filter((item) => item !== null)
  return { found, next: rows.at(-1)?.more ? (found.at(-1)?.eventNumber ?? null) : null }
}

type HeadRow = Omit<ThreadHead, 'role' | 'partial'> & {
  name: ThreadHead['role']
  status: ThreadHead['partial']
}

interface MessageRow {
  eventNumber: number
  id: string | null
  name: string
  data: unknown
  parentId: string | null
  createdAt: number
  more: boolean | null
}

type EventRow = StoredEvent & { data: unknown; more: boolean | null }
