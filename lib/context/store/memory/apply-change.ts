import {
  type AppendMessages,
  type BranchId,
  type ChatCommand,
  type ContextId,
  datedBy,
  decide,
  type Fact,
  fold,
  logFacts,
  type Step,
} from '@/lib/events'
import type { Change, Committed, PlacedMessages } from '../change'
import { HeadConflictError, NameTakenError, NotFoundError } from '../errors'
import { keepNodes } from './agent-nodes'
import { copyOf, emptyChat, type MemoryChat, type MemoryChats } from './memory-chat'
import { readBranches, readCheckpoints } from './read-chat'

/**
 * Applies a change as the database's store does, event for event: `decide` says what each step makes true, `fold` what the chat
 * is then, and this keeps what the log does not tell: bodies and their places, contexts, runs.
 *
 * @param change checked, and shared with nothing: its parts are kept
 * @throws the refusals of `ContextStore.commit`; `chats` is then as it was
 */
export function applyChange(chats: MemoryChats, change: Change): Committed {
  const { chatId, ownerId, at, create, contexts = [], steps } = change
  const stored = chats.get(chatId)
  const before = stored ?? (create && emptyChat(chatId, create.userId))
  if (!before || (ownerId != null && before.userId !== ownerId)) throw new NotFoundError('chat', chatId)
  if (change.expectedSeq != null && change.expectedSeq !== before.state.seq) {
    throw new HeadConflictError('The chat has moved on')
  }
  const chat = copyOf(before)
  const since = chat.state.seq
  const told: Fact[] = []
  for (const { id, model, setup } of contexts) chat.contexts.set(id, { model, setup })

  const touched = new Set<BranchId>()
  const placed: PlacedMessages[] = []
  let landedOn: BranchId | undefined
  const take = (command: ChatCommand, dated = at): Fact[] => {
    const facts = decide(chat.state, command, { runs: chat.runs, landedOn, since })
    checkReferences(chats, chat, facts)
    const events = datedBy(command, logFacts(chat.state, facts, dated))
    chat.events.push(...events)
    chat.state = fold(chat.state, events)
    told.push(...facts)
    for (const branchId of branchesOf(chat, command, facts)) touched.add(branchId)
    return facts
  }
  if (create) {
    const { branchId: threadId, branchName: name, title, metadata, contextId } = create
    take({ kind: 'create-thread', threadId, name, title, metadata, contextId }, create.at)
  }
  for (const step of steps) {
    if (step.kind === 'begin-replay' || step.kind === 'move-replay' || step.kind === 'keep-bisect') {
      throw new Error('A store in memory keeps no replays and bisects: nothing drives them')
    }
    const branchId = take(step, step.dated).at(-1)?.streamId
    if (step.kind === 'append' && branchId !== undefined) {
      landedOn = branchId
      placed.push(storeMessages(chat, step, branchId))
    } else if (step.kind === 'keep-nodes') keepNodes(chats, chat, step)
    else storeRun(chats, chat, step, step.dated ?? at)
  }
  chat.updatedAt = Math.max(chat.updatedAt, chat.state.createdAt, at)
  chats.set(chatId, chat)

  const { seq, title, activeThreadId } = chat.state
  if (activeThreadId === null) throw new Error(`Chat "${chatId}" has no branch`)
  const named = told.flatMap(({ type, payload }) =>
    type === 'CheckpointSaved' || type === 'CheckpointMoved' ? [payload.name] : [],
  )
  const moved = told.findLast(({ type }) => type === 'MoveMade')
  return {
    seq,
    moveSeq: moved ? (chat.state.lastMove?.seq ?? null) : null,
    created: stored === undefined,
    title,
    activeBranchId: activeThreadId,
    placed,
    branches: readBranches(chat)
      .filter(({ id }) => touched.has(id))
      .map(({ isActive: _active, ...branch }) => {
        const head = branch.headMessageId === null ? undefined : chat.messages.get(branch.headMessageId)
        return { ...branch, headLane: head?.lane ?? null, headDepth: head?.depth ?? null }
      }),
    checkpoints: readCheckpoints(chat).filter(({ name }) => named.includes(name)),
    removedCheckpoints: steps.flatMap((step) => (step.kind === 'remove-checkpoint' ? [step.name] : [])),
  }
}

