import { AsyncLocalStorage } from 'node:async_hooks'
import type { Committed } from '@/lib/context'
import type { Database } from '@/lib/db'
import { refusalOf } from './refusals'

/** A change as the database takes it. */
export interface WrittenChange {
  /** as `writtenChange` has it */
  json: string
  /** its use, as `quotaJson` has it; null counts nothing */
  quota: string | null
  /** as `bodiesText` has them */
  bodies: string
}

interface Waiting extends WrittenChange {
  settle: { resolve(done: Committed): void; reject(error: unknown): void }
  /** runs a function as the work that the change is part of */
  within: <Result>(run: () => Result) => Result
}

/** Changes that are written together at most, and their letters: a chat's other writes wait meanwhile, and so do those of a person. */
const TOGETHER = 32
const LETTERS = 1_000_000

/** Stands between entries of a text: JSON never holds it unescaped. */
const BETWEEN = '\u001d'

/**
 * Writes changes, those of one chat one after the other, as its lock has them anyway. Changes that come while another one of their
 * chat is being written wait here, without a connection, and are written together: they cost one trip to the database and one to
 * the disk.
 */
export class ChangeWriter {
  /** by chat that is being written to, what comes meanwhile */
  readonly #chats = new Map<string, Waiting[]>()

  constructor(private readonly database: Pick<Database, 'query'>) {}

  /** Each change stands for itself: rejects with the error of its own. */
  write(chatId: string, change: WrittenChange): Promise<Committed> {
    const { promise, resolve, reject } = Promise.withResolvers<Committed>()
    const waiting: Waiting = { ...change, settle: { resolve, reject }, within: AsyncLocalStorage.snapshot() }
    const line = this.#chats.get(chatId)
    if (line) line.push(waiting)
    else {
      const begun = [waiting]
      this.#chats.set(chatId, begun)
      void this.#writeAll(chatId, begun)
    }
    return promise
  }

  async #writeAll(chatId: string, line: Waiting[]): Promise<void> {
    for (;;) {
      const some = line.splice(0, fitting(line))
      const [first] = some
      if (!first) break
      await first.within(() => (some.length === 1 ? this.#alone(first) : this.#together(some)))
    }
    this.#chats.delete(chatId)
  }

  async #alone({ json, quota, bodies, settle }: Waiting): Promise<void> {
    try {
      const [row] = await this.database.query<{ done: Committed }>(
        'select commit_change($1::json, $2::json, $3) as done',
        [json, quota, bodies],
      )
      if (!row) throw new Error('commit_change returned nothing')
      settle.resolve(row.done)
    } catch (error) {
      settle.reject(refusalOf(error))
    }
  }

  async #together(some: readonly Waiting[]): Promise<void> {
    try {
      const [row] = await this.database.query<{ answers: Answer[] }>(
        'select commit_changes($1, $2, $3) as answers',
        [
          some.map(({ json }) => json).join(BETWEEN),
          some.map(({ quota }) => quota ?? '').join(BETWEEN),
          some.map(({ bodies }) => bodies).join(BETWEEN),
        ],
      )
      for (const [at, { settle }] of some.entries()) {
        const answer = row?.answers[at]
        if (answer?.done) settle.resolve(answer.done)
        else settle.reject(refusalOf(Object.assign(new Error(answer?.refused?.message), answer?.refused)))
      }
    } catch (error) {
      // a text that the database cannot read has it refuse the whole statement: nothing is written
      if (isRefusal(error)) for (const each of some) await this.#alone(each)
      else for (const { settle } of some) settle.reject(refusalOf(error))
    }
  }
}

/** Tells whether the database has said it, in its codes: an error of the connection leaves open what was written. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^\d[\dA-Z]{4}$/.test(String(error.code))

interface Answer {
  done?: Committed
  refused?: { code: string; message: string; detail: string | null; constraint: string | null }
}

/** Counts the changes at the beginning of a line that are written together; a long one is written alone. */
function fitting(line: readonly Waiting[]): number {
  let letters = 0
  const over = line.findIndex(({ json, bodies }, at) => {
    letters += json.length + bodies.length
    return at === TOGETHER || (at > 0 && letters > LETTERS)
  })
  return over < 0 ? line.length : over
}
