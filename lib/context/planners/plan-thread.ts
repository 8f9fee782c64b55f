import type { BranchId, Step, Thread, ThreadStand } from '@/lib/events'
import type { SendMessage } from '../store/threads'
import { asMove } from './plan-moves'

/**
 * Appends a message to a thread's head and queues its reply, by the model of the thread's context if it has
 * one.
 */
export const planSend = (
  { id: branchId, headMessageId }: Thread,
  { message, run }: Pick<SendMessage, 'message' | 'run'>,
  own: string | null,
): Step[] => [
  { kind: 'append', branchId, expectedHead: headMessageId, messages: [message] },
  { kind: 'queue-run', ...run, branchId, replyTo: message.id, model: own ?? run.model },
]

/** Opens a thread that inherits another thread's events up to a number, at the head that `stand` names. */
export const planForkThread = (
  { id: threadId, name: after }: Thread,
  { newThreadId, eventNumber }: { newThreadId: BranchId; eventNumber: number },
  { head, contextId }: ThreadStand,
): Step[] =>
  asMove('branch', [
    {
      kind: 'open-branch',
      branchId: newThreadId,
      after,
      at: head,
      fork: { threadId, eventNumber },
      contextId: contextId ?? undefined,
      activate: false,
    },
  ])
