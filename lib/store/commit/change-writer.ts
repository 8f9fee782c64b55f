import { AsyncLocalStorage } from 'node:async_hooks'
import {
  copySlice,
  HeadConflictError,
  type Needs,
  NotReadError,
  noNeeds,
  noSlice,
  type Slice,
} from '@/lib/context'
import type { Database } from '@/lib/db'
import type { ChatId } from '@/lib/events'
import { isMovedOn, isRefusal, refusalOf } from '../writes/refusals'
import { analyzeNewTables, append, appendArguments, underLock } from './append'
import type { Asked, Done } from './asked'
import { type Decided, decideAll } from './decide-all'
import { KeptSlices } from './kept-slices'
import { missingIn, needMore } from './needs'
import { addTo, readSlice } from './read-slice'

interface Waiting extends Asked {
  settle: { resolve(done: Done): void; reject(error: unknown): void }
  /** runs a function as the work that the change is part of */
  within: <Result>(run: () => Result) => Result
}

/** The outcomes of changes that were written; `hasDoubled` as `append` tells it. */
interface Written {
  outcomes: Decided['outcomes']
  hasDoubled: boolean
}

/** Changes that are written together at most. */
const TOGETHER = 32

/** Times that changes are decided while other processes write to the chat; then once more under its lock. */
const TRIES = 3

/** Times that a change may ask for something more: a chain of things, each named by the one before. */
const MOST_READS = 20

const writers = new WeakMap<object, ChangeWriter>()

/**
 * Decides changes and writes them, one after the other for each chat. Changes that come while another change
 * of their chat is being written wait here, without a connection, and are written together: they cost one
 * trip to the database and one to the disk.
 *
 * Most changes are decided on the slice that the last write has left; else the slice is read first. The
 * database writes nothing when the chat has grown since (`append_changes`): then it is read and decided
 * again.
 */
export class ChangeWriter {
  /** waiting changes, by chat that is being written to */
  readonly #chats = new Map<ChatId, Waiting[]>()
  readonly #kept = new KeptSlices()

  private constructor(private readonly database: Pick<Database, 'query' | 'orm'>) {}

  /** The one writer of a database in this process. */
  static of(database: Pick<Database, 'query' | 'orm'>): ChangeWriter {
    const known = writers.get(database)
    if (known) return known
    const writer = new ChangeWriter(database)
    writers.set(database, writer)
    return writer
  }

  /** Each change stands alone: it rejects with its own error. */
  write(chatId: ChatId, asked: Asked): Promise<Done> {
    const { promise, resolve, reject } = Promise.withResolvers<Done>()
    const waiting: Waiting = { ...asked, settle: { resolve, reject }, within: AsyncLocalStorage.snapshot() }
    const line = this.#chats.get(chatId)
    if (line) line.push(waiting)
    else {
      const begun = [waiting]
      this.#chats.set(chatId, begun)
      void this.#writeAll(chatId, begun)
    }
    return promise
  }

