import { AsyncLocalStorage } from 'node:async_hooks'
import { driveDue, type Ports, takeOverRuns } from '@/lib/conversations'

/** Runs that one round takes; the next round, right after, takes more. */
const AT_ONCE = 64
/** Pause between two searches for waiting runs, and between two rounds of tidying, in ms. */
const LOOK = 1000
const TIDY = 4000

export interface WorkerServices {
  ports: Ports
  /** has the followers of the log process some of the new events; there may be more */
  followLog(): Promise<{ more: boolean }>
  /** work that can wait, by its name in the log: indexing for search, deleting old data */
  chores: Readonly<Record<string, () => Promise<unknown>>>
  /** begins to work on an import that waits, until the signal is aborted; undefined when none waits */
  takeImport?(signal: AbortSignal): Promise<{ ended: Promise<void> } | undefined>
  /** notes that the worker is running, and how each of its tasks ended */
  pulse?: { beat(): void; done(task: string, error?: unknown): void }
}

/**
 * The background work of a process. It takes runs that a command has queued (at once, when this process stored the
 * command) or that a dead process has left (within five seconds of the end of their lease), drives replays on, works on imports, follows the log, indexes
 * messages for search, and deletes old data: the logs of stored replies, answers to old commands, ended sessions, guests
 * that own nothing.
 */
export class Worker {
  #timer: NodeJS.Timeout | undefined
  #stopped = false
  /** a run was queued since the round began */
  #nudged = false
  #round: Promise<void> | undefined
  #tidying: Promise<void> | undefined
  #following: Promise<void> | undefined
  #tidiedAt = 0
  /** runs wait for which the last round had no room */
  #more = false
  #unsubscribe: () => void = () => undefined
  readonly #replies = new Set<Promise<unknown>>()
  readonly #imports = new Set<Promise<unknown>>()
  readonly #stopping = new AbortController()
  /** a nudge comes from one person's request, and a round serves all persons */
  readonly #outside = AsyncLocalStorage.snapshot()

  constructor(private readonly services: WorkerServices) {}

  start(): this {
    const { queue, slots } = this.services.ports
    const ends = [
      queue.subscribe((when) => {
        if (when === 'now') this.nudge()
        else this.#more = true
      }),
      slots.subscribe(() => {
        if (this.#more) this.nudge()
      }),
    ]
    this.#unsubscribe = () => {
      for (const end of ends) end()
    }
    this.#next(0)
    return this
  }

  /** Searches for waiting runs now, or right after the round that is under way. */
  nudge(): void {
    this.#nudged = true
    if (this.#round) return
    clearTimeout(this.#timer)
    this.#next(0)
  }

  /** Takes no more runs, and resolves when the runs it has taken are stored. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#stopping.abort()
    this.#unsubscribe()
    clearTimeout(this.#timer)
    await Promise.all([this.#round, this.#tidying, this.#following])
    await Promise.all([...this.#replies, ...this.#imports])
  }

  #next(delay: number): void {
    if (this.#stopped) return
    this.#outside(() => {
      this.#timer = setTimeout(() => {
        this.#nudged = false
        this.#round = this.#work().finally(() => {
          this.#round = undefined
          this.#next(this.#nudged ? 0 : LOOK)
        })
      }, delay)
    })
    this.#timer?.unref()
  }

  async #work(): Promise<void> {
    const { ports } = this.services
    this.services.pulse?.beat()
    await this.#attempt('taking over runs', () => this.#take())
    // the next round takes the runs queued here
    await this.#attempt('driving replays and bisects', () => driveDue(this.services.ports))
    await this.#attempt('taking imports', () => this.#takeImport())
    // waiting runs are not delayed by the work below
    this.#following ??= this.#attempt('following the log', () => this.#follow()).finally(() => {
      this.#following = undefined
    })
    if (this.#tidying || ports.clock() - this.#tidiedAt < TIDY) return
    this.#tidiedAt = ports.clock()
    this.#tidying = this.#tidy().finally(() => {
      this.#tidying = undefined
    })
  }

  async #take(): Promise<void> {
    // this search does not see a run that is queued while it is under way
    this.#more = false
    const { replies, more } = await takeOverRuns(this.services.ports, AT_ONCE)
    this.#more ||= more
    if (replies.length === AT_ONCE) this.#nudged = true
    for (const reply of replies) {
      const done = reply.finally(() => this.#replies.delete(done))
      this.#replies.add(done)
    }
  }

  /** One at a time: the others have their share of the process. */
  async #takeImport(): Promise<void> {
    if (this.#imports.size > 0) return
    const work = await this.services.takeImport?.(this.#stopping.signal)
    if (!work) return
    const done = work.ended.finally(() => this.#imports.delete(done))
    this.#imports.add(done)
  }

  async #follow(): Promise<void> {
    for (let more = true; more && !this.#stopped; ) ({ more } = await this.services.followLog())
  }

  async #tidy(): Promise<void> {
    for (const [what, work] of Object.entries(this.services.chores)) await this.#attempt(what, work)
  }

  async #attempt(what: string, work: () => Promise<unknown>): Promise<void> {
    const { ports, pulse } = this.services
    await work().then(
      () => pulse?.done(what),
      (error: unknown) => {
        pulse?.done(what, error)
        ports.logError(what, error)
      },
    )
  }
}
