import {
  type BranchId,
  type ChatId,
  type ChatState,
  decide,
  type EventType,
  type Fact,
  foldOn,
  type LoggedEvent,
  logFacts,
  type MessageId,
  type NewMessage,
  type NotedFact,
  named,
  noChat,
  type Step,
  steeredTo,
  type UserId,
} from '@/lib/events'
import type { Change } from '../store/change'
import { jsonEqual } from '../store/json'

/** A message of a chat to restore, and its parent. */
export type RestoredMessage = NewMessage & { parentId: MessageId | null }

/** An event of the log to restore; an event that records a message names it. */
export type RestoredEvent = { seq: number; at: number } & (
  | { branchId: BranchId; messageId: MessageId }
  | (Fact & { messageId?: undefined })
)

/** Refuses a contradictory log: `message` names the contradiction. */
export class BrokenHistoryError extends named('BrokenHistoryError') {}

/**
 * A chat from its log: the steps that write the same log again, event for event and each at its time. Every step is decided
 * here as the store decides it, so a log that contradicts itself is refused before anything is written. A long log takes
 * a while: after every few hundred steps it yields, so that the caller can do something else.
 *
 * @param input.log all events of the chat, in order
 * @param input.messages the messages that the log names
 * @param input.stored the events that the chat has already; the first ones of the log
 * @returns the chat as it will be; `create` for a chat that is not stored
 * @throws BrokenHistoryError
 */
export function* planRestore({
  chatId,
  userId,
  log,
  messages,
  stored = [],
}: {
  chatId: ChatId
  userId: UserId
  log: readonly RestoredEvent[]
  messages: ReadonlyMap<MessageId, RestoredMessage>
  stored?: readonly LoggedEvent[]
}): Generator<undefined, { create?: NonNullable<Change['create']>; steps: Step[]; state: ChatState }> {
  const replay = new Replay(chatId, log, messages)
  const create = stored.length === 0 ? replay.begin(userId) : undefined
  if (!create) replay.goOnAfter(stored)
  for (let taken = 1; !replay.isOver; taken += 1) {
    replay.next()
    if (taken % LINE === 0) yield
  }
  const { steps, state } = replay
  if (state.messages.size !== messages.size) {
    const [left] = [...messages.keys()].filter((id) => !state.messages.has(id))
    throw new BrokenHistoryError(`Message "${left}" is in no event of the history`)
  }
  return { ...(create && { create }), steps, state }
}

/** Messages of one step at most. */
const LINE = 500

/** A log that is carried out again. */
class Replay {
  readonly steps: Step[] = []
  readonly #folding
  /** messages by the thread and the number that they have there */
  readonly #recorded = new Map<string, MessageId>()
  /** a message of each thread */
  readonly #anyOf = new Map<BranchId, MessageId>()
  /** the `MoveMade` that a first event belongs to */
  readonly #moves = new Map<number, number>()
  /** the events that mark moves, by their places */
  readonly #marks = new Map<number, EventType>()
  /** ids of the checkpoints that are there */
  readonly #checkpointIds = new Set<string>()
  #at = 0

  constructor(
    chatId: ChatId,
    private readonly log: readonly RestoredEvent[],
    private readonly messages: ReadonlyMap<MessageId, RestoredMessage>,
  ) {
    this.#folding = foldOn(noChat(chatId))
  }

  get state(): ChatState {
    return this.#folding.state
  }

  get isOver(): boolean {
    return this.#at === this.log.length
  }

  /** The first branch, which is made with its chat. */
  begin(userId: UserId): NonNullable<Change['create']> {
    const [first] = this.log
    if (first?.messageId !== undefined || first?.type !== 'ThreadCreated') {
      throw new BrokenHistoryError('The history does not begin with a branch')
    }
    const { thread_id: branchId, name, context_id: contextId } = first.payload
    const command = {
      kind: 'create-thread',
      threadId: branchId,
      name,
      contextId: contextId ?? undefined,
    } as const
    this.#take(first, decide(this.state, command))
    return { userId, branchId, branchName: name, at: first.at, ...(contextId !== null && { contextId }) }
  }

