/** A place among the replies this process writes. */
export interface ReplySlot {
  /** The database knows of the reply from now on. */
  stored(): void
  /** The reply is over. Further calls do nothing. */
  release(): void
}

/** Limits on the waiting runs that a claim may take. */
interface ReplyRoom {
  /** maximum number of replies */
  total: number
  /** maximum number of replies whose persons have `FEW` or more replies under way */
  general: number
  /** by person, replies that have a slot but are not stored yet */
  storing: Record<string, number>
}

interface ReplySlotsOptions {
  /** replies of one person at the same time */
  perPerson: number
  /** replies at the same time */
  perServer: number
}

/** A person with fewer replies than this under way gets one of the last places too. */
export const FEW = 2

interface Waiter {
  ownerId: string
  give(slot: ReplySlot | undefined): void
}

/**
 * Limits how many replies this process writes at the same time, per person and in all. The last quarter of the places is for
 * persons with fewer than two replies. A reply without a place waits: in the database for a worker, or in line here.
 */
export class ReplySlots {
  readonly #options: ReplySlotsOptions
  readonly #general: number
  readonly #writing = new Tally()
  readonly #storing = new Tally()
  readonly #line: Waiter[] = []
  readonly #listening = new Set<() => void>()
  #taken = 0
  #claiming = 0
  #claimed: Promise<void> = Promise.resolve()
  #closed = false

  constructor(options: ReplySlotsOptions) {
    this.#options = options
    this.#general = Math.max(1, Math.ceil((options.perServer * 3) / 4))
  }

  get perPerson(): number {
    return this.#options.perPerson
  }

  /** True when a person's queued run could begin, as far as this process knows. */
  when(ownerId: string): 'now' | 'later' {
    return this.writing(ownerId) < this.perPerson ? 'now' : 'later'
  }

  /** Replies of a person that are written here. */
  writing(ownerId: string): number {
    return this.#writing.of(ownerId)
  }

  /**
   * A place for a reply of a person, at once; or after a claim of waiting runs that may take the last places. Undefined when
   * there is none.
   */
  async admit(ownerId: string): Promise<ReplySlot | undefined> {
    const slot = this.#tryTake(ownerId)
    if (slot || this.#claiming === 0) return slot
    await this.#claimed
    return this.#tryTake(ownerId)
  }

  /**
   * Waits in line for a place; persons with the fewest replies under way go first. Resolves without one when `close` is
   * called.
   */
  take(ownerId: string): Promise<ReplySlot | undefined> {
    const slot = this.#tryTake(ownerId)
    if (slot || this.#closed) return Promise.resolve(slot)
    return new Promise((give) => this.#line.push({ ownerId, give }))
  }

  /**
   * Claims waiting runs for the free places, at most `limit`, and gives each a place. Places given meanwhile are not among
   * the free ones.
   */
  async claim<Run extends { ownerId: string }>(
    limit: number,
    look: (room: ReplyRoom) => Promise<Run[]>,
  ): Promise<{ run: Run; slot: ReplySlot }[]> {
    const room = this.#room(limit)
    this.#claiming += room.total
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#claimed = promise
    try {
      const runs = await look({ ...room, storing: this.#storing.all() })
      return runs.map((run) => {
        const slot = this.#enter(run.ownerId)
        slot.stored()
        return { run, slot }
      })
    } finally {
      this.#claiming -= room.total
      resolve()
      this.#serve()
    }
  }

  /** Calls `wake` whenever a place becomes free, until the returned function is called. */
  subscribe(wake: () => void): () => void {
    this.#listening.add(wake)
    return () => this.#listening.delete(wake)
  }

  /** True once this process is shutting down. */
  get closed(): boolean {
    return this.#closed
  }

  /** Ends every wait in line without a place: this process is shutting down. */
  close(): void {
    this.#closed = true
    for (const { give } of this.#line.splice(0)) give(undefined)
  }

  #room(limit: number): Pick<ReplyRoom, 'total' | 'general'> {
    const taken = this.#taken + this.#claiming
    const total = Math.max(0, Math.min(limit, this.#options.perServer - taken))
    return { total, general: Math.max(0, Math.min(total, this.#general - taken)) }
  }

  /**
   * A claim under way may bring replies of this very person: until it is over its places count as theirs. A person without a
   * reply does not wait for it: at worst that is one reply too many.
   */
  #tryTake(ownerId: string): ReplySlot | undefined {
    const writing = this.writing(ownerId)
    if (writing === 0 && this.#taken < this.#options.perServer) return this.#enter(ownerId)
    const { total, general } = this.#room(1)
    const hasRoom = writing < FEW ? total > 0 : general > 0
    if (!hasRoom || writing + this.#claiming >= this.#options.perPerson) return undefined
    return this.#enter(ownerId)
  }

  #enter(ownerId: string): ReplySlot {
    this.#taken++
    this.#writing.add(ownerId)
    this.#storing.add(ownerId)
    const stored = once(() => this.#storing.remove(ownerId))
    return {
      stored,
      release: once(() => {
        stored()
        this.#taken--
        this.#writing.remove(ownerId)
        this.#serve()
        for (const wake of this.#listening) wake()
      }),
    }
  }

  /** Gives free places to the waiters in line: the fewest replies first, then the longest wait. */
  #serve(): void {
    while (this.#line.length > 0) {
      const next = this.#line.reduce((first, waiter) =>
        this.writing(waiter.ownerId) < this.writing(first.ownerId) ? waiter : first,
      )
      const slot = this.#tryTake(next.ownerId)
      if (!slot) return
      this.#line.splice(this.#line.indexOf(next), 1)
      next.give(slot)
    }
  }
}

/** Counts by person. */
class Tally {
  readonly #counts = new Map<string, number>()

  of(ownerId: string): number {
    return this.#counts.get(ownerId) ?? 0
  }

  all(): Record<string, number> {
    return Object.fromEntries(this.#counts)
  }

  add(ownerId: string): void {
    this.#counts.set(ownerId, this.of(ownerId) + 1)
  }

  remove(ownerId: string): void {
    const left = this.of(ownerId) - 1
    if (left > 0) this.#counts.set(ownerId, left)
    else this.#counts.delete(ownerId)
  }
}

function once(work: () => void): () => void {
  let done = false
  return () => {
    if (done) return
    done = true
    work()
  }
}
