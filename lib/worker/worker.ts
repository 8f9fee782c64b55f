import { AsyncLocalStorage } from 'node:async_hooks'
import { type Ports, takeOverRuns } from '@/lib/conversations'

/** Runs that are taken in one look; the next look, right after, takes more. */
const AT_ONCE = 64
/** How long the parts of a reply are kept once it is stored, and the answers to commands, in ms. */
const KEEP_PARTS = 60_000
const KEEP_ANSWERS = 48 * 3_600_000
/** How often waiting runs are looked for, in ms; and how often everything that can wait is done. */
const LOOK = 1000
const TIDY = 4000

export interface WorkerServices {
  ports: Ports
  /** makes what was said since the last time searchable */
  indexSearch(): Promise<unknown>
  /** has the followers of the log take in some of what has happened; there may be more */
  followLog(): Promise<{ more: boolean }>
  /** forgets old attempts to sign in and keys that are long over */
  tidyAccess(): Promise<unknown>
  /** removes sessions that have ended, guests that own nothing, and what was used on days gone by */
  forgetUnused(): Promise<unknown>
  /** hears that the worker lives, and how each of its tasks has ended */
  pulse?: { beat(): void; done(task: string, error?: unknown): void }
}

/**
 * What a process does besides answering requests: it takes runs that were queued by a command (at once, when that was in
 * this process), or left by a process that has died (within five seconds of the end of their lease), follows the log,
 * makes what was said searchable, and forgets what is needed no more: the logs of replies that are stored, answers to old commands,
 * sessions that have ended, guests that own nothing.
 */
export class Worker {
  #timer: NodeJS.Timeout | undefined
  #stopped = false
  /** somebody has queued a run since the round began */
  #nudged = false
  #round: Promise<void> | undefined
  #tidying: Promise<void> | undefined
  #following: Promise<void> | undefined
  #tidiedAt = 0
  /** runs wait that the last look found no place for */
  #more = false
  #unsubscribe: () => void = () => undefined
  readonly #replies = new Set<Promise<unknown>>()
  /** a nudge comes from the request of a person, and a look is for all of them */
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

  /** Looks for waiting runs now, or right after the look that is under way. */
  nudge(): void {
    this.#nudged = true
    if (this.#round) return
    clearTimeout(this.#timer)
    this.#next(0)
  }

  /** Takes no more runs, and resolves when those it has taken are stored. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#unsubscribe()
    clearTimeout(this.#timer)
    await Promise.all([this.#round, this.#tidying, this.#following])
    await Promise.all(this.#replies)
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
    // no waiting run waits for what follows
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
    // a run that is queued while this look is under way is not seen by it
    this.#more = false
    const { replies, more } = await takeOverRuns(this.services.ports, AT_ONCE)
    this.#more ||= more
    if (replies.length === AT_ONCE) this.#nudged = true
    for (const reply of replies) {
      const done = reply.finally(() => this.#replies.delete(done))
      this.#replies.add(done)
    }
  }

  async #follow(): Promise<void> {
    for (let more = true; more && !this.#stopped; ) ({ more } = await this.services.followLog())
  }

  async #tidy(): Promise<void> {
    const { ports, indexSearch, tidyAccess, forgetUnused } = this.services
    await this.#attempt('indexing for search', indexSearch)
    await this.#attempt('forgetting the logs of stored replies', () => ports.log.prune(KEEP_PARTS))
    await this.#attempt('forgetting answers', () => ports.commands.forgetAnswers(KEEP_ANSWERS))
    await this.#attempt('forgetting attempts and expired keys', tidyAccess)
    await this.#attempt('forgetting what is used no more', forgetUnused)
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
