import type { UIMessageChunk } from 'ai'
import { joinWords } from './join-words'

/** How it ended here: its reply is stored, or somebody else goes on with it. */
export type Ending = 'over' | 'lost'

/** A reply being written in this process: its parts so far, for whoever joins, and the means to stop it. */
export class LiveRun {
  readonly abort = new AbortController()
  readonly #chunks: UIMessageChunk[] = []
  readonly #waiting = new Set<() => void>()
  readonly #ended = Promise.withResolvers<Ending>()
  #ending: Ending | undefined

  constructor(
    readonly runId: string,
    readonly chatId: string,
  ) {}

  /** Resolves when the reply is stored and the last part is out, or when somebody else has the run. */
  get ended(): Promise<Ending> {
    return this.#ended.promise
  }

  push(chunk: UIMessageChunk): void {
    this.#chunks.push(chunk)
    this.#wake()
  }

  end(ending: Ending = 'over'): void {
    this.#ending ??= ending
    this.#ended.resolve(this.#ending)
    this.#wake()
  }

  /**
   * All parts from the first on, then each new one, until the run has ended here or `signal` fires. Readers take at
   * their own pace: what has piled up since they last did comes joined, and a slow one costs no memory of its own.
   */
  async *parts(signal: AbortSignal): AsyncGenerator<UIMessageChunk, Ending | undefined> {
    let next = 0
    while (!signal.aborted) {
      const fresh = joinWords(this.#chunks.slice(next))
      next = this.#chunks.length
      yield* fresh
      if (next < this.#chunks.length) continue
      if (this.#ending) return this.#ending
      await this.#change(signal)
    }
    return undefined
  }

  async #change(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.add(resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
    await promise
    this.#waiting.delete(resolve)
  }

  #wake(): void {
    for (const wake of this.#waiting) wake()
  }
}

/** The replies being written in this process, by run id. */
export class LiveRuns {
  readonly #runs = new Map<string, LiveRun>()

  /** How many replies this process is writing. */
  get size(): number {
    return this.#runs.size
  }

  /** Begins to hold a run. One that this process held before, and slept through, is given up. */
  open(runId: string, chatId: string): LiveRun {
    const slept = this.#runs.get(runId)
    slept?.abort.abort()
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
