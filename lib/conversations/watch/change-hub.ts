/** Ids that have changed since the last report. */
export interface Changes {
  chats: readonly string[]
  runs: readonly string[]
}

export interface ChangeHubOptions {
  /** tells the other processes; absent when there are none. Polling finds a lost report */
  broadcast?: ((changes: Changes) => Promise<void>) | undefined
  /**
   * A value per chat that changes with its log and its live runs; a chat that is gone has none. Absent where no other process
   * writes.
   */
  poll?: ((chatIds: string[]) => Promise<ReadonlyMap<string, string>>) | undefined
  /** pause between two polls, in ms */
  pollMs?: number
  /** time for collecting ids before a broadcast, in ms */
  batchMs?: number
  logError(what: string, error: unknown): void
}

type Wake = () => void

/**
 * Reports that something has changed, without details: a woken listener reads for itself, and may be woken
 * for nothing. Changes of this process wake at once. Those of other processes arrive by `broadcast`, which
 * may get lost; polling versions every `pollMs` finds them all the same.
 */
export class ChangeHub {
  readonly #options: ChangeHubOptions
  readonly #chats = new Listeners()
  readonly #runs = new Listeners()
  readonly #untold = { chats: new Set<string>(), runs: new Set<string>() }
  /** versions of the chats with listeners, as last polled */
  #versions: ReadonlyMap<string, string | undefined> = new Map()
  #telling: ReturnType<typeof setTimeout> | undefined
  #asking: ReturnType<typeof setTimeout> | undefined
  #failing = false
  #closed = false

  constructor(options: ChangeHubOptions) {
    this.#options = options
  }

  /** True once wakes have ended: waiting listeners should end too. */
  get closed(): boolean {
    return this.#closed
  }

  /** A chat was written to, or deleted, by this process. */
  touched(chatId: string): void {
    this.#wake(this.#chats, chatId)
    this.#tell('chats', chatId)
  }

  /** New words of a reply were logged by this process. */
  progressed(runId: string): void {
    this.#wake(this.#runs, runId)
    this.#tell('runs', runId)
  }

  /** Another process says that these have changed. */
  received({ chats, runs }: Changes): void {
    for (const id of chats) this.#wake(this.#chats, id)
    for (const id of runs) this.#wake(this.#runs, id)
  }

  /** Calls `wake` when a chat may have changed; for a chat without listeners before, also soon after. */
  subscribeChat(chatId: string, wake: Wake): () => void {
    const unsubscribe = this.#chats.add(chatId, wake)
    this.#askLater()
    return unsubscribe
  }

  /** Calls `wake` when a reply may have new words. Only a hint: runs are not polled. */
  subscribeRun(runId: string, wake: Wake): () => void {
    return this.#runs.add(runId, wake)
  }

  /** Wakes all listeners once more to find the hub closed, and stops. Resolves when the last report is out. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#asking)
    for (const listeners of [this.#chats, this.#runs]) {
      for (const id of listeners.ids()) this.#wake(listeners, id)
    }
    await this.#tellNow()
  }

  #wake(listeners: Listeners, id: string): void {
    for (const wake of listeners.of(id)) {
      try {
        wake()
      } catch (error) {
        // the write has succeeded, and a listener that fails must not fail it
        this.#options.logError('waking a listener for changes', error)
      }
    }
  }

  #tell(kind: keyof Changes, id: string): void {
    const { broadcast, batchMs = 25 } = this.#options
    if (!broadcast || this.#closed) return
    this.#untold[kind].add(id)
    this.#telling ??= setTimeout(() => void this.#tellNow(), batchMs)
    this.#telling.unref()
  }

  async #tellNow(): Promise<void> {
    clearTimeout(this.#telling)
    this.#telling = undefined
    const { chats, runs } = this.#untold
    if (chats.size + runs.size === 0) return
    const changes = { chats: [...chats], runs: [...runs] }
    chats.clear()
    runs.clear()
    try {
      await this.#options.broadcast?.(changes)
    } catch (error) {
      this.#options.logError('telling other processes of changes', error)
    }
  }

  #askLater(): void {
    const { poll, pollMs = 2000 } = this.#options
    if (!poll || this.#closed || this.#asking !== undefined) return
    this.#asking = setTimeout(() => void this.#ask(poll), pollMs)
    this.#asking.unref()
  }

  async #ask(poll: NonNullable<ChangeHubOptions['poll']>): Promise<void> {
    const chatIds = this.#chats.ids()
    try {
      const before = this.#versions
      const found = chatIds.length > 0 ? await poll(chatIds) : new Map<string, string>()
      this.#versions = new Map(chatIds.map((id) => [id, found.get(id)]))
      this.#failing = false
      for (const [id, version] of this.#versions) {
        // a chat polled for the first time counts as changed: it may have, since its reader's last look
        if (!before.has(id) || before.get(id) !== version) this.#wake(this.#chats, id)
      }
    } catch (error) {
      // logged once per outage: polling continues until the database is back
      if (!this.#failing) this.#options.logError('asking what has changed', error)
      this.#failing = true
    }
    this.#asking = undefined
    if (chatIds.length > 0) this.#askLater()
  }
}

/** Listeners by id. */
export class Listeners {
  readonly #byId = new Map<string, Set<Wake>>()

  add(id: string, wake: Wake): () => void {
    // a function of its own: the same one given twice is woken until both are removed
    const own = () => wake()
    const those = this.#byId.get(id) ?? new Set()
    this.#byId.set(id, those.add(own))
    return () => {
      those.delete(own)
      if (those.size === 0 && this.#byId.get(id) === those) this.#byId.delete(id)
    }
  }

  of(id: string): Wake[] {
    return [...(this.#byId.get(id) ?? [])]
  }

  ids(): string[] {
    return [...this.#byId.keys()]
  }
}