  /**
   * Decides changes that another statement writes (`Imports.advance`), each of its chat.
   *
   * @returns each one's rows, as `append_changes` takes them
   * @throws the refusal of the first that is refused
   */
  async prepare(changes: readonly (Asked & { chatId: ChatId })[]) {
    const slices = new Map<ChatId, Slice>()
    const prepared: ReturnType<typeof appendArguments>[] = []
    for (const asked of changes) {
      const known = slices.get(asked.chatId)
      const decided = await this.#decide(this.database.query, asked.chatId, [asked], {
        known,
        isThere: false,
      })
      const [outcome] = decided.outcomes
      if (outcome && 'refused' in outcome) throw outcome.refused
      slices.set(asked.chatId, decided.slice)
      prepared.push(appendArguments(decided))
      this.#kept.forget(asked.chatId)
    }
    return prepared
  }

  async #writeAll(chatId: ChatId, line: Waiting[]): Promise<void> {
    for (;;) {
      const [first] = line
      if (!first) break
      const some = line.splice(0, fitting(line))
      const left = await first.within(() => this.#write(chatId, some))
      line.unshift(...left)
    }
    this.#chats.delete(chatId)
  }

  /** Settles changes of a chat; returns those left for the next time. */
  async #write(chatId: ChatId, some: readonly Waiting[]): Promise<readonly Waiting[]> {
    try {
      const written = await this.#written(chatId, some)
      for (const [at, outcome] of written.entries()) {
        const settle = some[at]?.settle
        if ('refused' in outcome) settle?.reject(outcome.refused)
        else settle?.resolve(outcome)
      }
      return some.slice(written.length)
    } catch (error) {
      this.#kept.forget(chatId)
      // the database refuses a statement as a whole: then each change is written by itself
      if (some.length > 1 && isRefusal(error)) for (const each of some) await this.#write(chatId, [each])
      else for (const { settle } of some) settle.reject(refusalOf(error))
      return []
    }
  }

  /** Writes changes, and decides them again while other processes write to their chat. */
  async #written(chatId: ChatId, some: readonly Asked[]): Promise<Decided['outcomes']> {
    let written: Written | undefined
    for (let tries = 0; !written && tries < TRIES; tries += 1)
      written = await this.#tryToWrite(this.database.query, chatId, some, tries > 0)
    written ??= await underLock(this.database, chatId, (query) => this.#tryToWrite(query, chatId, some, true))
    if (!written) throw new HeadConflictError('The chat has moved on')
    if (written.hasDoubled) await analyzeNewTables(this.database.query)
    return written.outcomes
  }

  /** Returns the results of the written changes; undefined when the chat has grown meanwhile. */
  async #tryToWrite(
    query: Database['query'],
    chatId: ChatId,
    some: readonly Asked[],
    isThere: boolean,
  ): Promise<Written | undefined> {
    const known = this.#kept.get(chatId)
    const decided = await this.#decide(query, chatId, some, { known, isThere })
    const { outcomes, slice } = decided
    if (outcomes.every((outcome) => 'refused' in outcome)) return { outcomes, hasDoubled: false }
    const [first] = outcomes
    const answer = first && 'answer' in first ? first.answer : undefined
    try {
      const { kept, hasDoubled } = await append(query, decided, { once: some[0]?.once, answer })
      if (kept === null) this.#kept.keep(slice)
      return { outcomes: kept === null ? outcomes : [{ repeated: true, answer: kept }], hasDoubled }
    } catch (error) {
      this.#kept.forget(chatId)
      if (isMovedOn(error)) return undefined
      throw error
    }
  }

  /**
   * Decides changes on the known parts of the chat, and reads the unknown ones. A refusal is always one of
   * the present chat.
   */
  async #decide(
    query: Database['query'],
    chatId: ChatId,
    some: readonly Asked[],
    { known, isThere }: { known: Slice | undefined; isThere: boolean },
  ): Promise<Decided> {
    const needs = noNeeds()
    for (const asked of some) asked.needs(needs)
    // a change that makes its chat and looks at nothing else needs no read: the database tells that there is
    // none yet
    const isNew = !isThere && some[0]?.makesChat === true && needsNothing(needs)
    let slice = known ?? (isNew ? noSlice(chatId) : undefined)
    let isFresh = false
    let reads = 0
    for (;;) {
      const missing = slice ? missingIn(slice, needs) : needs
      if (missing || !slice) {
        const read = await readSlice(query, chatId, missing ?? needs)
        isFresh = true
        if (slice && read.seq === slice.seq && read.createdAt === slice.createdAt) {
          slice = copySlice(slice)
          addTo(slice, read)
        } else if (slice) {
          slice = undefined
          continue
        } else slice = read
      }
      try {
        const decided = decideAll(slice, some)
        if (isFresh || decided.outcomes.every((outcome) => !('refused' in outcome))) return decided
        // a refusal may rest on a slice that another process has outdated
        slice = undefined
      } catch (error) {
        if (!(error instanceof NotReadError)) throw error
        needMore(needs, error)
        // the names that were read are taken by now
        if (error.of === 'freeNames') slice?.freeNames.forget(error.key)
        reads += 1
        // each error names a further key
        if (reads > MOST_READS) throw error
      }
    }
  }
}

const needsNothing = (needs: Needs): boolean => Object.values(needs).every(({ size }) => size === 0)

/** Counts the first changes of a line that are written together; a change with an idempotency key is alone. */
function fitting(line: readonly Waiting[]): number {
  const over = line.findIndex(({ once }, at) => at === TOGETHER || (at > 0 && once !== undefined))
  if (line[0]?.once) return 1
  return over < 0 ? line.length : over
}