  /** Takes in stored events, so that the log continues behind them. */
  goOnAfter(stored: readonly LoggedEvent[]): void {
    this.#folding.take(stored)
    for (const event of stored) this.#note(event)
    while (!this.isOver && (this.log[this.#at]?.seq ?? 0) <= this.state.seq) this.#at++
  }

  /** Restores the next event of the log, with the events that are written with it. */
  next(): void {
    const event = this.#event()
    const steps = this.#stepOf(event)
    this.#put(event, steps)
  }

  #event(): RestoredEvent {
    const event = this.log[this.#at]
    if (!event) throw new BrokenHistoryError('The history ends in the middle of a step')
    return event
  }

  /** Decides a step, and compares its facts with the log. */
  #put(event: RestoredEvent, step: Step): void {
    let facts: Fact[]
    try {
      facts = decide(this.state, step, { runs: new Map() })
    } catch (error) {
      if (!(error instanceof Error)) throw error
      throw new BrokenHistoryError(`${placeOf(event)} cannot have happened: ${error.message}`, {
        cause: error,
      })
    }
    if (facts.length === 0) throw new BrokenHistoryError(`${placeOf(event)} changes nothing`)
    this.#take(event, facts)
    this.#keep(event, step)
  }

  #keep({ at }: RestoredEvent, step: Step): void {
    const last = this.steps.at(-1)
    // a line of messages is one step, each with its time: the branch is moved once
    if (last?.kind === 'append' && step.kind === 'append' && last.branchId === step.branchId) {
      const isNext = step.expectedHead === last.messages.at(-1)?.id && step.contextId === undefined
      if (isNext && last.messages.length < LINE) {
        last.messages.push(...step.messages.map((message) => ({ ...message, dated: at })))
        return
      }
    }
    this.steps.push({ ...step, dated: at })
  }

  #take(event: RestoredEvent, facts: Fact[]): void {
    const logged = logFacts(this.state, facts, event.at)
    for (const made of logged) {
      if (made.type === 'CheckpointCreated') continue
      this.#compare(this.#event(), made)
      this.#at++
    }
    this.#folding.take(logged)
    for (const made of logged) this.#note(made)
  }

