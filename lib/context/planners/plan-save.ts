import type { MessageId, NewMessage } from '@/lib/events'
import { type ConcreteMessageFragment, messagePreview, withMessageId } from '../fragments'
import type { MessageData } from '../store/records'
import type { NewId, Plan } from './plan-moves'
import { type BranchHead, planEdit, planTurn } from './plan-turn'

/** A pending message, with the stored message of its id, if any. */
export interface PendingMessage {
  id: string
  fragment: ConcreteMessageFragment
  /** the encoded data */
  data: unknown
  stored?: MessageData | undefined
  /** stored with other data: saving must leave the stored data alone */
  isEdit: boolean
}

/** Pending messages that stay on the current branch, and those that an edit moves off it. */
interface PendingSplit {
  /** new messages for the current branch, in order */
  stay: PendingMessage[]
  /** from the first edited message on, in order */
  edit?: { stored: MessageData; parentId: MessageId | null; line: PendingMessage[] }
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
  const before = at === -1 ? pending : pending.slice(0, at)
  const stay = before.filter(({ stored }) => stored === undefined)
  const stored = pending[at]?.stored
  if (!stored) return { stay }
  return { stay, edit: { stored, parentId: stored.parentId, line: pending.slice(at) } }
}

/**
 * One `save()`, for one transaction: the next messages of the branch, and from the first edited one on an edit (`planEdit`)
 * under new ids, the same in row and body (departure: the source lets the two differ).
 *
 * @param input.at the time of the write in milliseconds; no message is dated before the one above it
 * @param input.headCreatedAt when the branch's head was made, if it has one
 */
export function planSave(input: {
  branch: BranchHead
  pending: readonly PendingMessage[]
  at: number
  headCreatedAt: number
  newId: NewId
}): Plan {
  const { branch, at, headCreatedAt, newId } = input
  const { stay, edit } = splitPending(input.pending)
  const plan = planTurn({ branch, messages: linesOf(stay, Math.max(at, headCreatedAt)) })
  if (!edit) return plan
  const line = edit.line.map((message) => (message.stored ? renewed(message, newId()) : message))
  const edited = planEdit({
    after: branch.branchName,
    edited: edit.stored,
    messages: linesOf(line, Math.max(at, edit.stored.createdAt)),
    newId,
  })
  return { steps: [...plan.steps, ...edited.steps], branchId: edited.branchId }
}

const linesOf = (pending: readonly PendingMessage[], createdAt: number): NewMessage[] =>
  pending
    .filter(({ fragment }) => fragment.persist !== false)
    .map(({ id, fragment: { name, type }, data, stored, isEdit }) => ({
      id,
      name,
      type,
      data,
      preview: messagePreview(data),
      createdAt,
      copiedFromId: isEdit ? undefined : stored?.id,
    }))

/** The same message under a new id, in its row and in its body. */
function renewed(message: PendingMessage, id: string): PendingMessage {
  const fragment = withMessageId(message.fragment, id)
  return { ...message, id, fragment, data: fragment.codec.encode() }
}
