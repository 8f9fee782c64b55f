const MINUTE = 60_000

/** Keys that are remembered at most, some 100 bytes each; beyond that the least recent one is dropped. */
const MOST_KEYS = 50_000

interface Count {
  /** the start of the counted minute */
  since: number
  count: number
  /** count of the minute before */
  before: number
}

/**
 * Counts the requests of each key in the last sixty seconds, with two numbers for a key: the count of this minute, and of
 * the minute before the share that lies within sixty seconds. So the limit does not double when a minute ends.
 */
export class RateWindow {
  /** by key, the most recent one last */
  readonly #counts = new Map<string, Count>()

  constructor(
    private readonly clock: () => number = Date.now,
    private readonly mostKeys = MOST_KEYS,
  ) {}

  /** Number of remembered keys. */
  get size(): number {
    return this.#counts.size
  }

  /** Counts one request, if the limit has room for it. Returns 0, or the seconds until there is room. */
  take(key: string, perMinute: number): number {
    if (perMinute === Number.POSITIVE_INFINITY) return 0
    const now = this.clock()
    const entry = this.#at(key, now)
    this.#counts.delete(key)
    this.#counts.set(key, entry)
    this.#forget(now)
    const passed = now - entry.since
    if (entry.count + entry.before * (1 - passed / MINUTE) + 1 > perMinute + 1e-9)
      return Math.max(1, Math.ceil(waitFor(entry, passed, perMinute) / 1000))
    entry.count += 1
    return 0
  }

  #at(key: string, now: number): Count {
    const entry = this.#counts.get(key)
    if (!entry) return { since: now, count: 0, before: 0 }
    const minutes = Math.floor((now - entry.since) / MINUTE)
    if (minutes === 0) return entry
    const since = entry.since + minutes * MINUTE
    return { since, count: 0, before: minutes === 1 ? entry.count : 0 }
  }

  /** Drops the oldest keys when their counts are out of date, or when there are too many. */
  #forget(now: number): void {
    for (const [key, { since }] of this.#counts) {
      if (now - since < 2 * MINUTE && this.#counts.size <= this.mostKeys) return
      this.#counts.delete(key)
    }
  }
}

/** Milliseconds until one more request has room: a count runs out evenly over the minute after its own. */
function waitFor({ count, before }: Count, passed: number, perMinute: number): number {
  const room = perMinute - 1
  if (room < 0) return MINUTE
  if (count <= room && before > 0) return MINUTE * (1 - (room - count) / before) - passed
  return MINUTE - passed + MINUTE * (1 - room / count)
}

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

  /** Resolves when the work of a person that waits now has been let in. */
  async lineIsIn(person: string): Promise<void> {
    const { waiting } = this.#persons.get(person) ?? { waiting: [] }
    const last = waiting.length - 1
    const enter = waiting[last]
    if (!enter) return
    await new Promise<void>((resolve) => {
      waiting[last] = () => {
        enter()
        resolve()
      }
    })
  }
}

/** Requests of one credential that are handled at the same time, until their answers begin. */
export const requestTurnstile = new Turnstile(8)
