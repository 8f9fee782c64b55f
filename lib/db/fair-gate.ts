import { AsyncLocalStorage } from 'node:async_hooks'

const lanes = new AsyncLocalStorage<string>()

/**
 * Runs some work for a person (or for a credential whose person is not known yet): its statements take turns with those of
 * other persons wherever the database runs one at a time.
 */
export const onBehalfOf = <Result>(person: string, work: () => Result): Result => lanes.run(person, work)

/** What a server does for nobody in particular. */
const HOUSE = ''
/** How long statements run before the process looks at its connections again, in ms. */
const SPELL = 5
/** How often it looks then at most: with each look one new connection is accepted. A look shorter than `IDLE` ms found nothing. */
const LOOKS = 8
const IDLE = 0.2

/**
 * Lets one piece of work in at a time, in turns by person: a person with two hundred statements waiting delays another's
 * by one. With nothing waiting, work begins at once.
 */
export class FairGate {
  readonly #waiting = new Map<string, (() => void)[]>()
  #urgent: (() => void)[] = []
  #busy = false
  #rested = 0

  /** Resolves or rejects as the work does. What is `urgent` goes before all persons. */
  async pass<Result>(work: () => Promise<Result>, { urgent = false } = {}): Promise<Result> {
    if (this.#busy) await this.#turn(urgent)
    else {
      this.#busy = true
      this.#rested = performance.now()
    }
    try {
      return await work()
    } finally {
      this.#next()
    }
  }

  #turn(urgent: boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const lane = lanes.getStore() ?? HOUSE
    if (urgent) this.#urgent.push(resolve)
    else {
      const line = this.#waiting.get(lane)
      if (line) line.push(resolve)
      else this.#waiting.set(lane, [resolve])
    }
    return promise
  }

  #next(): void {
    if (this.#urgent.length === 0 && this.#waiting.size === 0) this.#busy = false
    else if (performance.now() - this.#rested < SPELL) this.#admit()
    // statements follow each other without a pause: a long line of them would keep every connection waiting
    else void this.#rest().then(() => this.#admit())
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
    const go = this.#urgent.shift() ?? this.#nextInTurn()
    go?.()
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
