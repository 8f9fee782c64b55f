import {
  type BranchId,
  type ContextId,
  fold,
  freeBranchName,
  type MessageId,
  noChat,
  threadAt,
} from '@/lib/events'
import type { ForkPoint, OpenBranch } from '../change'
import { NameTakenError, NotFoundError } from '../errors'
import { logChatEvent, logEvent } from './log-event'
import type { MemoryBranch, MemoryMessage, Work } from './memory-chat'

/** Opens a branch at a message and records where its thread forked. */
export function openBranch(work: Work, step: OpenBranch): void {
  const { chat } = work
  const at = step.at === null ? undefined : findMessage(work, step.at)
  const fork = step.fork && originOf(work, step, step.fork)
  const parent = fork && chat.branches.get(fork.threadId)
  if (step.name !== undefined && isNameTaken(work, step.name)) throw nameTaken(step.name)
  addBranch(work, {
    id: step.branchId,
    name: step.name ?? freeName(work, step.after),
    head: step.at,
    parentBranchId: fork?.threadId ?? null,
    fromEventNumber: fork?.eventNumber ?? 0,
    contextId: step.contextId ?? at?.record.contextId ?? parent?.contextId ?? null,
  })
  if (step.activate) activate(work, step.branchId)
}

/** The thread forked from, and the last event inherited from there. */
function originOf(
  work: Work,
  { at }: OpenBranch,
  fork: ForkPoint,
): { threadId: BranchId; eventNumber: number } {
  if ('messageId' in fork) {
    const { streamId, eventNumber } = forkPoint(work, fork.messageId)
    const before = at === null ? 0 : eventNumber - 1
    return { threadId: streamId, eventNumber: fork.before ? before : eventNumber }
  }
  const { threadId, eventNumber } = fork
  const state = fold(noChat(work.chat.chat.id), work.chat.events)
  const thread = state.threads.get(threadId)
  if (!thread) throw new NotFoundError('branch', threadId)
  if (eventNumber > thread.number) throw new NotFoundError('event', `${eventNumber}`)
  if (threadAt(state, threadId, eventNumber).head !== at) {
    throw new Error(`a fork at event ${eventNumber} begins elsewhere`)
  }
  return fork
}

/** Where a message was recorded: the stream and its number there. */
export function forkPoint(work: Work, messageId: MessageId): { streamId: string; eventNumber: number } {
  const recorded = work.chat.recorded.get(messageId)
  if (!recorded) throw new NotFoundError('message', messageId)
  return recorded
}

/** Adds a branch and the events that tell of it. The caller has chosen a free name. */
export function addBranch(
  work: Work,
  branch: {
    id: BranchId
    name: string
    head: MessageId | null
    parentBranchId: BranchId | null
    fromEventNumber: number
    contextId: ContextId | null
  },
): MemoryBranch {
  const { chat, journal } = work
  const { id, name, head, parentBranchId, fromEventNumber, contextId } = branch
  const { userId } = chat.chat
  if ([...work.chats.values()].some((other) => other.chat.userId === userId && other.branches.has(id))) {
    throw new NameTakenError(`A branch with the id "${id}" exists already`)
  }
  requireContext(work, contextId)
  const added: MemoryBranch = {
    id,
    chatId: chat.chat.id,
    name,
    headMessageId: head,
    createdAt: work.at,
    parentBranchId,
    fromEventNumber,
    contextId,
    archivedAt: null,
  }
  journal.set(chat.branches, id, added)
  journal.set(chat.lastNumbers, id, fromEventNumber)
  work.touched.add(id)
  logEvent(work, id, 'ThreadCreated', {
    thread_id: id,
    name,
    head_message_id: head,
    context_id: contextId,
  })
  if (parentBranchId !== null) {
    logEvent(work, id, 'ThreadForked', {
      parent_thread_id: parentBranchId,
      from_event_number: fromEventNumber,
    })
  }
  return added
}

/** Makes this the branch the chat opens on, and says so in the log. */
export function activate(work: Work, branchId: BranchId): void {
  const from = work.chat.activeBranchId
  work.journal.assign(work.chat, { activeBranchId: branchId })
  work.touched.add(from)
  logChatEvent(work, 'BranchSwitched', { branch_id: branchId, from_branch_id: from })
}

export function findMessage(work: Work, id: MessageId): MemoryMessage {
  const message = work.chat.messages.get(id)
  if (!message) throw new NotFoundError('message', id)
  return message
}

export function requireContext(work: Work, id: ContextId | null | undefined): void {
  if (id != null && !work.chat.contexts.has(id)) throw new Error(`Context "${id}" is not stored`)
}

export function isNameTaken(work: Work, name: string): boolean {
  for (const branch of work.chat.branches.values()) if (branch.name === name) return true
  return false
}

export const freeName = (work: Work, base: string): string =>
  freeBranchName(base, (name) => isNameTaken(work, name))

export const nameTaken = (name: string): NameTakenError =>
  new NameTakenError(`A branch named "${name}" exists already`)
