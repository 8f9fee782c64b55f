import type { FinishRun, QueueRun } from '../change'
import { HeadConflictError, NotFoundError, ReplyInProgressError, RunOverError } from '../errors'
import { logEvent } from './log-event'
import type { MemoryRun, Work } from './memory-chat'

const isLive = (run: MemoryRun): boolean => run.status === 'queued' || run.status === 'running'

/** Queues the reply to a user message, or claims it at once; a branch has one live run at most. */
export function queueRun(work: Work, step: QueueRun): void {
  const { chat, journal } = work
  const branch = chat.branches.get(step.branchId)
  if (!branch) throw new NotFoundError('branch', step.branchId)
  if (branch.headMessageId !== step.replyTo)
    throw new HeadConflictError(`Branch "${branch.name}" has moved on`)
  for (const run of chat.runs.values()) {
    if (run.branchId === branch.id && isLive(run)) {
      throw new ReplyInProgressError('A reply is being written on this branch')
    }
  }
  if ([...work.chats.values()].some((other) => other.runs.has(step.runId))) {
    throw new Error(`A run with the id "${step.runId}" exists already`)
  }
  work.touched.add(branch.id)
  const claimed = step.leaseMs != null
  journal.set(chat.runs, step.runId, {
    id: step.runId,
    branchId: branch.id,
    replyTo: step.replyTo,
    replyId: step.replyId,
    model: step.model,
    contextId: step.contextId ?? branch.contextId,
    status: claimed ? 'running' : 'queued',
    fence: claimed ? 1 : 0,
  })
}

/** Ends a run that this caller still holds; a partial end is recorded where the reply landed. */
export function finishRun(work: Work, step: FinishRun): void {
  const { chat, journal } = work
  const run = chat.runs.get(step.runId)
  if (run?.status !== 'running' || run.fence !== step.fence) {
    throw new RunOverError(`Run "${step.runId}" is over or was taken over`)
  }
  journal.set(chat.runs, run.id, { ...run, status: step.status })
  work.touched.add(run.branchId)
  const streamId = work.landed ?? run.branchId
  const ended = { run_id: run.id, reply_to: run.replyTo }
  if (step.status === 'stopped') logEvent(work, streamId, 'ReplyStopped', ended)
  if (step.status === 'failed') {
    logEvent(work, streamId, 'ReplyFailed', { ...ended, reason: step.error?.message ?? 'unknown' })
  }
}
