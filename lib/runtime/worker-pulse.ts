/** How long something may be late or fail before it counts, in ms: an outage of a moment is none. */
const PATIENCE = 10_000

/** What is wrong with a task of the worker, and since when. */
export interface Failing {
  task: string
  since: number
}

/** Whether the worker of this process lives, and which of its tasks fail. */
export class WorkerPulse {
  #beatAt: number | undefined
  readonly #failingSince = new Map<string, number>()

  constructor(private readonly clock: () => number = Date.now) {}

  /** The worker has begun a round. */
  beat(): void {
    this.#beatAt = this.clock()
  }

  done(task: string, error?: unknown): void {
    if (error === undefined) this.#failingSince.delete(task)
    else if (!this.#failingSince.has(task)) this.#failingSince.set(task, this.clock())
  }

  /** Since when no round has begun, in ms; 0 while they do, or where there is no worker. */
  get lateMs(): number {
    if (this.#beatAt === undefined) return 0
    const late = this.clock() - this.#beatAt
    return late > PATIENCE ? late : 0
  }

  /** Tasks that have failed for a while without having been done once. */
  get failing(): Failing[] {
    const now = this.clock()
    return [...this.#failingSince].flatMap(([task, since]) =>
      now - since > PATIENCE ? [{ task, since }] : [],
    )
  }
}
