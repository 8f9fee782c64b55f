import type { ContextId, FinishRun, NewMessage, Step } from '@/lib/events'
import { messagePreview } from '../fragments'
import type { RunRecord } from '../store/records'
import type { NewId } from './plan-moves'

/** How a run ended, and its reply where there is one. */
export interface Ending extends Pick<FinishRun, 'status' | 'error'> {
  reply?: { data: unknown; createdAt: number; usage: NonNullable<NewMessage['reply']>['usage'] } | undefined
  newId: NewId
}

/**
 * The end of a run, in one write (DESIGN.md §7): its reply below the message it answers, and the run's terminal state. When
 * the branch has moved on, the reply becomes a sibling on a new branch. The branch goes on in the context the reply was
 * made in, which after a retry may be another than its own.
 */
export function planEnding(run: RunRecord, { status, error, reply, newId }: Ending): Step[] {
  const { runId, fence, branchId, replyTo, replyId, model } = run
  const end: Step = { kind: 'finish-run', runId, fence, status, error }
  if (!reply) return [end]
  const { data, createdAt, usage } = reply
  const message: NewMessage = {
    id: replyId,
    name: 'assistant',
    type: 'message',
    data,
    preview: messagePreview(data),
    status: status === 'completed' ? undefined : status,
    runId,
    createdAt,
    reply: { model, usage },
  }
  const contextId: ContextId | undefined = run.contextId ?? undefined
  const line = { branchId, expectedHead: replyTo, orBranchId: newId(), contextId, messages: [message] }
  return [{ kind: 'append', ...line }, end]
}
