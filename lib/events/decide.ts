import type { Fact } from './event'
import { freeBranchName } from './free-branch-name'
import type { BranchId, CheckpointId, ContextId, MessageId } from './ids'
import {
  BranchActiveError,
  ExpectedVersionError,
  MessageExistsError,
  NameTakenError,
  NotFoundError,
} from './refusals'
import { type ChatState, type Thread, threadAt } from './state'

/** What can be asked of a chat and decided by its log alone; the words are those of DESIGN.md §9 and of a change's steps. */
export type ChatCommand =
  | { kind: 'create-thread'; threadId: BranchId; title?: string; contextId?: ContextId }
  | ForkThread
  | { kind: 'send-message'; threadId: BranchId; messageId: MessageId; expectedVersion?: number }
  | { kind: 'switch-branch' | 'archive-branch' | 'unarchive-branch'; branchId: BranchId }
  | { kind: 'rename-branch'; branchId: BranchId; name: string }
  | { kind: 'save-checkpoint'; checkpointId: CheckpointId; name: string; messageId: MessageId }
  | { kind: 'remove-checkpoint'; name: string }
  | { kind: 'update-chat'; title?: string; metadata?: Record<string, unknown> }

interface ForkThread {
  kind: 'fork-thread'
  /** the new thread's */
  threadId: BranchId
  sourceThreadId: BranchId
  /** the last event the fork inherits: from 1 to the source's last */
  eventNumber: number
}

/**
 * What a command makes true, given all that is: one fact for each event it logs, none when nothing would change. Decides
 * what `commit_change` and `run_command` (`drizzle/`) decide under the chat's lock, so it says what they are to do; what the
 * log does not know (a reply being written, limits of length, whose chat it is) is not its business.
 *
 * @throws NotFoundError, NameTakenError, BranchActiveError, MessageExistsError, ExpectedVersionError
 *
 * @example decide(state, { kind: 'rename-branch', branchId: 'main-1', name: 'train' }) // [{ type: 'BranchRenamed', … }]
 */
export function decide(state: ChatState, command: ChatCommand): Fact[] {
  switch (command.kind) {
    case 'create-thread':
      return createThread(state, command)
    case 'fork-thread':
      return forkThread(state, command)
    case 'send-message':
      return sendMessage(state, command)
    case 'switch-branch':
      return switchBranch(state, command.branchId)
    case 'rename-branch':
      return renameBranch(state, command.branchId, command.name)
    case 'archive-branch':
      return archiveBranch(state, command.branchId)
    case 'unarchive-branch':
      return restoreBranch(state, command.branchId)
    case 'save-checkpoint':
      return saveCheckpoint(state, command)
    case 'remove-checkpoint':
      return removeCheckpoint(state, command.name)
    case 'update-chat':
      return updateChat(state, command)
    default: {
      const unknown: never = command
      throw new Error(`unknown command ${JSON.stringify(unknown)}`)
    }
  }
}

type Of<K extends ChatCommand['kind']> = Extract<ChatCommand, { kind: K }>

/** The first thread of a chat makes the chat; where there is one already, the same request has come again. */
function createThread(
  { chatId, seq }: ChatState,
  { threadId, title, contextId }: Of<'create-thread'>,
): Fact[] {
  if (seq > 0) return []
  const payload = {
    ...{ thread_id: threadId, name: 'main', head_message_id: null },
    context_id: contextId ?? null,
  }
  const created: Fact = { streamId: threadId, type: 'ThreadCreated', payload }
  if (title === undefined) return [created]
  return [created, { streamId: chatId, type: 'ChatRenamed', payload: { title } }]
}

function forkThread(state: ChatState, { threadId, sourceThreadId, eventNumber }: ForkThread): Fact[] {
  const source = threadOf(state, sourceThreadId)
  if (eventNumber < 1 || eventNumber > source.number) throw new NotFoundError('event', `${eventNumber}`)
  const { head, contextId } = threadAt(state, source.id, eventNumber)
  const atHead = head === null ? null : state.messages.get(head)?.contextId
  return [
    {
      streamId: threadId,
      type: 'ThreadCreated',
      payload: {
        thread_id: threadId,
        name: freeBranchName(source.name, (name) => isNameTaken(state, name)),
        head_message_id: head,
        context_id: contextId ?? atHead ?? source.contextId,
      },
    },
    {
      streamId: threadId,
      type: 'ThreadForked',
      payload: { parent_thread_id: source.id, from_event_number: eventNumber },
    },
  ]
}

