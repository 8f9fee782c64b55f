import type { LoggedEvent } from './event'
import type { BranchId, ContextId, MessageId } from './ids'
import type {
  ChatRefs,
  ChatState,
  ContextMark,
  HeadMark,
  RecordedMessage,
  SavedCheckpoint,
  Steering,
  Thread,
} from './state'

/**
 * A chat after some more of its events, the next ones in commit order. The state given stays as it is: it is copied
 * once, however many events there are.
 *
 * @throws BrokenLogError when an event is missing, or moves an object that was never made
 *
 * @example const state = fold(noChat(chatId), await store.getEvents(chatId))
 */
export function fold(state: ChatState, events: Iterable<LoggedEvent>): ChatState {
  const folding = foldOn(state)
  folding.take(events)
  return folding.state
}

/**
 * A fold that goes on event by event: its state is copied once, and is always the state after the last event it took.
 */
export function foldOn(state: ChatState): { state: ChatState; take(events: Iterable<LoggedEvent>): void } {
  const draft = {
    ...copyRefs(state),
    messages: new Map(state.messages),
    contexts: new Map(state.contexts),
    headMoves: new Map(state.headMoves),
  }
  return { state: draft, take: (events) => foldInto(draft, events) }
}

/** As `fold`, but changes the state given, and copies nothing. */
export function foldInto(draft: Draft, events: Iterable<LoggedEvent>): void {
  for (const event of events) {
    const head = draft.threads.get(event.streamId)?.headMessageId ?? null
    apply(draft, event)
    record(draft, event, head)
  }
}

/** As `fold`, without messages: its memory does not grow with them. */
export function foldRefs(refs: ChatRefs, events: Iterable<LoggedEvent>): ChatRefs {
  const draft = copyRefs(refs)
  for (const event of events) apply(draft, event)
  return draft
}

/** A log that cannot have been written as it stands: part of it is missing, or was changed. */
export class BrokenLogError extends Error {
  override readonly name = 'BrokenLogError'
}

/** A fold under way. Its maps are copies; their values are shared, so they are replaced and never changed. */
interface RefsDraft extends ChatRefs {
  threads: Map<BranchId, Thread>
  checkpoints: Map<string, SavedCheckpoint>
  steerings: Map<BranchId, Steering>
}

export interface Draft extends RefsDraft {
  messages: Map<MessageId, RecordedMessage>
  contexts: Map<BranchId, readonly ContextMark[]>
  headMoves: Map<BranchId, readonly HeadMark[]>
  inPart?: ChatState['inPart']
}

const copyRefs = (refs: ChatRefs): RefsDraft => ({
  ...refs,
  threads: new Map(refs.threads),
  checkpoints: new Map(refs.checkpoints),
  steerings: new Map(refs.steerings),
})

function apply(draft: RefsDraft, event: LoggedEvent): void {
  follow(draft, event)
  switch (event.type) {
    case 'ThreadForked': {
      const { parent_thread_id: parentThreadId, from_event_number: from } = event.payload
      threadOf(draft, parentThreadId)
      const { fromEventNumber } = threadOf(draft, event.streamId)
      if (from !== fromEventNumber) {
        throw broken(
          draft,
          `event ${event.seq} forks at ${from}, but its thread goes on from ${fromEventNumber}`,
        )
      }
      move(draft, event.streamId, { parentThreadId })
      break
    }
    case 'UserMessageAdded':
    case 'MessageCopied':
      move(draft, event.streamId, { headMessageId: event.payload.message_id })
      break
    case 'LLMResponseGenerated':
      move(draft, event.streamId, { headMessageId: event.payload.ai_message_id })
      break
    case 'HeadMoved':
      move(draft, event.streamId, { headMessageId: event.payload.head_message_id })
      break
    case 'ContextChanged':
      move(draft, event.streamId, { contextId: event.payload.context_id })
      break
    case 'BranchSwitched':
      threadOf(draft, event.payload.branch_id)
      draft.activeThreadId = event.payload.branch_id
      break
    case 'BranchRenamed':
      move(draft, event.payload.branch_id, { name: event.payload.name })
      break
    case 'BranchTitled':
      move(draft, event.payload.branch_id, { title: event.payload.title })
      break
    case 'BranchArchived':
      move(draft, event.payload.branch_id, { archivedAt: event.createdAt })
      break
    case 'BranchRestored':
      move(draft, event.payload.branch_id, { archivedAt: null })
      break
    case 'CheckpointSaved': {
      const { name, message_id: messageId, checkpoint_id: id } = event.payload
      draft.checkpoints.set(name, { id, name, messageId, savedAt: event.createdAt })
      break
    }
    case 'CheckpointMoved': {
      const { name, message_id: messageId } = event.payload
      const checkpoint = checkpointOf(draft, name)
      draft.checkpoints.set(name, { ...checkpoint, messageId, savedAt: event.createdAt })
      break
    }
    case 'CheckpointRemoved':
      checkpointOf(draft, event.payload.name)
      draft.checkpoints.delete(event.payload.name)
      break
    case 'AgentSteered': {
      const { branch_id: id, to_branch_id: to } = event.payload
      threadOf(draft, id)
      draft.steerings.set(id, { to, at: event.createdAt, followedAt: null })
      break
    }
    case 'AgentFollowed': {
      const { branch_id: id, to_branch_id: to } = event.payload
      const steering = draft.steerings.get(id)
      if (!steering) throw broken(draft, `event ${event.seq} follows on from "${id}", which was not steered`)
      draft.steerings.set(id, { ...steering, to, followedAt: event.createdAt })
      break
    }
    case 'ChatRenamed':
      draft.title = event.payload.title
      break
    case 'ChatUpdated':
      draft.metadata = { ...draft.metadata, ...event.payload.metadata }
      break
    // ThreadCreated was taken in when its number was; the others say something about a message or a run
    case 'ThreadCreated':
    case 'CheckpointCreated':
    case 'ReplyFailed':
    case 'ReplyStopped':
    case 'ThreadsMerged':
    case 'ThreadCompacted':
    case 'ReplayStarted':
    case 'ObjectsReceived':
    case 'ProposalOpened':
    case 'ProposalTaken':
    case 'ProposalDeclined':
    case 'MemberAdded':
    case 'MemberRemoved':
      break
    case 'MoveMade':
      draft.undoSeq = event.seq
      draft.redoSeq = null
      draft.lastMove = {
        seq: event.seq,
        firstSeq: event.payload.first_seq,
        previous: event.payload.previous,
      }
      break
    case 'MoveUndone':
      draft.undoSeq = event.payload.undo_seq
      draft.redoSeq = event.seq
      break
    case 'MoveRedone':
      draft.undoSeq = event.seq
      draft.redoSeq = event.payload.redo_seq
      break
    default: {
      const unknown: never = event
      throw new Error(`no meaning is given to ${JSON.stringify(unknown)}`)
    }
  }
}

