import type { UIMessageChunk } from 'ai'

/** A reply being written in this process: its parts so far, for whoever joins, and the means to stop it. */
export class LiveRun {
  readonly abort = new AbortController()
  readonly #chunks: UIMessageChunk[] = []
  readonly #waiting = new Set<() => void>()
  readonly #ended = Promise.withResolvers<void>()
  #over = false

  constructor(
    readonly runId: string,
    readonly chatId: string,
  ) {}

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

  /** Begins to hold a run. One that this process held before, and slept through, is given up. */
  open(runId: string, chatId: string): LiveRun {
    this.#runs.get(runId)?.abort.abort()
    const run = new LiveRun(runId, chatId)
    this.#runs.set(runId, run)
    void run.ended.then(() => {
      if (this.#runs.get(runId) === run) this.#runs.delete(runId)
    })
    return run
  }

  get(runId: string): LiveRun | undefined {
    return this.#runs.get(runId)
  }

  /** Stops every reply of a chat. */
  abortChat(chatId: string): void {
    for (const run of this.#runs.values()) if (run.chatId === chatId) run.abort.abort()
  }
}
