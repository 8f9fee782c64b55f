// Longer than other files: every rule about refs stands in one, a function each.

import { freeBranchName, isNameTaken } from './branch-name'
import type { Fact, MoveKind } from './event'
import type { BranchId, ContextId, MessageId, RunId } from './ids'
import {
  BranchActiveError,
  ContextMovedError,
  HeadConflictError,
  MessageExistsError,
  NameTakenError,
  NotFoundError,
  ReplyInProgressError,
  RunOverError,
} from './refusals'
import { type ChatState, type RecordedMessage, type Thread, threadAt } from './state'
import type {
  AppendMessages,
  FinishRun,
  ForkPoint,
  MarkUndone,
  MoveHead,
  NewMessage,
  OpenBranch,
  QueueRun,
  Step,
} from './step'

/** Makes a chat with its first thread. */
interface CreateThread {
  kind: 'create-thread'
  threadId: BranchId
  name?: string
  title?: string
  metadata?: Record<string, unknown>
  contextId?: ContextId
}

export type ChatCommand = Step | CreateThread

/** Facts besides the log that a step is decided on: runs log no event before they end. */
export interface Unlogged {
  runs: ReadonlyMap<RunId, RunState>
  /** the last event before the change that the step is part of */
  since?: number
  /** the thread that took the last messages of the same change: the end of a run is recorded there */
  landedOn?: BranchId | undefined
}

export interface RunState extends Pick<QueueRun, 'branchId' | 'replyTo'> {
  status: 'queued' | 'running' | 'completed' | 'stopped' | 'failed'
  /** raised by every claim of the run; only its latest holder can end it */
  fence: number
}

/**
 * The facts a command adds to the log, in order; none when it changes nothing that the log tells. These are the rules about
 * refs, and the one place where they are.
 * Limits of length, ownership and ids in other chats are the store's to check.
 *
 * @throws NotFoundError, NameTakenError, BranchActiveError, ContextMovedError, HeadConflictError, MessageExistsError, ReplyInProgressError,
 * RunOverError
 *
 * @example decide(state, { kind: 'rename-branch', branchId: 'main-1', name: 'train' }) // [{ type: 'BranchRenamed', … }]
 */
export function decide(state: ChatState, command: ChatCommand, unlogged: Unlogged = noRuns): Fact[] {
  switch (command.kind) {
    case 'create-thread':
      return createThread(state, command)
    case 'append':
      return append(state, command, unlogged)
    case 'open-branch':
      return openBranch(state, command)
    case 'switch-branch':
      return switchBranch(state, threadOf(state, command.branchId))
    case 'rename-branch':
      return renameBranch(state, threadOf(state, command.branchId), command.name)
    case 'title-branch': {
      const { id, title } = threadOf(state, command.branchId)
      return title === null ? [ofChat(state, 'BranchTitled', { branch_id: id, title: command.title })] : []
    }
    case 'set-context':
      return setContext(threadOf(state, command.branchId), command)
    case 'archive-branch':
      return archiveBranch(state, threadOf(state, command.branchId))
    case 'unarchive-branch': {
      const { id, archivedAt } = threadOf(state, command.branchId)
      return archivedAt === null ? [] : [ofChat(state, 'BranchRestored', { branch_id: id })]
    }
    case 'save-checkpoint':
      return saveCheckpoint(state, command)
    case 'remove-checkpoint': {
      const checkpoint = state.checkpoints.get(command.name)
      if (!checkpoint) throw new NotFoundError('checkpoint', command.name)
      return [ofChat(state, 'CheckpointRemoved', { name: command.name, message_id: checkpoint.messageId })]
    }
    case 'update-chat':
      return updateChat(state, command)
    case 'note-received':
      return [ofChat(state, 'ObjectsReceived', { remote: command.remote, messages: command.messages })]
    case 'note':
      return [{ streamId: state.chatId, ...command.fact }]
    case 'queue-run':
      return queueRun(state, command, unlogged)
    case 'finish-run':
      return finishRun(command, unlogged)
    case 'move-head':
      return moveHead(state, command, unlogged)
    case 'record': {
      const { id: streamId } = threadOf(state, command.branchId)
      return [{ streamId, ...command.fact }]
    }
    case 'mark-move':
      return markMove(state, command, command.since ?? unlogged.since ?? state.seq)
    case 'mark-undone':
    case 'mark-redone':
      return markUndone(state, command)
    case 'keep-bisect':
      return []
    case 'steer-agent':
      return steerAgent(state, command)
    case 'follow-steering': {
      const { branchId, targetId, onBranchId } = command
      if (steeredTo(state, branchId) !== targetId)
        throw new HeadConflictError('The agent is steered elsewhere by now')
      return [ofChat(state, 'AgentFollowed', { branch_id: branchId, to_branch_id: onBranchId })]
    }
    case 'keep-nodes':
      for (const { messageId } of command.nodes) messageOf(state, messageId)
      return []
    case 'begin-replay':
    case 'move-replay':
      // the progress of a replay is no event; only the database keeps it
      threadOf(state, command.branchId)
      return []
    default: {
      const unknown: never = command
      throw new Error(`unknown command ${JSON.stringify(unknown)}`)
    }
  }
}

