import { type Change, type Committed, NamedError, RunOverError } from '@/lib/context'
import type { Ports } from './ports'
import { waitFor } from './wait-for'

/** Pauses between attempts to store a finished reply while the database is away, in ms: 61 s in all. */
const PAUSES = [250, 500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]

/**
 * Commits what took a model to make, and does not let go of it because the database is away for a moment. A refusal is
 * final, and so is a database that stays away. Safe to repeat: a run ends once, whatever the answer that was lost.
 */
export async function commitPatiently(ports: Ports, change: Change, lost: AbortSignal): Promise<Committed> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await ports.store.commit(change)
    } catch (error) {
      const pause = PAUSES[attempt]
      if (error instanceof NamedError || pause === undefined) throw error
      if (lost.reason instanceof RunOverError) throw lost.reason
      ports.logError('storing a reply, to be tried again', error)
      await waitFor(() => () => undefined, { timeoutMs: pause })
    }
  }
}
