import { NamedError, RunOverError } from '@/lib/context'
import type { Ports } from '../ports'
import { waitFor } from '../watch/chat-bell'

/** Longest wait of a reply for an absent database, in ms. */
const PATIENCE = 60_000
/** The longest pause between two attempts, in ms: shorter than a lease, which would free the run. */
const PAUSE = 1000

/**
 * Retries a reply's work while the database is away for a moment. A refusal (`NamedError`) is final, and so
 * is a database that stays away for a minute: then it rejects as the last attempt did. `work` is safe to
 * repeat.
 *
 * @param options.what `work` in the log, where its first failure is noted
 * @param options.signal a `RunOverError` that aborts it ends the waiting, and is the rejection
 */
export async function patiently<T>(
  { clock, logError }: Pick<Ports, 'clock' | 'logError'>,
  work: () => Promise<T>,
  { what, signal }: { what: string; signal?: AbortSignal | undefined },
): Promise<T> {
  const until = clock() + PATIENCE
  for (let attempt = 0; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (error instanceof NamedError || clock() >= until) throw error
      if (signal?.reason instanceof RunOverError) throw signal.reason
      if (attempt === 0) logError(`${what}, to be tried again`, error)
      await waitFor(() => () => undefined, { timeoutMs: Math.min(250 * 2 ** attempt, PAUSE) })
    }
  }
}
