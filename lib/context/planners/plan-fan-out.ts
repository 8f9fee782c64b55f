import type { BranchId, ContextId, MessageId, Step, ToolAnswer } from '@/lib/events'
import { asMove, type NewId, openBranch, type Plan, switchTo } from './plan-moves'
import { planRun } from './plan-turn'

/** Model and context of one reply of a fan-out. */
export interface FanOutTarget {
  model: string
  contextId: ContextId
}

/** A reply of a fan-out, and the branch that it will be on. */
export interface FannedOut extends FanOutTarget {
  branchId: BranchId
  runId: string
  replyId: MessageId
}

/**
 * One message to several targets at once: the turn of the first target, and for every other one a branch that opens at the
 * message, each with its run. All of it is one change, so a fan-out is there whole or not at all.
 *
 * @param input.first the turn of the first target (`planTurn`, `planRetry` or `planFirstTurn`), without its run
 * @param input.after the branch that the new ones are named after
 * @param input.answers of a reply that goes on after its tools were answered
 */
export function planFanOut({
  first,
  after,
  replyTo,
  targets,
  answers,
  newId,
}: {
  first: Plan
  after: string
  replyTo: MessageId
  targets: readonly FanOutTarget[]
  answers?: ToolAnswer[] | undefined
  newId: NewId
}): Plan & { replies: FannedOut[] } {
  const steps: Step[] = [...first.steps]
  const replies = targets.map((target, at): FannedOut => {
    const { contextId } = target
    const opened =
      at === 0
        ? { steps: [], branchId: first.branchId }
        : openBranch({ after, contextId, activate: false, newId }, replyTo, { messageId: replyTo })
    const reply = { ...target, branchId: opened.branchId, runId: newId(), replyId: newId() }
    steps.push(...opened.steps, planRun({ ...reply, replyTo, answers }))
    return reply
  })
  return { steps, branchId: first.branchId, replies }
}

/** Keeps one of several branches: the chat opens on it from now on, and the others are archived with that, as one move. */
export const planKeep = (branchId: BranchId, others: readonly BranchId[]): Plan => ({
  steps: asMove('keep', [
    switchTo(branchId),
    ...others.map((other): Step => ({ kind: 'archive-branch', branchId: other })),
  ]),
  branchId,
})
