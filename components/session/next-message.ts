import { type BranchId, type MessageId, newId } from '@/lib/events'
import type { GraphIndex } from '@/lib/graph/graph-index'
import type { AttachedFile } from './messages'

/** A message that has left the box. */
export interface SentMessage {
  id: MessageId
  text: string
  files?: readonly AttachedFile[]
}

/** A message sent while a reply was being written: it leaves when the reply ends well, and is kept otherwise. */
export interface NextMessage extends SentMessage {
  /** the head of the branch when the message came: a head that stays the same means that no reply was stored */
  after: MessageId | null
  phase: NextPhase
}

type NextPhase =
  /** the reply before it is being written */
  | { is: 'waiting' }
  /** the reply did not end well; nothing is sent until it is asked for */
  | { is: 'held'; why: Exclude<ReplyEnd, 'done'> }
  /** to be sent at once */
  | { is: 'due' }

/** End of the reply before it; `unsent`: its question was refused, or nothing is stored of it. */
export type ReplyEnd = 'done' | 'stopped' | 'failed' | 'unsent'

export type NextEvent = { type: 'reply over'; end: ReplyEnd } | { type: 'asked for' }

export const nextMessage = (
  text: string,
  after: MessageId | null,
  files: readonly AttachedFile[] = [],
): NextMessage => ({
  id: newId(),
  text,
  ...(files.length > 0 && { files }),
  after,
  phase: { is: 'waiting' },
})

/** The message after an event: the same object when the event says nothing to it. */
export function changeNext(next: NextMessage, event: NextEvent): NextMessage {
  const { phase } = next
  if (phase.is === 'due') return next
  switch (event.type) {
    case 'reply over':
      if (phase.is === 'held') return next
      return { ...next, phase: event.end === 'done' ? { is: 'due' } : { is: 'held', why: event.end } }
    case 'asked for':
      return { ...next, phase: { is: 'due' } }
  }
}

/** End of the last reply of a branch on which no reply is being written. */
export function replyEnd(
  index: Pick<GraphIndex, 'branch' | 'byId'>,
  branchId: BranchId,
  after: MessageId | null,
): ReplyEnd {
  const branch = index.branch(branchId)
  const head = branch?.headId == null ? undefined : index.byId(branch.headId)
  if (!head) return 'unsent'
  if (head.role === 'user') return branch?.failure?.kind === 'stopped' ? 'stopped' : 'failed'
  if (head.id === after) return 'unsent'
  return head.status === 'stopped' || head.status === 'failed' ? head.status : 'done'
}