const nameTaken = (name: string) => new NameTakenError(`A branch named "${name}" exists already`)

const noRuns: Unlogged = { runs: new Map() }

type Of<K extends ChatCommand['kind']> = Extract<ChatCommand, { kind: K }>

/** The first thread of a chat makes the chat; in a chat that exists, it is a request that came twice. */
function createThread(state: ChatState, command: Of<'create-thread'>): Fact[] {
  if (state.seq > 0) return []
  const { threadId, name = 'main', title, metadata = {}, contextId = null } = command
  const facts = beginThread(state, { id: threadId, name, head: null, contextId })
  if (title != null) facts.push(ofChat(state, 'ChatRenamed', { title }))
  if (Object.keys(metadata).length > 0) facts.push(ofChat(state, 'ChatUpdated', { metadata }))
  return facts
}

type Line = Omit<AppendMessages, 'kind' | 'messages'> & {
  messages: readonly Omit<NewMessage, 'data' | 'preview' | 'createdAt'>[]
}

/** Messages go below the head the writer knows. A reply that finished late goes to a branch of its own instead. */
function append(state: ChatState, line: Line, { runs }: Unlogged): Fact[] {
  const { branchId, expectedHead, orBranchId, contextId, messages } = line
  const asked = threadOf(state, branchId)
  if (line.whenIdle) refuseLive(runs, asked)
  if (expectedHead !== null) messageOf(state, expectedHead)
  const isSibling = asked.headMessageId !== expectedHead
  if (isSibling && orBranchId === undefined) {
    throw new HeadConflictError(`Branch "${asked.name}" has moved on`)
  }
  const known = messages.find(({ id }) => state.messages.has(id))
  if (known) throw new MessageExistsError(known.id)
  const streamId = isSibling && orBranchId !== undefined ? orBranchId : asked.id
  const facts: Fact[] = []
  if (isSibling) {
    const name = freeBranchName(state, asked.name)
    const fork =
      expectedHead === null ? undefined : originOf(state, { messageId: expectedHead }, expectedHead)
    facts.push(
      ...beginThread(state, { id: streamId, name, head: expectedHead, contextId: asked.contextId, fork }),
    )
  }
  const inForce = contextId ?? asked.contextId
  if (contextId !== undefined && contextId !== asked.contextId) {
    facts.push({ streamId, type: 'ContextChanged', payload: { context_id: contextId } })
  }
  let replyTo = expectedHead
  for (const message of messages) {
    facts.push(...recordMessage(streamId, message, replyTo, message.contextId ?? inForce))
    replyTo = message.id
  }
  return facts
}

/** A message as the log tells it; every reply is followed by its checkpoint (seeds/004). */
function recordMessage(
  streamId: BranchId,
  { id, name, status, reply, copiedFromId }: Line['messages'][number],
  replyTo: MessageId | null,
  contextId: ContextId | null,
): Fact[] {
  const checkpoint: Fact = {
    streamId,
    type: 'CheckpointCreated',
    payload: { checkpoint_id: `ckpt-${id}`, ai_message_id: id, context_id: contextId },
  }
  if (copiedFromId != null) {
    const payload = { message_id: id, role: name, copied_from_id: copiedFromId }
    const copied: Fact = { streamId, type: 'MessageCopied', payload }
    return name === 'assistant' ? [copied, checkpoint] : [copied]
  }
  if (name !== 'assistant') {
    return [{ streamId, type: 'UserMessageAdded', payload: { message_id: id, role: name } }]
  }
  const made = {
    model: reply?.model ?? null,
    usage: reply?.usage ?? null,
    ...(reply?.imported && { imported: reply.imported }),
  }
  return [
    {
      streamId,
      type: 'LLMResponseGenerated',
      payload: { ai_message_id: id, reply_to: replyTo, status: status ?? 'completed', ...made },
    },
    checkpoint,
  ]
}

