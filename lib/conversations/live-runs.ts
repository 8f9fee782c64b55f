import type { UIMessageChunk } from 'ai'

/** A reply being written in this process: its parts so far, for whoever joins, and the means to stop it. */
export class LiveRun {
  readonly abort = new AbortController()
  readonly #chunks: UIMessageChunk[] = []
  readonly #waiting = new Set<() => void>()
  readonly #ended = Promise.withResolvers<void>()
  #over = false

  constructor(readonly runId: string) {}

  /** Resolves when the reply is stored and the last part is out. */
  get ended(): Promise<void> {
    return this.#ended.promise
  }

  push(chunk: UIMessageChunk): void {
    this.#chunks.push(chunk)
    this.#wake()
  }

  end(): void {
    this.#over = true
    this.#ended.resolve()
    this.#wake()
  }

  /** All parts from the first on, then each new one. Readers pull, so a slow one costs no memory of its own. */
  follow(): ReadableStream<UIMessageChunk> {
    let next = 0
    let wake: (() => void) | undefined
    return new ReadableStream<UIMessageChunk>(
      {
        pull: async (controller) => {
          while (next >= this.#chunks.length && !this.#over) {
            const { promise, resolve } = Promise.withResolvers<void>()
            wake = resolve
            this.#waiting.add(resolve)
            await promise
            this.#waiting.delete(resolve)
          }
          const chunk = this.#chunks[next++]
          if (chunk) controller.enqueue(chunk)
          else controller.close()
        },
        cancel: () => {
          if (wake) this.#waiting.delete(wake)
        },
      },
      { highWaterMark: 0 },
    )
  }

  #wake(): void {
    for (const wake of this.#waiting) wake()
  }
}

/** The replies being written in this process, by run id. */
export class LiveRuns {
  readonly #runs = new Map<string, LiveRun>()

  open(runId: string): LiveRun {
    const run = new LiveRun(runId)
    this.#runs.set(runId, run)
    void run.ended.then(() => this.#runs.delete(runId))
    return run
  }

  get(runId: string): LiveRun | undefined {
    return this.#runs.get(runId)
  }

  get all(): LiveRun[] {
    return [...this.#runs.values()]
  }
}