/** The branches a command was about, moved or not. */
function branchesOf({ runs }: MemoryChat, command: ChatCommand, facts: readonly Fact[]): BranchId[] {
  const ids = facts.flatMap(({ type, payload, streamId }) =>
    type === 'BranchSwitched' && payload.from_branch_id !== null
      ? [payload.branch_id, payload.from_branch_id]
      : [streamId],
  )
  if (command.kind === 'finish-run') ids.push(runs.get(command.runId)?.branchId ?? '')
  if (command.kind !== 'append' && 'branchId' in command) ids.push(command.branchId)
  return ids
}

/** What the keys of the tables refuse: a context that is not stored, a branch id of the owner's other chat. */
function checkReferences(chats: MemoryChats, chat: MemoryChat, facts: readonly Fact[]): void {
  for (const { type, payload, streamId } of facts) {
    if ('context_id' in payload) requireContext(chat, payload.context_id)
    const isElsewhere = () =>
      [...chats].some(
        ([id, { userId, state }]) =>
          id !== chat.state.chatId && userId === chat.userId && state.threads.has(streamId),
      )
    if (type === 'ThreadCreated' && isElsewhere()) {
      throw new NameTakenError(`A branch with the id "${streamId}" exists already`)
    }
  }
}

function requireContext({ contexts }: MemoryChat, id: ContextId | null | undefined): void {
  if (id != null && !contexts.has(id)) throw new Error(`Context "${id}" is not stored`)
}

/** Keeps the bodies of an append. The first reply stays in its parent's lane; a second one, like every root, opens a lane. */
function storeMessages(chat: MemoryChat, step: AppendMessages, branchId: BranchId): PlacedMessages {
  const { lanes, messages, state } = chat
  const parent = step.expectedHead === null ? undefined : messages.get(step.expectedHead)
  const depth = parent ? parent.depth + 1 : 0
  const own = parent && lanes[parent.lane]
  const opened = !parent || own?.baseDepth !== depth - (own?.ids.length ?? 0)
  const lane = opened ? lanes.length : parent.lane
  const before = opened ? { parentLane: parent?.lane ?? null, baseDepth: depth, ids: [] } : lanes[lane]
  if (!before) throw new Error(`Lane ${lane} is missing`)
  lanes[lane] = { ...before, ids: [...before.ids, ...step.messages.map(({ id }) => id)] }

  const inForce = state.threads.get(branchId)?.contextId ?? undefined
  const recorded = new Map(state.messages)
  let parentId = step.expectedHead
  for (const [
    index,
    { preview, reply: _told, files: _held, dated: _dated, ...message },
  ] of step.messages.entries()) {
    const contextId = message.contextId ?? inForce
    const record = { ...message, chatId: state.chatId, parentId, contextId }
    messages.set(message.id, { record, preview, lane, depth: depth + index })
    // the log tells the thread's context at a question, not one that the question has for itself
    const found = recorded.get(message.id)
    if (found) recorded.set(message.id, { ...found, contextId: contextId ?? null })
    parentId = message.id
  }
  chat.state = { ...state, messages: recorded }
  for (const { mergeParentId, copiedFromId, runId, contextId } of step.messages) {
    for (const id of [mergeParentId, copiedFromId]) {
      if (id !== undefined && !messages.has(id)) throw new NotFoundError('message', id)
    }
    if (runId !== undefined && !chat.runs.has(runId)) throw new NotFoundError('run', runId)
    requireContext(chat, contextId)
  }
  const count = step.messages.length
  return { branchId, lane, depth, count, opened, parentLane: parent?.lane ?? null }
}

function storeRun(chats: MemoryChats, chat: MemoryChat, step: Step, at: number): void {
  if (step.kind === 'queue-run') {
    const { kind: _, leaseMs, contextId, ...asked } = step
    const { runId } = asked
    if ([...chats.values(), chat].some(({ runs }) => runs.has(runId))) {
      throw new Error(`A run with the id "${runId}" exists already`)
    }
    requireContext(chat, contextId)
    chat.runs.set(runId, {
      ...asked,
      chatId: chat.state.chatId,
      answers: asked.answers ?? null,
      continues: asked.continues ?? null,
      contextId: contextId ?? chat.state.threads.get(asked.branchId)?.contextId ?? null,
      ...(leaseMs == null ? { status: 'queued', fence: 0 } : { status: 'running', fence: 1 }),
      attempt: 1,
      stopping: false,
      endedAt: null,
      parts: [],
    })
  }
  const run = step.kind === 'finish-run' && chat.runs.get(step.runId)
  if (run) chat.runs.set(step.runId, { ...run, status: step.status, endedAt: at })
}
