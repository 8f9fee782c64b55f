import type { UIMessageChunk } from 'ai'
import { type Place, ReplyParts } from './reply-parts'

/** How a run ended in this process: its reply is stored, or another process holds it now. */
export type Ending = 'over' | 'lost'

/** A reply being written in this process: its parts so far, for every reader, and the means to stop it. */
export class LiveRun {
  readonly abort = new AbortController()
  readonly #parts = new ReplyParts()
  readonly #waiting = new Set<() => void>()
  readonly #ended = Promise.withResolvers<Ending>()
  #ending: Ending | undefined

  constructor(
    readonly runId: string,
    readonly chatId: string,
    /** number of the attempt made here */
    readonly attempt: number,
  ) {}

  /** Resolves when the reply is stored and the last part is out, or when another process has the run. */
  get ended(): Promise<Ending> {
    return this.#ended.promise
  }

  /** The part every reader gets first, once there is one. */
  get first(): UIMessageChunk | undefined {
    return this.#parts.first
  }

  push(chunk: UIMessageChunk): void {
    this.#parts.push(chunk)
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
    let at: Place = { parts: 0, characters: 0 }
    // one subscription for all words: adding and removing one for each costs more than the word
    let goOn: (() => void) | undefined
    const wake = () => goOn?.()
    this.#waiting.add(wake)
    signal.addEventListener('abort', wake)
    try {
      while (!signal.aborted) {
        const fresh = this.#parts.after(at)
        at = this.#parts.end
        yield* fresh
        if (signal.aborted || this.#parts.goOnAfter(at)) continue
        if (this.#ending) return this.#ending
        await new Promise<void>((resolve) => {
          goOn = resolve
        })
      }
      return undefined
    } finally {
      this.#waiting.delete(wake)
      signal.removeEventListener('abort', wake)
    }
  }

  #wake(): void {
    for (const wake of this.#waiting) wake()
  }
}

/** The replies being written in this process, by run id. */
export class LiveRuns {
  readonly #runs = new Map<string, LiveRun>()
  readonly #awaited = new Map<string, Set<() => void>>()

  /** Begins to hold a run. One that this process held before, and slept through, is given up. */
  open({ runId, chatId, attempt }: Pick<LiveRun, 'runId' | 'chatId' | 'attempt'>): LiveRun {
    const slept = this.#runs.get(runId)
    slept?.abort.abort()
    const run = new LiveRun(runId, chatId, attempt)
    this.#runs.set(runId, run)
    for (const wake of this.#awaited.get(runId) ?? []) wake()
    void run.ended.then(() => {
      if (this.#runs.get(runId) === run) this.#runs.delete(runId)
    })
    return run
  }

  /** Calls `wake` whenever this process begins to hold a run, until the returned function is called. */
  subscribe(runId: string, wake: () => void): () => void {
    const wakes = this.#awaited.get(runId) ?? new Set()
    this.#awaited.set(runId, wakes.add(wake))
    return () => {
      wakes.delete(wake)
      if (wakes.size === 0 && this.#awaited.get(runId) === wakes) this.#awaited.delete(runId)
    }
  }

  ids(): string[] {
    return [...this.#runs.keys()]
  }

  get(runId: string): LiveRun | undefined {
    return this.#runs.get(runId)
  }

  /** Stops every reply of a chat. */
  abortChat(chatId: string): void {
    for (const run of this.#runs.values()) if (run.chatId === chatId) run.abort.abort()
  }
}