  /** Compares a decided event with the log's. */
  #compare(event: RestoredEvent, made: LoggedEvent): void {
    const place = placeOf(event)
    if (event.seq !== made.seq) {
      throw new BrokenHistoryError(`${place} stands where event ${made.seq} follows`)
    }
    if (event.at !== made.createdAt) throw new BrokenHistoryError(`${place} has another time than its step`)
    if (event.messageId !== undefined) {
      if (event.messageId === messageOf(made) && event.branchId === made.streamId) return
      throw new BrokenHistoryError(`${place} stands where ${made.type} follows`)
    }
    const { type, payload, streamId } = event
    const isSame = type === made.type && streamId === made.streamId && jsonEqual(payload, made.payload)
    if (!isSame) throw new BrokenHistoryError(`${place} does not follow from the events before it`)
  }

  #note(made: LoggedEvent): void {
    const message = messageOf(made)
    if (message !== undefined) {
      this.#recorded.set(`${made.streamId} ${made.eventNumber}`, message)
      this.#anyOf.set(made.streamId, message)
    }
    if (made.type === 'MoveMade') this.#moves.set(made.payload.first_seq, made.seq)
    if (marks.has(made.type)) this.#marks.set(made.seq, made.type)
    if (made.type === 'CheckpointSaved' && made.payload.checkpoint_id !== null) {
      this.#checkpointIds.add(made.payload.checkpoint_id)
    }
  }

  #stepOf(event: RestoredEvent): Step {
    if (event.messageId !== undefined) return this.#append(event.branchId, event.messageId)
    const { type, streamId } = event
    switch (type) {
      case 'ThreadCreated':
        return this.#open(event)
      case 'HeadMoved': {
        const { head_message_id: headId, from_message_id: expectedHead } = event.payload
        return { kind: 'move-head', branchId: streamId, expectedHead, headId }
      }
      case 'ContextChanged': {
        const { context_id: contextId, from_context_id: from } = event.payload
        if (from !== undefined) {
          return { kind: 'set-context', branchId: streamId, expectedContextId: from, contextId }
        }
        return this.#appendIn(event.seq, streamId, contextId)
      }
      case 'ThreadsMerged':
      case 'ThreadCompacted':
      case 'ReplayStarted':
      case 'ReplyFailed':
      case 'ReplyStopped': {
        const { type, payload } = event
        return { kind: 'record', branchId: streamId, fact: { type, payload } } as Step
      }
      case 'BranchSwitched':
        return { kind: 'switch-branch', branchId: event.payload.branch_id }
      case 'BranchRenamed':
        return { kind: 'rename-branch', branchId: event.payload.branch_id, name: event.payload.name }
      case 'BranchTitled':
        return { kind: 'title-branch', branchId: event.payload.branch_id, title: event.payload.title }
      case 'BranchArchived':
        return { kind: 'archive-branch', branchId: event.payload.branch_id }
      case 'BranchRestored':
        return { kind: 'unarchive-branch', branchId: event.payload.branch_id }
      case 'AgentSteered': {
        const { branch_id: branchId, to_branch_id: targetId } = event.payload
        return { kind: 'steer-agent', branchId, targetId }
      }
      case 'AgentFollowed': {
        const { branch_id: branchId, to_branch_id: onBranchId } = event.payload
        const targetId = steeredTo(this.state, branchId) ?? ''
        return { kind: 'follow-steering', branchId, targetId, onBranchId }
      }
      case 'CheckpointSaved': {
        const { name, message_id: messageId, checkpoint_id: id } = event.payload
        const checkpointId = id ?? `checkpoint ${event.seq}`
        if (this.#checkpointIds.has(checkpointId)) {
          throw new BrokenHistoryError(
            `${placeOf(event)} saves a checkpoint under an id that another one has`,
          )
        }
        return { kind: 'save-checkpoint', checkpointId, name, messageId }
      }
      case 'CheckpointMoved': {
        const { name, message_id: messageId } = event.payload
        const checkpointId = this.state.checkpoints.get(name)?.id ?? `checkpoint ${event.seq}`
        return { kind: 'save-checkpoint', checkpointId, name, messageId }
      }
      case 'CheckpointRemoved': {
        const { name } = event.payload
        this.#checkpointIds.delete(this.state.checkpoints.get(name)?.id ?? '')
        return { kind: 'remove-checkpoint', name }
      }
      case 'ObjectsReceived':
        return { kind: 'note-received', ...event.payload }
      case 'ProposalOpened':
      case 'ProposalTaken':
      case 'ProposalDeclined':
      case 'MemberAdded':
      case 'MemberRemoved': {
        const { type, payload } = event
        return { kind: 'note', fact: { type, payload } as NotedFact }
      }
      case 'ChatRenamed':
        return { kind: 'update-chat', title: event.payload.title }
      case 'ChatUpdated':
        return { kind: 'update-chat', metadata: event.payload.metadata }
      case 'MoveMade': {
        const { move, first_seq: first } = event.payload
        this.#checkPlace(event, first <= this.state.seq)
        // a move that was joined to the one before it begins where that one began
        const joined = this.#moves.get(first)
        return { kind: 'mark-move', move, since: joined ?? first - 1, ...(joined && { joins: joined }) }
      }
      case 'MoveUndone':
        this.#checkMarks(event, event.payload.move_seq, event.payload.undo_seq, ['MoveMade', 'MoveRedone'])
        return { kind: 'mark-undone', moveSeq: event.payload.move_seq, next: event.payload.undo_seq }
      case 'MoveRedone':
        this.#checkMarks(event, event.payload.move_seq, event.payload.redo_seq, ['MoveUndone'])
        return { kind: 'mark-redone', moveSeq: event.payload.move_seq, next: event.payload.redo_seq }
      default:
        throw new BrokenHistoryError(`${placeOf(event)} stands alone, without what it is written with`)
    }
  }

  /** Checks that the links of Undo and Redo lead to existing marks. */
  #checkMarks(event: RestoredEvent, move: number, next: number | null, types: readonly EventType[]): void {
    const found = next === null ? undefined : this.#marks.get(next)
    const leads = next === null || (found !== undefined && types.includes(found))
    this.#checkPlace(event, leads && this.#marks.get(move) === 'MoveMade')
  }

  #checkPlace(event: RestoredEvent, isThere: boolean): void {
    if (!isThere) throw new BrokenHistoryError(`${placeOf(event)} names an event that is no move before it`)
  }

  #append(branchId: BranchId, id: MessageId, contextId?: string): Step {
    const found = this.messages.get(id)
    if (!found) throw new BrokenHistoryError(`The history has message "${id}", which is not in the file`)
    const { parentId, ...message } = found
    for (const linked of [message.mergeParentId, message.copiedFromId]) {
      if (linked !== undefined && !this.state.messages.has(linked)) {
        throw new BrokenHistoryError(
          `Message "${id}" names message "${linked}", which is not above it in the file`,
        )
      }
    }
    const context = contextId === undefined ? {} : { contextId }
    return { kind: 'append', branchId, expectedHead: parentId, ...context, messages: [message] }
  }

  /** A branch takes up a context with the message after it. */
  #appendIn(seq: number, branchId: BranchId, contextId: string | null): Step {
    const next = this.log[this.#at + 1]
    if (next?.messageId === undefined || next.branchId !== branchId || contextId === null) {
      throw new BrokenHistoryError(`Event ${seq} changes a context without saying from which`)
    }
    return this.#append(branchId, next.messageId, contextId)
  }

  #open(event: Extract<RestoredEvent, { type: 'ThreadCreated' }>): Step {
    const { thread_id: branchId, name, head_message_id: at, context_id: contextId } = event.payload
    const next = this.log[this.#at + 1]
    const forked = next?.messageId === undefined && next?.type === 'ThreadForked' ? next.payload : undefined
    return {
      kind: 'open-branch',
      branchId,
      name,
      after: name,
      at,
      activate: false,
      ...(forked && { fork: this.#forkOf(at, forked) }),
      ...(contextId === null ? { noContext: true as const } : { contextId }),
    }
  }

  /** The place of a fork: at a message, before a message, or at any event. */
  #forkOf(
    at: MessageId | null,
    { parent_thread_id: threadId, from_event_number: eventNumber }: Payload<'ThreadForked'>,
  ): NonNullable<Extract<Step, { kind: 'open-branch' }>['fork']> {
    const messageId = this.#recorded.get(`${threadId} ${eventNumber}`)
    if (messageId !== undefined) return { messageId }
    const after = this.#recorded.get(`${threadId} ${eventNumber + 1}`)
    if (after !== undefined && at !== null) return { messageId: after, before: true }
    const any = this.#anyOf.get(threadId)
    if (at === null && eventNumber === 0 && any !== undefined) return { messageId: any, before: true }
    return { threadId, eventNumber }
  }
}

/** The events that mark moves. */
const marks: ReadonlySet<EventType> = new Set(['MoveMade', 'MoveUndone', 'MoveRedone'])

type Payload<T extends EventType> = Fact<T>['payload']

const placeOf = (event: RestoredEvent): string =>
  event.messageId === undefined
    ? `Event ${event.seq} (${event.type})`
    : `Event ${event.seq} (message "${event.messageId}")`

/** The message that an event records. */
function messageOf(event: LoggedEvent): MessageId | undefined {
  if (event.type === 'LLMResponseGenerated') return event.payload.ai_message_id
  if (event.type === 'UserMessageAdded' || event.type === 'MessageCopied') return event.payload.message_id
  return undefined
}
