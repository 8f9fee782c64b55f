import { statfs } from 'node:fs/promises'
import type { Database } from '@/lib/db'
import type { Degraded, Health } from '@/lib/protocol'
import { type Backlog, readBacklog } from '@/lib/store'
import type { Telemetry } from './telemetry'

export interface ProbedServices {
  database: Pick<Database, 'ping' | 'load' | 'query'>
  pulse: WorkerPulse
  worker: 'on' | 'off'
  /** the folder of an embedded database */
  dataDir?: string | undefined
  telemetry?: Pick<Telemetry, 'failingSince'> | undefined
}

/** How long the probe waits for the database, and from when an answer counts as slow, in ms. */
const PATIENCE = 500
const SLOW = 250
/** How long an answer is reused, and after how long a question without an answer is repeated, in ms. */
const FRESH = 1000
const GIVEN_UP = 5000
/** How long a reply may wait in the queue, and an event for its followers, in ms. */
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
 * waits for it half a second at most.
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
    const { promise: late, resolve } = Promise.withResolvers<'late'>()
    const timer = setTimeout(() => resolve('late'), PATIENCE)
    try {
      const found = await Promise.race([this.#ask(), late])
      if (found !== 'late') return { answers: true, degraded: found }
      return gone(`The database has not answered within ${PATIENCE} ms${this.#queue()}.`)
    } catch {
      // the answer says it; the log has the error of the work that needed the database
      return gone('The database cannot be reached.')
    } finally {
      clearTimeout(timer)
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
    const slow: Degraded[] =
      took > SLOW
        ? [{ what: 'database', detail: `The database answered after ${took} ms${this.#queue()}.` }]
        : []
    return [...slow, ...waitingOf(await readBacklog(database)), ...(await this.#disk())]
  }

  /** How many statements wait, for a sentence. */
  #queue(): string {
    const { waiting } = this.services.database.load()
    return waiting > 0 ? `; ${waiting} statements wait` : ''
  }

  #worker(): Degraded[] {
    const { pulse, worker } = this.services
    const late: Degraded[] =
      worker === 'on' && pulse.lateMs > 0
        ? [{ what: 'worker', detail: `The worker has looked for nothing for ${seconds(pulse.lateMs)}.` }]
        : []
    const failing = pulse.failing.map(
      ({ task, since }): Degraded => ({
        what: taskOf[task] ?? 'worker',
        detail: `${task[0]?.toUpperCase()}${task.slice(1)} has failed for ${seconds(Date.now() - since)}.`,
      }),
    )
    return [...late, ...failing]
  }

  async #disk(): Promise<Degraded[]> {
    const { dataDir } = this.services
    if (dataDir === undefined) return []
    const { bavail, bsize } = await statfs(dataDir)
    const free = bavail * bsize
    if (free >= LEAST_FREE) return []
    return [{ what: 'disk', detail: `The disk of the database has ${Math.floor(free / 1024 ** 2)} MB left.` }]
  }

  #telemetry(): Degraded[] {
    const since = this.services.telemetry?.failingSince
    if (since === undefined) return []
    const detail = `The collector of telemetry has taken nothing for ${seconds(Date.now() - since)}.`
    return [{ what: 'telemetry', detail }]
  }
}

const gone = (detail: string) => ({ answers: false, degraded: [{ what: 'database' as const, detail }] })

function waitingOf({ queued, unfollowed }: Backlog): Degraded[] {
  return [
    ...(queued > LONGEST_QUEUED
      ? [{ what: 'queue' as const, detail: `A reply has waited ${seconds(queued)} to be begun.` }]
      : []),
    ...(unfollowed > LONGEST_UNFOLLOWED
      ? [
          {
            what: 'log_followers' as const,
            detail: `Usage and titles are ${seconds(unfollowed)} behind.`,
          },
        ]
      : []),
  ]
}

const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`

/** How long a task may be late or fail before it counts, in ms: a short outage does not. */
const GRACE = 10_000

/** Whether the worker of this process runs, and which of its tasks fail. */
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
