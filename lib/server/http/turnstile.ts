/**
 * Runs a limited amount of each person's work at the same time; the rest waits, in the order it came. So a burst of one
 * person costs the others little. Persons do not wait for each other.
 */
export class Turnstile {
  readonly #atOnce: number
  /** by person, how much work is under way, and the work that waits */
  readonly #persons = new Map<string, { inside: number; waiting: (() => void)[] }>()

  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  /** Resolves or rejects as the work does. */
  async pass<Result>(person: string, work: () => Promise<Result>): Promise<Result> {
    const at = this.#persons.get(person) ?? { inside: 0, waiting: [] }
    this.#persons.set(person, at)
    if (at.inside < this.#atOnce) at.inside++
    else await new Promise<void>((resolve) => at.waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = at.waiting.shift()
      if (next) next()
      else {
        at.inside--
        if (at.inside === 0) this.#persons.delete(person)
      }
    }
  }
}

/** Requests of one credential that are handled at the same time, until their answers begin. */
export const requestTurnstile = new Turnstile(8)
