import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Load,
  QueryAbandonedError,
  type QueryOptions,
  QueryTimeoutError,
  TIMEOUTS,
  type Timeouts,
} from './database'

const lanes = new AsyncLocalStorage<string>()

/**
 * Runs some work for a person (or for a credential whose person is not known yet): its statements take turns with those of
 * other persons wherever the database runs one at a time.
 */
export const onBehalfOf = <Result>(person: string, work: () => Result): Result => lanes.run(person, work)

/** The work of the server itself. */
const HOUSE = ''
/** Running time of statements after which the process looks at its connections again, in ms. */
const SPELL = 5
/** Maximum number of these looks: each accepts one new connection. A look shorter than `IDLE` ms found nothing. */
const LOOKS = 8
const IDLE = 0.2
/** Time that a job waits after a person's statement for the next one, in ms: a page asks for several, one by one. */
const GRACE = 25
/** Maximum time that people's statements hold up jobs, in ms. */
const HELD_UP = 150

export interface PassOptions extends Pick<QueryOptions, 'kind' | 'signal'> {
  /** goes before all persons */
  urgent?: boolean
}

/**
 * Lets one piece of work in at a time, in turns by person: a person with two hundred statements waiting delays another's
 * by one. Jobs (an import, a follower) go on in the pauses of persons, and a little all the same where there are none. With
 * nothing waiting, work begins at once. Work that is abandoned, or has waited longer than its kind may, leaves
 * the line and never begins; work that has begun runs to its end.
 */
export class FairGate {
  readonly #waiting = new Map<string, (() => void)[]>()
  readonly #urgent: (() => void)[] = []
  readonly #jobs: (() => void)[] = []
  #busy = false
  #rested = 0
  /** true when work has begun since the event loop's last turn */
  #isSpell = false
  /** when the last statement of a person ended, and the last job */
  #served = Number.NEGATIVE_INFINITY
  #worked = Number.NEGATIVE_INFINITY
  #pause: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly timeouts: Timeouts = TIMEOUTS) {}

  /**
   * Resolves or rejects as the work does. Rejects with `QueryTimeoutError` or `QueryAbandonedError` for work that has not
   * begun.
   */
  async pass<Result>(work: () => Promise<Result>, options: PassOptions = {}): Promise<Result> {
    if (options.signal?.aborted) throw new QueryAbandonedError()
    const isJob = options.kind === 'job'
    if (this.#busy || (isJob && this.#heldUp() > 0)) {
      const turn = this.#turn(options)
      if (!this.#busy) this.#next()
      await turn
    } else {
      this.#busy = true
      const rest = this.#spell()
      if (rest) await rest
    }
    try {
      return await work()
    } finally {
      if (isJob) this.#worked = performance.now()
      else if (!options.urgent) this.#served = performance.now()
      this.#next()
    }
  }

  /** Time that jobs still wait for a person's next statement, in ms. */
  #heldUp(): number {
    const now = performance.now()
    return Math.min(this.#served + GRACE, this.#worked + HELD_UP) - now
  }

  #turn({ urgent = false, kind = 'write', signal }: PassOptions): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const lane = lanes.getStore() ?? HOUSE
    const line = urgent ? this.#urgent : kind === 'job' ? this.#jobs : this.#lineOf(lane)
    const enter = () => {
      settle()
      resolve()
    }
    const leave = (error: Error) => {
      settle()
      line.splice(line.indexOf(enter), 1)
      if (line.length === 0 && this.#waiting.get(lane) === line) this.#waiting.delete(lane)
      reject(error)
    }
    const abandon = () => leave(new QueryAbandonedError())
    signal?.addEventListener('abort', abandon, { once: true })
    const limit = this.timeouts[kind]
    const timer = Number.isFinite(limit)
      ? setTimeout(() => leave(new QueryTimeoutError(kind)), limit)
      : undefined
    const settle = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abandon)
    }
    line.push(enter)
    return promise
  }

  #lineOf(lane: string): (() => void)[] {
    const line = this.#waiting.get(lane) ?? []
    this.#waiting.set(lane, line)
    return line
  }

  #next(): void {
    clearTimeout(this.#pause)
    const awaited = this.#urgent.length > 0 || this.#waiting.size > 0
    const pause = awaited ? 0 : this.#heldUp()
    this.#busy = awaited || (this.#jobs.length > 0 && pause <= 0)
    if (this.#busy) {
      if (performance.now() - this.#rested < SPELL) this.#admit()
      // statements follow each other without a pause: a long line of them would keep every connection waiting
      else void this.#rest().then(() => this.#admit())
    } else if (this.#jobs.length > 0) this.#pause = setTimeout(() => this.#busy || this.#next(), pause)
  }

  /** Statements that a caller asks one after the other keep every connection waiting as a line of them does. */
  #spell(): Promise<void> | undefined {
    if (this.#isSpell) return performance.now() - this.#rested < SPELL ? undefined : this.#rest()
    this.#isSpell = true
    this.#rested = performance.now()
    setImmediate(() => {
      this.#isSpell = false
    })
    return undefined
  }

  async #rest(): Promise<void> {
    for (let look = 0; look < LOOKS; look++) {
      const begun = performance.now()
      await new Promise(setImmediate)
      this.#rested = performance.now()
      if (this.#rested - begun < IDLE) return
    }
  }

  #admit(): void {
    const go = this.#urgent.shift() ?? this.#overdueJob() ?? this.#nextInTurn() ?? this.#jobs.shift()
    if (go) go()
    // all that waited has left meanwhile
    else this.#busy = false
  }

  #overdueJob(): (() => void) | undefined {
    return performance.now() - this.#worked < HELD_UP ? undefined : this.#jobs.shift()
  }

  /** The lane whose turn is longest ago stands first. */
  #nextInTurn(): (() => void) | undefined {
    const [first] = this.#waiting
    if (!first) return undefined
    const [lane, line] = first
    const go = line.shift()
    this.#waiting.delete(lane)
    if (line.length > 0) this.#waiting.set(lane, line)
    return go
  }
}

/** Counts statements and transactions between their beginning and their end. */
export class LoadCount {
  #begun = 0

  constructor(private readonly most: number) {}

  get now(): Load {
    const { most } = this
    return { most, used: Math.min(this.#begun, most), waiting: Math.max(0, this.#begun - most) }
  }

  /** Counts work in, and out when it has ended, well or not. */
  async during<T>(work: () => PromiseLike<T>): Promise<T> {
    this.#begun += 1
    try {
      return await work()
    } finally {
      this.#begun -= 1
    }
  }

  /**
   * Counts a statement in and out that runs when it is first waited for. Looked at a moment later: what its caller still
   * says about it counts.
   */
  statement<T extends PromiseLike<unknown>>(pending: T): T {
    this.#begun += 1
    const out = () => {
      this.#begun -= 1
    }
    queueMicrotask(() => void pending.then(out, out))
    return pending
  }
}
