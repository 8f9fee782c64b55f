import { QueryAbandonedError, type QueryOptions, QueryTimeoutError, type Timeouts } from './database'

/** A statement on its way, as postgres.js has it: `active` while the server works on it. */
export interface CancellableQuery extends PromiseLike<unknown> {
  active: boolean
  /** called by its `cancel()`, which drops the promise: an attempt that fails would end the process */
  canceller: ((query: this) => Promise<void>) | null
}

/** The server's word for a statement that was cancelled. */
const CANCELLED = '57014'

/** A read younger than this is let end by itself: to cancel takes a connection, and may hit what comes after it there. */
const WORTH_CANCELLING_MS = 500

/** Until the server has begun with a statement it cannot be cancelled: its turn is waited for at this pace. */
const AGAIN_MS = 50

/**
 * Waits for a statement, but no longer than its kind may take, or until `signal` is aborted. A read is over for its caller
 * at once, and cancelled behind its back. A write is cancelled, and what the server says then is what happened: only so is
 * it certain that nothing was written.
 */
export async function withinDeadline<Rows>(
  query: CancellableQuery,
  { kind = 'write', signal }: Pick<QueryOptions, 'kind' | 'signal'>,
  timeouts: Timeouts,
): Promise<Rows> {
  const began = performance.now()
  const end = Promise.withResolvers<never>()
  const stops: (() => void)[] = []
  const over = (error: Error, after: number) => {
    const stop = cancelOnceActive(query, Math.max(0, began + after - performance.now()))
    if (kind === 'write') stops.push(stop)
    else {
      query.then(stop, stop)
      end.reject(error)
    }
  }
  const limit = timeouts[kind]
  if (Number.isFinite(limit)) {
    const timer = setTimeout(() => over(new QueryTimeoutError(kind), 0), limit)
    stops.push(() => clearTimeout(timer))
  }
  if (signal) {
    const leave = () => over(new QueryAbandonedError(), WORTH_CANCELLING_MS)
    signal.addEventListener('abort', leave, { once: true })
    stops.push(() => signal.removeEventListener('abort', leave))
  }
  try {
    return (await Promise.race([query, end.promise])) as Rows
  } catch (error) {
    throw wasCancelled(error) ? new QueryTimeoutError(kind, { cause: error }) : error
  } finally {
    for (const stop of stops) stop()
  }
}

/**
 * Cancels a statement in `pause` milliseconds, or once the server works on it: before, postgres.js would lose count of
 * what it has sent, or keep a connection for ever. Its own end says whether that came in time.
 *
 * @returns what ends the attempt
 */
function cancelOnceActive(query: CancellableQuery, pause: number): () => void {
  const attempt = () => {
    if (!query.active) {
      timer = setTimeout(attempt, AGAIN_MS)
      return
    }
    const cancel = query.canceller
    query.canceller = null
    // the server could not be told: the statement ends by itself, or with its connection
    cancel?.(query).catch(() => undefined)
  }
  let timer = setTimeout(attempt, pause)
  return () => clearTimeout(timer)
}

/** As `withinDeadline`, for a write whose caller keeps the query itself: it rejects when it was cancelled. */
export function limited<Query extends CancellableQuery>(query: Query, limit: number): Query {
  const timer = setTimeout(() => {
    const stop = cancelOnceActive(query, 0)
    query.then(stop, stop)
  }, limit)
  const done = () => clearTimeout(timer)
  query.then(done, done)
  return query
}

const wasCancelled = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === CANCELLED

/** True for a statement that took too long, also as the builder passes it on. */
export const isTimeout = (error: unknown): boolean =>
  error instanceof QueryTimeoutError ||
  wasCancelled(error) ||
  (error instanceof Error && error.cause !== undefined && isTimeout(error.cause))