/** Takes in that the event is the next one of its chat and of its stream. */
function follow(draft: RefsDraft, event: LoggedEvent): void {
  const { seq, streamId, eventNumber, createdAt } = event
  if (seq !== draft.seq + 1) throw broken(draft, `event ${draft.seq + 1} is missing before event ${seq}`)
  if (seq === 1) draft.createdAt = createdAt
  draft.seq = seq
  draft.updatedAt = Math.max(draft.updatedAt, createdAt)
  if (event.type === 'ThreadCreated') begin(draft, event)
  else if (streamId === draft.chatId) {
    expectNumber(draft, event, draft.number + 1)
    draft.number = eventNumber
  } else {
    expectNumber(draft, event, threadOf(draft, streamId).number + 1)
    move(draft, streamId, { number: eventNumber })
  }
}

function begin(draft: RefsDraft, event: Extract<LoggedEvent, { type: 'ThreadCreated' }>): void {
  const { streamId: id, eventNumber, createdAt, payload } = event
  if (draft.threads.has(id)) throw broken(draft, `event ${event.seq} makes thread "${id}" again`)
  draft.threads.set(id, {
    id,
    name: payload.name,
    title: null,
    parentThreadId: null,
    fromEventNumber: eventNumber - 1,
    number: eventNumber,
    headMessageId: payload.head_message_id,
    contextId: payload.context_id,
    createdAt,
    archivedAt: null,
  })
  // a chat opens on its first thread until the first switch
  draft.activeThreadId ??= id
}

/**
 * Keeps the places of the messages, and the contexts in force at them.
 *
 * @param parentId head of the thread before this event
 */
function record(draft: Draft, event: LoggedEvent, parentId: MessageId | null): void {
  const { seq, streamId: threadId, eventNumber } = event
  switch (event.type) {
    case 'UserMessageAdded':
    case 'MessageCopied':
    case 'LLMResponseGenerated': {
      const isReply = event.type === 'LLMResponseGenerated'
      const id = isReply ? event.payload.ai_message_id : event.payload.message_id
      if (draft.messages.has(id)) throw broken(draft, `event ${seq} records message "${id}" again`)
      const { contextId } = threadOf(draft, threadId)
      draft.messages.set(id, { threadId, eventNumber, parentId, contextId })
      break
    }
    case 'CheckpointCreated': {
      const { ai_message_id: id, context_id: contextId } = event.payload
      const reply = draft.messages.get(id)
      if (!reply) throw broken(draft, `event ${seq} follows reply "${id}", which was never recorded`)
      draft.messages.set(id, { ...reply, contextId })
      mark(draft, event, contextId)
      break
    }
    case 'HeadMoved': {
      const { from_message_id: from } = event.payload
      draft.headMoves.set(threadId, [...(draft.headMoves.get(threadId) ?? []), { eventNumber, from }])
      break
    }
    case 'ThreadCreated':
    case 'ContextChanged':
      mark(draft, event, event.payload.context_id)
      break
    default:
  }
}

function mark(draft: Draft, { streamId, eventNumber }: LoggedEvent, contextId: ContextId | null): void {
  const marks = draft.contexts.get(streamId) ?? []
  const last = marks.at(-1)
  if (last && last.contextId === contextId) return
  draft.contexts.set(streamId, [...marks, { eventNumber, contextId }])
}

function move(draft: RefsDraft, id: BranchId, change: Partial<Thread>): void {
  draft.threads.set(id, { ...threadOf(draft, id), ...change })
}

function threadOf(draft: RefsDraft, id: BranchId): Thread {
  const thread = draft.threads.get(id)
  if (!thread) throw broken(draft, `event ${draft.seq} is about thread "${id}", which was never made`)
  return thread
}

function checkpointOf(draft: RefsDraft, name: string): SavedCheckpoint {
  const checkpoint = draft.checkpoints.get(name)
  if (!checkpoint) throw broken(draft, `event ${draft.seq} is about checkpoint "${name}", which is not there`)
  return checkpoint
}

function expectNumber(draft: RefsDraft, { seq, streamId, eventNumber }: LoggedEvent, expected: number): void {
  if (eventNumber === expected) return
  throw broken(
    draft,
    `event ${seq} has number ${eventNumber} in stream "${streamId}", where ${expected} follows`,
  )
}

const broken = ({ chatId }: ChatRefs, what: string) =>
  new BrokenLogError(`The log of chat "${chatId}" is broken: ${what}`)