function openBranch(state: ChatState, step: Omit<OpenBranch, 'kind'>): Fact[] {
  const { branchId, after, at, activate } = step
  const message = at === null ? undefined : messageOf(state, at)
  const fork = step.fork && originOf(state, step.fork, at)
  if (step.name !== undefined && isNameTaken(state, step.name)) throw nameTaken(step.name)
  const name = step.name ?? freeBranchName(state, after)
  const inForce = step.contextId ?? message?.contextId ?? fork?.thread.contextId ?? null
  const contextId = step.noContext ? null : inForce
  const facts = beginThread(state, { id: branchId, name, head: at, contextId, fork })
  if (activate) facts.push(switched(state, branchId))
  return facts
}

interface Origin {
  thread: Thread
  eventNumber: number
}

/** The thread a branch forks from and the last event it inherits. A message belongs to the thread that recorded it. */
function originOf(state: ChatState, fork: ForkPoint, at: MessageId | null): Origin {
  if ('messageId' in fork) {
    const { threadId, eventNumber } = messageOf(state, fork.messageId)
    const before = at === null ? 0 : eventNumber - 1
    return { thread: threadOf(state, threadId), eventNumber: fork.before ? before : eventNumber }
  }
  const { eventNumber } = fork
  const thread = threadOf(state, fork.threadId)
  if (eventNumber < 1 || eventNumber > thread.number) throw new NotFoundError('event', `${eventNumber}`)
  if (threadAt(state, thread.id, eventNumber).head !== at) {
    throw new Error(`a fork at event ${eventNumber} begins elsewhere`)
  }
  return { thread, eventNumber }
}

interface NewThread {
  id: BranchId
  name: string
  head: MessageId | null
  contextId: ContextId | null
  fork?: Origin | undefined
}

/** The first facts of a thread; its name is free. */
function beginThread(state: ChatState, { id, name, head, contextId, fork }: NewThread): Fact[] {
  if (state.threads.has(id)) throw new NameTakenError(`A branch with the id "${id}" exists already`)
  const created: Fact = {
    streamId: id,
    type: 'ThreadCreated',
    payload: { thread_id: id, name, head_message_id: head, context_id: contextId },
  }
  if (!fork) return [created]
  const payload = { parent_thread_id: fork.thread.id, from_event_number: fork.eventNumber }
  return [created, { streamId: id, type: 'ThreadForked', payload }]
}

const switchBranch = (state: ChatState, { id }: Thread): Fact[] =>
  state.activeThreadId === id ? [] : [switched(state, id)]

const switched = (state: ChatState, id: BranchId): Fact =>
  ofChat(state, 'BranchSwitched', { branch_id: id, from_branch_id: state.activeThreadId })

function renameBranch(state: ChatState, thread: Thread, name: string): Fact[] {
  if (thread.name === name) return []
  if (isNameTaken(state, name)) throw nameTaken(name)
  return [ofChat(state, 'BranchRenamed', { branch_id: thread.id, name, previous_name: thread.name })]
}

/** A context that is in force already is no change, whatever the writer expected: the same request may come twice. */
function setContext(thread: Thread, { expectedContextId, contextId }: Of<'set-context'>): Fact[] {
  if (thread.contextId === contextId) return []
  if (thread.contextId !== expectedContextId) {
    throw new ContextMovedError(`The context of branch "${thread.name}" was changed meanwhile`)
  }
  const payload = { context_id: contextId, from_context_id: thread.contextId }
  return [{ streamId: thread.id, type: 'ContextChanged', payload }]
}

/** The branch a chat opens on cannot be archived. */
function archiveBranch(state: ChatState, { id, name, archivedAt }: Thread): Fact[] {
  if (archivedAt !== null) return []
  if (state.activeThreadId === id) {
    throw new BranchActiveError(`Branch "${name}" is the one the chat opens on: switch first`)
  }
  return [ofChat(state, 'BranchArchived', { branch_id: id })]
}

/** A new name is saved; a known one moves and keeps its id (seeds/000, “UNIQUE Constraint”). */
function saveCheckpoint(state: ChatState, { name, messageId, checkpointId }: Of<'save-checkpoint'>): Fact[] {
  messageOf(state, messageId)
  const saved = { name, message_id: messageId }
  const before = state.checkpoints.get(name)
  if (!before) return [ofChat(state, 'CheckpointSaved', { ...saved, checkpoint_id: checkpointId })]
  return [ofChat(state, 'CheckpointMoved', { ...saved, from_message_id: before.messageId })]
}

/** A branch that is steered there already is no change. */
function steerAgent(state: ChatState, { branchId, targetId }: Of<'steer-agent'>): Fact[] {
  threadOf(state, branchId)
  if (targetId !== null) threadOf(state, targetId)
  const before = steeredTo(state, branchId)
  if (before === targetId) return []
  const payload = { branch_id: branchId, to_branch_id: targetId, from_branch_id: before }
  return [ofChat(state, 'AgentSteered', payload)]
}

