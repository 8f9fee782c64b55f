/** What a database has to do at the moment. */
export interface Load {
  /** statements it can work on at a time: connections, or 1 for an embedded one */
  most: number
  /** connections in use; a transaction holds one until its end */
  used: number
  /** statements and transactions that wait for a connection */
  waiting: number
}

/** Counts statements and transactions between their beginning and their end. */
export class LoadCount {
  #begun = 0

  constructor(private readonly most: number) {}

  get now(): Load {
    const { most } = this
    return { most, used: Math.min(this.#begun, most), waiting: Math.max(0, this.#begun - most) }
  }

  /** Counts work in, and out when it has ended, well or not. */
  async during<T>(work: () => PromiseLike<T>): Promise<T> {
    this.#begun += 1
    try {
      return await work()
    } finally {
      this.#begun -= 1
    }
  }

  /**
   * Counts a statement in and out that runs when it is first waited for. Looked at a moment later: what its caller still
   * says about it counts.
   */
  statement<T extends PromiseLike<unknown>>(pending: T): T {
    this.#begun += 1
    const out = () => {
      this.#begun -= 1
    }
    queueMicrotask(() => void pending.then(out, out))
    return pending
  }
}
