import { type Change, type Committed, MessageExistsError, NamedError, RunOverError } from '@/lib/context'
import type { Ports } from '../ports'
import { waitFor } from '../watch/wait-for'

/** How long a finished reply is held while the database is away, in ms. */
const PATIENCE = 60_000
/** The longest pause between two attempts to store it, in ms: shorter than others take to find the run abandoned. */
const PAUSE = 1000

/**
 * Commits what took a model to make, and does not let go of it because the database is away for a moment. A refusal is
 * final, and so is a database that stays away. Safe to repeat: a run ends once, whatever the answer that was lost.
 * Rejects with `RunOverError` when the run is over, by this very change perhaps, or somebody else's; with
 * `MessageExistsError` when another message has the reply's id: then the run has failed.
 */
export async function commitPatiently(ports: Ports, change: Change, lost: AbortSignal): Promise<Committed> {
  const until = ports.clock() + PATIENCE
  for (let attempt = 0; ; attempt++) {
    try {
      return await ports.store.commit(change)
    } catch (error) {
      // mostly this very reply is stored already, by an attempt whose answer was lost or by whoever took the run over
      if (error instanceof MessageExistsError) {
        await ports.store.commit(withoutReply(change))
        throw error
      }
      if (error instanceof NamedError || ports.clock() >= until) throw error
      if (lost.reason instanceof RunOverError) throw lost.reason
      if (attempt === 0) ports.logError('storing a reply, to be tried again', error)
      await waitFor(() => () => undefined, { timeoutMs: Math.min(250 * 2 ** attempt, PAUSE) })
    }
  }
}

/** Ends the run of a reply that cannot be stored. Refused when the run is over. */
const withoutReply = (change: Change): Change => ({
  ...change,
  steps: change.steps.flatMap((step) =>
    step.kind === 'finish-run' ? [{ ...step, status: 'failed' as const, error: idTaken }] : [],
  ),
})

const idTaken = {
  kind: 'unknown',
  message: 'The reply could not be stored: another message has its id.',
  advice: 'Try again.',
}