/** The branch on which the agent that writes on a branch goes on with its next call; null for the same branch. */
export function steeredTo({ steerings }: Pick<ChatState, 'steerings'>, branchId: BranchId): BranchId | null {
  const steering = steerings.get(branchId)
  return steering && steering.followedAt === null ? steering.to : null
}

/** Title and metadata; metadata is merged key by key when it is replayed. */
function updateChat(state: ChatState, { title, instead, metadata }: Of<'update-chat'>): Fact[] {
  if (state.seq === 0) throw new NotFoundError('chat', state.chatId)
  const facts: Fact[] = []
  const isMeant = instead === undefined || instead === state.title
  if (title != null && title !== state.title && isMeant) facts.push(ofChat(state, 'ChatRenamed', { title }))
  if (metadata != null) facts.push(ofChat(state, 'ChatUpdated', { metadata }))
  return facts
}

/** A run answers the head of its branch, and a branch has one live run at most. Queuing it is no event. */
function queueRun(state: ChatState, { branchId, replyTo }: QueueRun, { runs }: Unlogged): Fact[] {
  const branch = threadOf(state, branchId)
  if (branch.headMessageId !== replyTo) throw new HeadConflictError(`Branch "${branch.name}" has moved on`)
  refuseLive(runs, branch)
  return []
}

function refuseLive(runs: Unlogged['runs'], { id }: Thread): void {
  for (const { branchId, status } of runs.values()) {
    if (branchId === id && (status === 'queued' || status === 'running')) {
      throw new ReplyInProgressError('A reply is being written on this branch')
    }
  }
}

/** A head that is there already is no change. */
function moveHead(
  state: ChatState,
  { branchId, expectedHead, headId }: MoveHead,
  { runs }: Unlogged,
): Fact[] {
  const branch = threadOf(state, branchId)
  if (headId !== null) messageOf(state, headId)
  if (branch.headMessageId !== expectedHead)
    throw new HeadConflictError(`Branch "${branch.name}" has moved on`)
  if (headId === expectedHead) return []
  refuseLive(runs, branch)
  const payload = { head_message_id: headId, from_message_id: expectedHead }
  return [{ streamId: branch.id, type: 'HeadMoved', payload }]
}

/** Makes one move of the events that the change has logged so far; without events there is no move. */
function markMove(state: ChatState, { move, joins }: Of<'mark-move'>, since: number): Fact[] {
  if (state.seq === since) return []
  const { lastMove } = state
  if (lastMove === null || joins !== since || lastMove.seq !== joins) return [moveMade(state, move, since)]
  const { firstSeq: first_seq, previous } = lastMove
  return [ofChat(state, 'MoveMade', { move, first_seq, previous })]
}

const moveMade = (state: ChatState, move: MoveKind, since: number): Fact =>
  ofChat(state, 'MoveMade', { move, first_seq: since + 1, previous: state.undoSeq })

function markUndone(state: ChatState, { kind, moveSeq, next }: MarkUndone): Fact[] {
  const fact = { move_seq: moveSeq }
  return kind === 'mark-undone'
    ? [ofChat(state, 'MoveUndone', { ...fact, undo_seq: next, previous: state.redoSeq })]
    : [ofChat(state, 'MoveRedone', { ...fact, redo_seq: next, previous: state.undoSeq })]
}

/** Only the latest holder of a running run ends it. A partial end is recorded where the reply landed. */
function finishRun({ runId, fence, status, error }: FinishRun, { runs, landedOn }: Unlogged): Fact[] {
  const run = runs.get(runId)
  if (run?.status !== 'running' || run.fence !== fence) {
    throw new RunOverError(`Run "${runId}" is over or was taken over`)
  }
  const streamId = landedOn ?? run.branchId
  const ended = { run_id: runId, reply_to: run.replyTo }
  if (status === 'stopped') return [{ streamId, type: 'ReplyStopped', payload: ended }]
  if (status === 'completed') return []
  const reason = error?.message ?? 'unknown'
  return [{ streamId, type: 'ReplyFailed', payload: { ...ended, reason } }]
}

/** A fact about the chat as a whole, for the chat's own stream. */
const ofChat = <T extends Fact['type']>(
  { chatId: streamId }: ChatState,
  type: T,
  payload: Extract<Fact, { type: T }>['payload'],
) => ({ streamId, type, payload }) as Fact

function threadOf(state: ChatState, id: BranchId): Thread {
  const thread = state.threads.get(id)
  if (!thread) throw new NotFoundError('branch', id)
  return thread
}

function messageOf(state: ChatState, id: MessageId): RecordedMessage {
  const message = state.messages.get(id)
  if (!message) throw new NotFoundError('message', id)
  return message
}
