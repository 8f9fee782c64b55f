import { type Ports, takeOverRuns } from '@/lib/conversations'

/** Replies one process writes at a time for others; its own requests come on top. */
const MOST_REPLIES = 64
/** How long the parts of a reply are kept once it is stored, in ms. */
const KEEP_PARTS = 60_000
/** How often waiting runs are looked for, in ms; and how often everything that can wait is done. */
const LOOK = 1000
const TIDY = 4000

export interface WorkerServices {
  ports: Ports
  /** makes what was said since the last time searchable */
  indexSearch(): Promise<unknown>
}

/**
 * What a process does besides answering requests: it takes runs that were queued by a command, or left by a process that
 * has died (within five seconds of the end of their lease), makes what was said searchable, and forgets the logs of
 * replies that are stored.
 */
export class Worker {
  #timer: NodeJS.Timeout | undefined
  #stopped = false
  #tidiedAt = 0
  #round: Promise<void> = Promise.resolve()
  readonly #replies = new Set<Promise<unknown>>()

  constructor(private readonly services: WorkerServices) {}

  start(): this {
    this.#next(0)
    return this
  }

  /** Takes no more runs, and resolves when those it has taken are stored. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#round
    await Promise.all(this.#replies)
  }

  #next(delay: number): void {
    if (this.#stopped) return
    this.#timer = setTimeout(() => {
      this.#round = this.#work().finally(() => this.#next(LOOK))
    }, delay)
    this.#timer.unref()
  }

  async #work(): Promise<void> {
    const { ports, indexSearch } = this.services
    const attempt = (what: string, work: () => Promise<unknown>) =>
      work().catch((error: unknown) => ports.logError(what, error))
    const room = MOST_REPLIES - ports.live.size
    if (room > 0) await attempt('taking over runs', () => this.#take(room))
    if (ports.clock() - this.#tidiedAt < TIDY) return
    this.#tidiedAt = ports.clock()
    await attempt('indexing for search', indexSearch)
    await attempt('forgetting the logs of stored replies', () => ports.log.prune(KEEP_PARTS))
  }

  async #take(room: number): Promise<void> {
    const { ended } = await takeOverRuns(this.services.ports, room)
    const done = ended.finally(() => this.#replies.delete(done))
    this.#replies.add(done)
  }
}
