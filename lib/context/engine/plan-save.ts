import type { BranchId, MessageId } from '@/lib/events'
import { messagePreview, withMessageId } from '../fragments'
import type { BranchData, NewMessage, Step } from '../store'
import type { PendingMessage } from './pending-messages'

/** Which pending messages stay on the current branch, and which leave it because of an edit. */
export interface PendingSplit {
  /** new messages for the current branch, in order */
  stay: PendingMessage[]
  /** from the first edited message on, in order */
  edit?: { first: PendingMessage; parentId: MessageId | null; line: PendingMessage[] }
}

/**
 * Splits pending messages at the first one that is stored already with other data.
 *
 * Departures from seeds/000 “Save Flow”: everything from the first edited message on goes to the new branch, in
 * order (the source branches for the first edit alone and overwrites the others); a message that is stored already
 * with equal data is a no-op, unless an edit stands before it: then the new branch gets a copy of it, for otherwise
 * the model would read a history with a gap.
 */
export function splitPending(pending: readonly PendingMessage[]): PendingSplit {
  const at = pending.findIndex(({ isEdit }) => isEdit)
  const first = pending[at]
  const before = at === -1 ? pending : pending.slice(0, at)
  const stay = before.filter(({ stored }) => stored === undefined)
  if (!first?.stored) return { stay }
  return { stay, edit: { first, parentId: first.stored.parentId, line: pending.slice(at) } }
}

/** What one save writes, and the branch it ends on. */
export interface SavePlan {
  steps: Step[]
  /** the current branch, or the new one an edit opens */
  branchId: BranchId
}

/**
 * The steps of one save, for one transaction.
 *
 * An edited message gets a new id, the same in its row and in its body, and stands on a new branch that opens before
 * it; so an edited root becomes a second root (departures: the source overwrites the stored root, and lets the two
 * ids differ). The current branch must still stand at the head known to the caller, or nothing is written.
 *
 * @param input.at the time of the write in milliseconds; no message is dated before the one above it
 * @param input.headCreatedAt when the branch's head was made, if it has one
 * @param input.newId called for the new branch and every edited or copied message
 */
export function planSave(input: {
  branch: Pick<BranchData, 'id' | 'name' | 'headMessageId'>
  split: PendingSplit
  at: number
  headCreatedAt?: number
  newId: () => string
}): SavePlan {
  const { branch, newId } = input
  const { stay, edit } = input.split
  const steps: Step[] = []
  append(steps, branch.id, branch.headMessageId, stay, Math.max(input.at, input.headCreatedAt ?? 0))
  if (!edit) return { steps, branchId: branch.id }

  const branchId = newId()
  steps.push({
    kind: 'open-branch',
    branchId,
    after: branch.name,
    at: edit.parentId,
    fork: { messageId: edit.first.id, before: true },
    activate: true,
  })
  const line = edit.line.map((message) => (message.stored ? renewed(message, newId()) : message))
  append(steps, branchId, edit.parentId, line, Math.max(input.at, edit.first.stored?.createdAt ?? 0))
  return { steps, branchId }
}

function append(
  steps: Step[],
  branchId: BranchId,
  expectedHead: MessageId | null,
  pending: readonly PendingMessage[],
  createdAt: number,
): void {
  const messages = pending
    .filter(({ fragment }) => fragment.persist !== false)
    .map((message) => newMessage(message, createdAt))
  if (messages.length > 0) steps.push({ kind: 'append', branchId, expectedHead, messages })
}

function newMessage({ id, fragment, data, stored, isEdit }: PendingMessage, createdAt: number): NewMessage {
  return {
    id,
    name: fragment.name,
    type: fragment.type,
    data,
    preview: messagePreview(data),
    createdAt,
    ...(stored && !isEdit ? { copiedFromId: stored.id } : {}),
  }
}

/** The same message under a new id, in its row and in its body. */
function renewed(message: PendingMessage, id: string): PendingMessage {
  const fragment = withMessageId(message.fragment, id)
  return { ...message, id, fragment, data: fragment.codec.encode() }
}
