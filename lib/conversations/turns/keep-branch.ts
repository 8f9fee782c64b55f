import { type Change, NotFoundError, planKeep, ReplyInProgressError } from '@/lib/context'
import type { BranchId, ChatId, MessageId, UserId } from '@/lib/events'
import type { Moved } from '@/lib/protocol'
import { deltaOf } from '../delta-of'
import { InvalidRequestError } from '../errors'
import type { Ports } from '../ports'

interface KeepRequest {
  ownerId: UserId
  chatId: ChatId
  branchId: BranchId
  /** the branches to archive; archived ones stay archived */
  otherIds: readonly BranchId[]
  /** name of a missing branch's kind in errors; the commands speak of threads */
  called?: 'branch' | 'thread'
}

/**
 * Keeps one of several replies to a message: the chat opens on its branch, and the branches of the others are archived with
 * that. Rejects with `NotFoundError`, `InvalidRequestError` (a branch that stands elsewhere) or `ReplyInProgressError` (one
 * of the others is still being written); then nothing is written.
 */
export async function keepBranch(ports: Ports, request: KeepRequest): Promise<Moved> {
  const change = await prepareKeep(ports, request)
  return { delta: deltaOf(change, await ports.store.commit(change)), branchId: request.branchId }
}

/** Reads the heads of the branches, and plans to keep one of them. */
export async function prepareKeep(ports: Ports, request: KeepRequest): Promise<Change> {
  const { ownerId, chatId, branchId, otherIds } = request
  if (otherIds.includes(branchId)) {
    throw new InvalidRequestError('The branch to keep is among those to archive.', 'not_siblings')
  }
  const [kept, ...others] = await Promise.all(
    [branchId, ...new Set(otherIds)].map((id) => standing(ports, request, id)),
  )
  if (!kept) throw new NotFoundError('branch', branchId)
  if (kept.isArchived) {
    throw new InvalidRequestError('The branch to keep is archived. Restore it first.', 'branch_archived')
  }
  if (kept.answers === null || others.some(({ answers }) => answers !== kept.answers)) {
    throw new InvalidRequestError('These branches do not end on replies to one message.', 'not_siblings')
  }
  const left = others.filter(({ isArchived }) => !isArchived)
  const runs = await Promise.all(left.map(({ id }) => ports.runs.live(ownerId, chatId, id)))
  if (runs.some((run) => run !== undefined)) {
    throw new ReplyInProgressError('A reply is being written on one of the other branches')
  }
  const { steps } = planKeep(
    branchId,
    left.map(({ id }) => id),
  )
  return { chatId, ownerId, at: ports.clock(), steps }
}

interface Standing {
  id: BranchId
  isArchived: boolean
  /** the message that its head answers, or that waits there for an answer */
  answers: MessageId | null
}

async function standing(
  ports: Ports,
  { ownerId, chatId, called = 'branch' }: KeepRequest,
  id: BranchId,
): Promise<Standing> {
  const { chat, state } = await ports.reads.branchState(chatId, ownerId, id)
  if (chat !== 'own') throw new NotFoundError('chat', chatId)
  // branches are named by their ids here
  if (state?.branchId !== id) throw new NotFoundError(called, id)
  const head = state.headId === null ? undefined : await ports.reads.message(chatId, ownerId, state.headId)
  const answers = head && (head.message.name === 'user' ? head.message.id : head.message.parentId)
  return { id, isArchived: state.isArchived, answers: answers ?? null }
}
