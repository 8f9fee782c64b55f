import type { BisectState, BranchId, ContextId, MessageId, NewMessage, QueueRun, Step } from '@/lib/events'
import { type NewId, openBranch } from './plan-moves'
import { appendTo, planRun } from './plan-turn'

/** Next probe of a bisect, or its end. */
export type BisectNext =
  /** the question below the first so many turns */
  | { do: 'probe'; length: number }
  /** the question below all turns but this one, to make sure */
  | { do: 'without'; turn: number }
  /** `turn` made the difference, from 1; null when the reply says it below no turn at all */
  | { do: 'end'; turn: number | null; confirmed: boolean | null }

type Bounds = Pick<BisectState, 'low' | 'high' | 'isWithout'> & { turns: number }

/**
 * The next step of a search: halves the range between the longest beginning known not to say it and the
 * shortest known to say it. For n turns that takes log₂ n runs and one more to make sure.
 *
 * @param says result of the last run; null before the first
 */
export function bisectNext(at: Bounds & { probe: number | null }, says: boolean | null): BisectNext & Bounds {
  const { turns, isWithout, probe } = at
  if (isWithout) return { ...at, do: 'end', turn: at.high, confirmed: says === false }
  const low = says === false && probe !== null ? probe : at.low
  const high = says === true && probe !== null ? probe : at.high
  const bounds = { turns, isWithout: false, low, high }
  if (high - low > 1) return { ...bounds, do: 'probe', length: Math.floor((low + high) / 2) }
  if (high === 0) return { ...bounds, do: 'end', turn: null, confirmed: null }
  // the longest beginning left out only the last turn
  if (high === turns) return { ...bounds, do: 'end', turn: high, confirmed: true }
  return { ...bounds, isWithout: true, do: 'without', turn: high }
}

/**
 * Asks the question below a beginning of its chain, on a branch of its own: the chat stays where it is.
 *
 * @param input.messages copies of the messages between, and of the question, which is last
 */
export function planProbe({
  name,
  after,
  at,
  first,
  messages,
  contextId,
  newId,
  run,
}: {
  name: string
  /** the branch that is searched */
  after: string
  /** the last message of the beginning; null for none */
  at: MessageId | null
  /** the first message of the chain */
  first: MessageId
  messages: NewMessage[]
  contextId: ContextId | undefined
  newId: NewId
  run: Pick<QueueRun, 'runId' | 'replyId' | 'model'>
}): { steps: Step[]; branchId: BranchId; askedId: MessageId } {
  const fork = at === null ? { messageId: first, before: true } : { messageId: at }
  const { steps, branchId } = openBranch({ after, name, contextId, activate: false, newId }, at, fork)
  const askedId = messages.at(-1)?.id ?? ''
  return {
    steps: [
      ...steps,
      ...appendTo({ branchId, headId: at }, { messages, contextId }),
      planRun({ ...run, branchId, replyTo: askedId }),
    ],
    branchId,
    askedId,
  }
}

/** Folds the branch of a run away once its reply was judged. */
export const planProbeEnd = (branchId: BranchId): Step => ({ kind: 'archive-branch', branchId })

/** Begins a bisect, or moves a bisect that is in the state of `version`. */
export const planBisect = (bisect: BisectState): Step => ({ kind: 'keep-bisect', bisect })
