import type { Credential, Held } from '@/lib/store'

/** The person, the credential and the address of a stream's reader. */
export interface StreamReader {
  personId: string
  credential: Credential
  /** the membership that a stream from a chat of someone else needs too */
  membership?: Held | undefined
  address: string
}

/** A limit on open streams that has been reached. */
export interface FullStreams {
  limit: 'streams' | 'address_streams'
  allowed: number
  used: number
}

interface Options {
  /** at once in this process, of one person and of all persons at one network address */
  limits: { perPerson: number; perAddress: number }
  /** the credentials among these that are still valid */
  held(credentials: readonly Held[]): Promise<Held[]>
  logError(what: string, error: unknown): void
  /** interval between checks of credentials while streams are open, in ms */
  everyMs?: number
}

/** A credential with open streams, and a function for each of them that ends it. */
interface Watched {
  credential: Held
  endings: Set<() => void>
}

/**
 * The streams that are open in this process. They are counted, and each ends soon after the session, the key or the membership that
 * opened it: one statement checks all credentials with open streams, twice a second, and at once when this process has
 * ended some of them. The run that a stream shows continues without it.
 */
export class OpenStreams {
  readonly #options: Required<Options>
  readonly #ofPerson = new Map<string, number>()
  readonly #ofAddress = new Map<string, number>()
  readonly #watched = new Map<string, Watched>()
  #timer: NodeJS.Timeout | undefined
  #asking: Promise<void> = Promise.resolve()
  #failing = false
  #closed = false

  constructor(options: Options) {
    this.#options = { everyMs: 400, ...options }
  }

  /** The limit that one more stream of this reader would break; undefined when there is room. */
  full({ personId, address }: StreamReader): FullStreams | undefined {
    const { perPerson, perAddress } = this.#options.limits
    const ofPerson = this.#ofPerson.get(personId) ?? 0
    if (ofPerson >= perPerson) return { limit: 'streams', allowed: perPerson, used: ofPerson }
    const ofAddress = this.#ofAddress.get(address) ?? 0
    if (ofAddress >= perAddress) return { limit: 'address_streams', allowed: perAddress, used: ofAddress }
    return undefined
  }

  /**
   * Counts a stream in, whether or not there is room.
   *
   * @param onEnded called once when the reader's credential, or the membership, is no longer valid
   * @returns a function that counts the stream out; to be called once
   */
  enter({ personId, address, credential, membership }: StreamReader, onEnded: () => void): () => void {
    add(this.#ofPerson, personId, 1)
    add(this.#ofAddress, address, 1)
    let hasEnded = false
    const ending = () => {
      if (!hasEnded) onEnded()
      hasEnded = true
    }
    const leave = [credential, ...(membership ? [membership] : [])].map((needed) =>
      this.#watch(needed, ending),
    )
    this.#schedule()
    return () => {
      add(this.#ofPerson, personId, -1)
      add(this.#ofAddress, address, -1)
      for (const left of leave) left()
    }
  }

  #watch(credential: Held, ending: () => void): () => void {
    const key = keyOf(credential)
    const watched = this.#watched.get(key) ?? { credential, endings: new Set() }
    watched.endings.add(ending)
    this.#watched.set(key, watched)
    return () => {
      watched.endings.delete(ending)
      if (watched.endings.size === 0 && this.#watched.get(key) === watched) this.#watched.delete(key)
    }
  }

  /** Ends the streams of every credential that is no longer valid. */
  endRevoked(): Promise<void> {
    // a running check does not see credentials that have ended since it began
    this.#asking = this.#asking.then(() => this.#ask())
    return this.#asking
  }

  /** Ends the checks. */
  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }

  #schedule(): void {
    if (this.#timer || this.#closed || this.#watched.size === 0) return
    this.#timer = setTimeout(async () => {
      await this.endRevoked()
      this.#timer = undefined
      this.#schedule()
    }, this.#options.everyMs)
    this.#timer.unref()
  }

  async #ask(): Promise<void> {
    const asked = [...this.#watched.values()]
    if (asked.length === 0 || this.#closed) return
    try {
      const held = await this.#options.held(asked.map(({ credential }) => credential))
      this.#failing = false
      const holding = new Set(held.map(keyOf))
      for (const watched of asked) {
        const key = keyOf(watched.credential)
        if (holding.has(key)) continue
        // a stream may take longer to leave than the next check to come
        if (this.#watched.get(key) === watched) this.#watched.delete(key)
        for (const end of watched.endings) end()
      }
    } catch (error) {
      // without the database streams stay open; an outage is one line in the log
      if (!this.#failing && !this.#closed) this.#options.logError('checking sessions and keys', error)
      this.#failing = true
    }
  }
}

const keyOf = ({ kind, id }: Held): string => `${kind}:${id}`

function add(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}
