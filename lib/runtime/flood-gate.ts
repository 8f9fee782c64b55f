const MINUTE = 60_000

export interface FloodGateOptions {
  /** lines of one source in a minute */
  perSource: number
  /** lines of all sources in a minute; the others are counted under one name */
  inAll: number
  /** sources that are counted separately */
  sources: number
  clock?: () => number
}

/** A line about a source: the value itself, or how many more there were in the last minute. */
export type Passed<T> = { source: string; value: T; more?: undefined } | { source: string; more: number }

/** The name of all other sources. */
export const OTHERS = '(others)'

/**
 * Passes a few lines of each source in a minute, and writes the number of the others after it. A flood costs no more
 * lines and memory than the options allow.
 */
export class FloodGate<T> {
  readonly #counts = new Map<string, { passed: number; held: number }>()
  #begun = 0
  #passed = 0
  #timer: NodeJS.Timeout | undefined

  constructor(
    private readonly options: FloodGateOptions,
    private readonly write: (line: Passed<T>) => void,
  ) {}

  note(source: string, value: T): void {
    const { perSource, inAll, clock = Date.now } = this.options
    if (clock() - this.#begun >= MINUTE) this.flush()
    const count = this.#countOf(source)
    if (count.passed < perSource && this.#passed < inAll) {
      count.passed += 1
      this.#passed += 1
      this.write({ source, value })
    } else {
      count.held += 1
      this.#timer ??= setTimeout(() => this.flush(), MINUTE).unref()
    }
  }

  /** Begins a new minute: writes how many lines were held back in the last. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const held = [...this.#counts].filter(([, count]) => count.held > 0)
    const { inAll, clock = Date.now } = this.options
    this.#counts.clear()
    this.#passed = 0
    this.#begun = clock()
    // when there are very many sources, the rest is one number
    held.sort(([, a], [, b]) => b.held - a.held)
    for (const [source, { held: more }] of held.slice(0, inAll)) this.write({ source, more })
    const rest = held.slice(inAll).reduce((sum, [, count]) => sum + count.held, 0)
    if (rest > 0) this.write({ source: OTHERS, more: rest })
  }

  #countOf(source: string): { passed: number; held: number } {
    const known = this.#counts.get(source)
    if (known) return known
    const name = this.#counts.size < this.options.sources ? source : OTHERS
    const count = this.#counts.get(name) ?? { passed: 0, held: 0 }
    this.#counts.set(name, count)
    return count
  }
}
