import { statfs } from 'node:fs/promises'
import type { Database } from '@/lib/db'
import type { Degraded, Health } from '@/lib/protocol'
import { readBacklog } from '@/lib/store'
import type { Telemetry } from './telemetry'
import { within } from './within'

export interface ProbedServices {
  database: Pick<Database, 'ping' | 'load' | 'query'>
  pulse: WorkerPulse
  worker: 'on' | 'off'
  /** the folder of an embedded database */
  dataDir?: string | undefined
  telemetry?: Pick<Telemetry, 'failingSince'> | undefined
}

/** Longest wait of the probe for the database, and time after which an answer counts as slow, in ms. */
const PATIENCE = 800
const SLOW = 250
/** Time for reusing an answer, and for repeating an unanswered question, in ms. */
const FRESH = 1000
const GIVEN_UP = 5000
/** Longest wait of a reply in the queue, and of an event for its followers, in ms. */
const LONGEST_QUEUED = 30_000
const LONGEST_UNFOLLOWED = 60_000
/** Free space that a disk should have, in bytes. */
const LEAST_FREE = 256 * 1024 ** 2

const taskOf: Partial<Record<string, Degraded['what']>> = {
  'following the log': 'log_followers',
  'indexing for search': 'search',
}

/**
 * Reads the state of a process. However many requests there are, the database gets one question a second, and the answer
 * waits for it 0.8 s at most: less than a load balancer does, more than a database that is only busy needs.
 */
export class HealthProbe {
  #asked: { at: number; answer: Promise<Degraded[]>; over: boolean } | undefined

  constructor(private readonly services: ProbedServices) {}

  async read(): Promise<Health> {
    const { worker } = this.services
    const database = await this.#database()
    const degraded = [...database.degraded, ...this.#worker(), ...this.#telemetry()]
    return {
      status: degraded.length > 0 ? 'degraded' : 'ok',
      database: database.answers ? 'ok' : 'unreachable',
      worker,
      degraded,
    }
  }

  async #database(): Promise<{ answers: boolean; degraded: Degraded[] }> {
    try {
      const found = await within(PATIENCE, this.#ask())
      if (found) return { answers: true, degraded: found }
      return gone(`The database has not answered within ${PATIENCE} ms${this.#queue()}.`)
    } catch {
      // the answer says it; the log has the error of the work that needed the database
      return gone('The database cannot be reached.')
    }
  }

  /** One question at a time; its answer is reused for a moment. */
  #ask(): Promise<Degraded[]> {
    const now = Date.now()
    const asked = this.#asked
    if (asked && now - asked.at < (asked.over ? FRESH : GIVEN_UP)) return asked.answer
    const answer = this.#look()
    const mine = { at: now, answer, over: false }
    const over = () => {
      mine.over = true
      mine.at = Date.now()
    }
    answer.then(over, over)
    this.#asked = mine
    return answer
  }

  async #look(): Promise<Degraded[]> {
    const { database } = this.services
    const begun = performance.now()
    await database.ping()
    const took = Math.round(performance.now() - begun)
    const { queued, unfollowed } = await readBacklog(database)
    const free = await this.#freeBytes()
    return [
      ...degradedIf(took > SLOW, 'database', `The database answered after ${took} ms${this.#queue()}.`),
      ...degradedIf(queued > LONGEST_QUEUED, 'queue', `A reply has waited ${seconds(queued)} in the queue.`),
      ...degradedIf(
        unfollowed > LONGEST_UNFOLLOWED,
        'log_followers',
        `Usage and titles are ${seconds(unfollowed)} behind.`,
      ),
      ...degradedIf(
        free < LEAST_FREE,
        'disk',
        `The disk of the database has ${Math.floor(free / 1024 ** 2)} MB left.`,
      ),
    ]
  }

  /** Number of waiting statements, for a sentence. */
  #queue(): string {
    const { waiting } = this.services.database.load()
    return waiting > 0 ? `; ${waiting} statements wait` : ''
  }

  #worker(): Degraded[] {
    const { pulse, worker } = this.services
    const failing = pulse.failing.map(
      ({ task, since }): Degraded => ({
        what: taskOf[task] ?? 'worker',
        detail: `${task[0]?.toUpperCase()}${task.slice(1)} has failed for ${seconds(Date.now() - since)}.`,
      }),
    )
    const isLate = worker === 'on' && pulse.lateMs > 0
    const detail = `The worker has not searched for runs for ${seconds(pulse.lateMs)}.`
    return [...degradedIf(isLate, 'worker', detail), ...failing]
  }

  async #freeBytes(): Promise<number> {
    const { dataDir } = this.services
    if (dataDir === undefined) return Number.POSITIVE_INFINITY
    const { bavail, bsize } = await statfs(dataDir)
    return bavail * bsize
  }

  #telemetry(): Degraded[] {
    const since = this.services.telemetry?.failingSince
    const silent = seconds(Date.now() - (since ?? 0))
    return degradedIf(
      since !== undefined,
      'telemetry',
      `The collector of telemetry has accepted nothing for ${silent}.`,
    )
  }
}

const degradedIf = (is: boolean, what: Degraded['what'], detail: string): Degraded[] =>
  is ? [{ what, detail }] : []

const gone = (detail: string) => ({ answers: false, degraded: degradedIf(true, 'database', detail) })

const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`

/** Time for which a task may be late or fail before it counts, in ms: a short outage does not. */
const GRACE = 10_000

/** The worker of this process: it runs or not, and some of its tasks may fail. */
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

  /** For how long no round has begun, in ms; 0 while rounds begin, or where there is no worker. */
  get lateMs(): number {
    if (this.#beatAt === undefined) return 0
    const late = this.clock() - this.#beatAt
    return late > GRACE ? late : 0
  }

  /** Tasks that have only failed for a while, and since when. */
  get failing(): { task: string; since: number }[] {
    const now = this.clock()
    return [...this.#failingSince].flatMap(([task, since]) => (now - since > GRACE ? [{ task, since }] : []))
  }
}
