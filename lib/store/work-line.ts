import { knownAs, QueryAbandonedError } from '@/lib/db'

/** The costly work that waits in lines, each kind in its own. */
export type LineWork = 'searches' | 'long bodies' | 'heavy requests' | 'exports' | 'calls of agents'

/** Too much waits already, of one person or of all; or the turn did not come in time. */
export class GateFullError extends knownAs('GateFullError') {
  constructor(
    readonly of: 'person' | 'server',
    readonly work: LineWork,
  ) {
    super(`Too many ${work} of ${of === 'person' ? 'one person' : 'all persons'} wait already`)
  }
}

export interface LineLimits {
  work: LineWork
  /** maximum number at once, per person and in all */
  perPerson: number
  inAll: number
  /** maximum number waiting, per person and in all */
  waitingPerPerson: number
  waitingInAll: number
  /** longest wait, in ms; without it unlimited */
  longestWait?: number
}

interface Waiting {
  enter: () => void
}

/**
 * Lets costly work in a few at a time, and persons in turn: the first of each waits behind no more than one of every other
 * person, however much one of them asks for.
 */
export class WorkLine {
  /** running work by person */
  readonly #inside = new Map<string, number>()
  /** waiting work by person; the person who was let in last is at the end */
  readonly #waiting = new Map<string, Waiting[]>()
  #waits = 0
  #works = 0

  constructor(private readonly limits: LineLimits) {}

  /**
   * Runs `work` when it is its turn.
   *
   * @throws {GateFullError} as `enter`
   * @throws {QueryAbandonedError} as `enter`; the work is never begun
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

  /**
   * Resolves when it is a person's turn, with what ends the turn; a second call of that does nothing.
   *
   * @throws {GateFullError} at once, when too much waits; later, when the turn has not come in time
   * @throws {QueryAbandonedError} when `signal` is aborted while it waits
   */
  enter(person: string, signal?: AbortSignal): Promise<() => void> {
    const { promise: isOver, resolve: leave } = Promise.withResolvers<void>()
    return new Promise((begin, refuse) => {
      const inside = () => {
        begin(leave)
        return isOver
      }
      this.run(person, inside, signal).catch(refuse)
    })
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
    const { work, waitingPerPerson, waitingInAll, longestWait } = this.limits
    const own = this.#waiting.get(person) ?? []
    if (own.length >= waitingPerPerson) throw new GateFullError('person', work)
    if (this.#waits >= waitingInAll) throw new GateFullError('server', work)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const settle = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abandon)
      this.#remove(person, waiting)
    }
    const leave = (error: Error) => {
      settle()
      reject(error)
    }
    const abandon = () => leave(new QueryAbandonedError())
    const giveUp = () => leave(new GateFullError(this.#inside.has(person) ? 'person' : 'server', work))
    const waiting: Waiting = {
      enter: () => {
        settle()
        this.#enter(person)
        resolve()
      },
    }
    const timer = longestWait === undefined ? undefined : setTimeout(giveUp, longestWait)
    signal?.addEventListener('abort', abandon, { once: true })
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