function sendMessage(state: ChatState, command: Of<'send-message'>): Fact[] {
  const { threadId, messageId, expectedVersion } = command
  const { number } = threadOf(state, threadId)
  if (expectedVersion !== undefined && expectedVersion !== number) {
    throw new ExpectedVersionError(number, expectedVersion)
  }
  if (state.messages.has(messageId)) throw new MessageExistsError(messageId)
  const payload = { message_id: messageId, role: 'user' }
  return [{ streamId: threadId, type: 'UserMessageAdded', payload }]
}

function switchBranch(state: ChatState, branchId: BranchId): Fact[] {
  threadOf(state, branchId)
  if (state.activeThreadId === branchId) return []
  const payload = { branch_id: branchId, from_branch_id: state.activeThreadId }
  return [{ streamId: state.chatId, type: 'BranchSwitched', payload }]
}

function renameBranch(state: ChatState, branchId: BranchId, name: string): Fact[] {
  const thread = threadOf(state, branchId)
  if (thread.name === name) return []
  if (isNameTaken(state, name)) throw new NameTakenError(`A branch named "${name}" exists already`)
  const payload = { branch_id: branchId, name, previous_name: thread.name }
  return [{ streamId: state.chatId, type: 'BranchRenamed', payload }]
}

function archiveBranch(state: ChatState, branchId: BranchId): Fact[] {
  const thread = threadOf(state, branchId)
  if (thread.archivedAt !== null) return []
  if (state.activeThreadId === branchId) {
    throw new BranchActiveError(`Branch "${thread.name}" is the one the chat opens on: switch first`)
  }
  return [{ streamId: state.chatId, type: 'BranchArchived', payload: { branch_id: branchId } }]
}

function restoreBranch(state: ChatState, branchId: BranchId): Fact[] {
  if (threadOf(state, branchId).archivedAt === null) return []
  return [{ streamId: state.chatId, type: 'BranchRestored', payload: { branch_id: branchId } }]
}

/** A new name is saved; a known one moves, and keeps its id (seeds/000, “UNIQUE Constraint”). */
function saveCheckpoint(state: ChatState, command: Of<'save-checkpoint'>): Fact[] {
  const { name, messageId, checkpointId } = command
  if (!state.messages.has(messageId)) throw new NotFoundError('message', messageId)
  const { chatId: streamId } = state
  const saved = { name, message_id: messageId }
  const before = state.checkpoints.get(name)
  if (!before) {
    return [{ streamId, type: 'CheckpointSaved', payload: { ...saved, checkpoint_id: checkpointId } }]
  }
  return [{ streamId, type: 'CheckpointMoved', payload: { ...saved, from_message_id: before.messageId } }]
}

function removeCheckpoint(state: ChatState, name: string): Fact[] {
  const checkpoint = state.checkpoints.get(name)
  if (!checkpoint) throw new NotFoundError('checkpoint', name)
  const payload = { name, message_id: checkpoint.messageId }
  return [{ streamId: state.chatId, type: 'CheckpointRemoved', payload }]
}

/** Title and metadata; metadata is merged key by key when it is replayed. */
function updateChat(state: ChatState, { title, metadata }: Of<'update-chat'>): Fact[] {
  const facts: Fact[] = []
  const { chatId: streamId } = state
  if (state.seq === 0) throw new NotFoundError('chat', streamId)
  if (title !== undefined && title !== state.title) {
    facts.push({ streamId, type: 'ChatRenamed', payload: { title } })
  }
  if (metadata !== undefined) facts.push({ streamId, type: 'ChatUpdated', payload: { metadata } })
  return facts
}

function threadOf(state: ChatState, id: BranchId): Thread {
  const thread = state.threads.get(id)
  if (!thread) throw new NotFoundError('branch', id)
  return thread
}

const isNameTaken = (state: ChatState, name: string): boolean =>
  [...state.threads.values()].some((thread) => thread.name === name)
