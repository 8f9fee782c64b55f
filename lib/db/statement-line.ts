import { QueryAbandonedError, type QueryOptions, QueryTimeoutError, type Timeouts } from './database'

/** After a statement as long as this, what else the process has to do comes first: the embedded database is its thread. */
const LONG_MS = 10

/**
 * Lets statements into the embedded database one after the other. It has a line of its own, but what stands in that one
 * cannot leave: here, what is abandoned or has waited too long is never begun. A statement that runs runs to its end.
 */
export class StatementLine {
  readonly #waiting: (() => Promise<void>)[] = []
  #running = false

  constructor(private readonly timeouts: Timeouts) {}

  run<Rows>(
    statement: () => Promise<Rows>,
    { kind = 'write', signal }: Pick<QueryOptions, 'kind' | 'signal'> = {},
  ): Promise<Rows> {
    if (signal?.aborted) return Promise.reject(new QueryAbandonedError())
    if (!this.#running) {
      const { promise, resolve, reject } = Promise.withResolvers<Rows>()
      void this.#go(() => statement().then(resolve, reject))
      return promise
    }
    return this.#wait(statement, { kind, ...(signal ? { signal } : {}) })
  }

  #wait<Rows>(
    statement: () => Promise<Rows>,
    { kind, signal }: { kind: keyof Timeouts; signal?: AbortSignal },
  ): Promise<Rows> {
    const { promise, resolve, reject } = Promise.withResolvers<Rows>()
    const enter = () => {
      stop()
      return statement().then(resolve, reject)
    }
    const leave = (error: Error) => {
      stop()
      this.#waiting.splice(this.#waiting.indexOf(enter), 1)
      reject(error)
    }
    const limit = this.timeouts[kind]
    const timer = Number.isFinite(limit)
      ? setTimeout(() => leave(new QueryTimeoutError(kind)), limit)
      : undefined
    const abandon = () => leave(new QueryAbandonedError())
    signal?.addEventListener('abort', abandon, { once: true })
    const stop = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abandon)
    }
    this.#waiting.push(enter)
    return promise
  }

  async #go(first: () => Promise<void>): Promise<void> {
    this.#running = true
    for (let next: (() => Promise<void>) | undefined = first; next; next = this.#waiting.shift()) {
      const began = performance.now()
      await next()
      if (performance.now() - began > LONG_MS) await new Promise(setImmediate)
    }
    this.#running = false
  }
}
