import { QueryAbandonedError } from '@/lib/db'

/** Too much waits already: of one person, or of all. */
export class GateFullError extends Error {
  override readonly name = 'GateFullError'

  constructor(readonly of: 'person' | 'server') {
    super(`Too much of ${of === 'person' ? 'one person' : 'all persons'} waits already`)
  }
}

export interface GateLimits {
  /** how many are let in at once, of one person and in all */
  perPerson: number
  inAll: number
  /** how many wait, of one person and in all */
  waitingPerPerson: number
  waitingInAll: number
}

interface Waiting {
  enter: () => void
}

/**
 * Lets costly work in a few at a time, and persons in turn: the first of each waits behind no more than one of every other
 * person, however much one of them asks for.
 */
export class SearchLine {
  /** how much of each person runs */
  readonly #inside = new Map<string, number>()
  /** what waits of each person; the person who was let in last stands last */
  readonly #waiting = new Map<string, Waiting[]>()
  #waits = 0
  #works = 0

  constructor(private readonly limits: GateLimits) {}

  /**
   * Runs `work` when it is its turn.
   *
   * @throws {GateFullError} at once, when too much waits
   * @throws {QueryAbandonedError} when `signal` is aborted while it waits: then it is never begun
   */
  async run<Done>(person: string, work: () => Promise<Done>, signal?: AbortSignal): Promise<Done> {
    if (signal?.aborted) throw new QueryAbandonedError()
    if (this.#admits(person)) this.#enter(person)
    else await this.#wait(person, signal)
    try {
      return await work()
    } finally {
      this.#leave(person)
    }
  }

  #admits(person: string): boolean {
    return this.#works < this.limits.inAll && (this.#inside.get(person) ?? 0) < this.limits.perPerson
  }

  #enter(person: string): void {
    this.#works += 1
    this.#inside.set(person, (this.#inside.get(person) ?? 0) + 1)
  }

  #leave(person: string): void {
    this.#works -= 1
    const left = (this.#inside.get(person) ?? 1) - 1
    if (left === 0) this.#inside.delete(person)
    else this.#inside.set(person, left)
    this.#next()
  }

  #wait(person: string, signal: AbortSignal | undefined): Promise<void> {
    const own = this.#waiting.get(person) ?? []
    if (own.length >= this.limits.waitingPerPerson) throw new GateFullError('person')
    if (this.#waits >= this.limits.waitingInAll) throw new GateFullError('server')
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = () => {
      this.#remove(person, waiting)
      reject(new QueryAbandonedError())
    }
    const waiting: Waiting = {
      enter: () => {
        signal?.removeEventListener('abort', leave)
        this.#remove(person, waiting)
        this.#enter(person)
        resolve()
      },
    }
    signal?.addEventListener('abort', leave, { once: true })
    own.push(waiting)
    this.#waiting.set(person, own)
    this.#waits += 1
    return promise
  }

  #remove(person: string, waiting: Waiting): void {
    const left = this.#waiting.get(person)?.filter((one) => one !== waiting) ?? []
    this.#waiting.delete(person)
    if (left.length > 0) this.#waiting.set(person, left)
    this.#waits -= 1
  }

  #next(): void {
    for (const [person, [first]] of this.#waiting) {
      if (this.#works >= this.limits.inAll) return
      if (this.#admits(person)) first?.enter()
    }
  }
}
