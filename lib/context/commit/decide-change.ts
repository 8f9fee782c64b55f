import {
  type AppendMessages,
  type BranchId,
  type ChatCommand,
  datedBy,
  decide,
  type Fact,
  foldInto,
  logFacts,
  type Step,
} from '@/lib/events'
import { heldBy } from '../fragments/message-text'
import type { Change, Committed, CommittedBranch, PlacedMessages } from '../store/change'
import { HeadConflictError, NotFoundError } from '../store/errors'
import type { ChangeRows, Deed } from './rows'
import { placeOf, requireContext, type Slice } from './slice'

/** Rows to write, with the bodies of the messages among them. */
export interface Written {
  rows: ChangeRows
  bodies: string[]
}

/** Counts of a change's additions, for quotas. */
export interface Added {
  events: number
  opened: number
}

/**
 * A change whose new chat may have an alias: the owner's id for it when another person's chat has its key.
 */
export type MadeChange = Change & { create?: { alias?: string } }

export function noRows(): Written {
  const none = { contexts: [], lanes: [], messages: [], events: [], deeds: [], files: [] }
  return { bodies: [], rows: { ownerId: undefined, create: undefined, at: 0, ...none } }
}

/**
 * Decides a change, step by step: `decide` gives the facts of each step, and the rows state them for the
 * database.
 *
 * @param slice what the change looks at; it is afterwards the chat as the change leaves it
 * @param written gets the rows
 * @throws the refusals of `ContextStore.commit`, and `NotReadError`; `slice` and `written` are then to be thrown away
 */
export function decideChange(
  slice: Slice,
  change: MadeChange,
  written: Written,
): Committed & { added: Added } {
  return new Decision(slice, change, written).take()
}

class Decision {
  readonly #since: number
  readonly #created: boolean
  readonly #placed: PlacedMessages[] = []
  readonly #touched = new Set<BranchId>()
  readonly #saved = new Set<string>()
  readonly #told: Fact[] = []

  constructor(
    private readonly slice: Slice,
    private readonly change: MadeChange,
    private readonly written: Written,
  ) {
    this.#since = slice.seq
    this.#created = slice.ownerId === null
  }

  take(): Committed & { added: Added } {
    const { slice, change, written } = this
    this.#begin()
    for (const step of change.steps) this.#step(step)
    const { rows } = written
    const { seq, title, activeThreadId } = slice
    if (activeThreadId === null) throw new Error(`Chat "${change.chatId}" has no branch`)
    rows.at = Math.max(rows.at, change.at)
    const moved = this.#told.some(({ type }) => type === 'MoveMade')
    return {
      seq,
      moveSeq: moved ? (slice.lastMove?.seq ?? null) : null,
      created: this.#created,
      title,
      activeBranchId: activeThreadId,
      placed: this.#placed,
      branches: [...this.#touched].map((id) => this.#branch(id)),
      checkpoints: [...this.#saved].flatMap((name) => {
        const saved = slice.checkpoints.get(name)
        if (!saved?.id) return []
        const { id, messageId, savedAt } = saved
        return [{ id, chatId: change.chatId, name, messageId, createdAt: savedAt }]
      }),
      removedCheckpoints: change.steps.flatMap((step) =>
        step.kind === 'remove-checkpoint' ? [step.name] : [],
      ),
      added: {
        events: seq - this.#since,
        opened: this.#told.filter(({ type }) => type === 'ThreadCreated').length,
      },
    }
  }

  /** The chat and its contexts. */
  #begin(): void {
    const { slice, change, written } = this
    const { ownerId, create, expectedSeq, at, contexts = [] } = change
    const isMine = ownerId === undefined || slice.ownerId === ownerId
    if (this.#created ? !create || (ownerId ?? create.userId) !== create.userId : !isMine)
      throw new NotFoundError('chat', change.chatId)
    if (create?.alias !== undefined && !this.#created)
      throw new Error(`chat ${change.chatId} is there already`)
    if (expectedSeq !== undefined && expectedSeq !== slice.seq)
      throw new HeadConflictError('The chat has moved on')
    if (ownerId !== undefined) written.rows.ownerId = ownerId
    for (const context of contexts) {
      const { id, model, setup } = context
      if (slice.facts.isRead(id) && slice.facts.get(id) !== undefined) continue
      slice.facts.set(id, { model, leftOut: setup?.leftOut ?? null })
      written.rows.contexts.push({ ...context, at })
    }
    if (!this.#created || !create) return
    const begun = create.at ?? at
    slice.ownerId = create.userId
    slice.threads.leaveOut(create.branchId)
    written.rows.create = { userId: create.userId, alias: create.alias, origin: create.origin }
    const { branchId: threadId, branchName: name = 'main', title, metadata = {}, contextId } = create
    this.#tell({ kind: 'create-thread', threadId, name, title, metadata, contextId }, begun)
    this.#touched.add(create.branchId)
    slice.createdAt = begun
  }

  #step(step: Step): void {
    const { slice, change } = this
    const at = step.dated ?? change.at
    if (step.kind === 'open-branch') slice.threads.leaveOut(step.branchId)
    if (step.kind === 'append' && step.orBranchId !== undefined) slice.threads.leaveOut(step.orBranchId)
    const landedOn = this.#placed.at(-1)?.branchId
    const facts = this.#tell(step, at, landedOn)
    switch (step.kind) {
      case 'append': {
        if (step.whenIdle) this.#do({ do: 'wait for none', id: step.branchId })
        const branchId = facts.at(-1)?.streamId ?? step.branchId
        this.#place(step, branchId)
        this.#touched.add(branchId)
        return
      }
      case 'queue-run':
        this.#queue(step, at)
        break
      case 'finish-run': {
        const { runId, fence, status, error } = step
        const run = slice.runs.get(runId)
        if (run) slice.runs.set(runId, { ...run, status })
        this.#do({ do: 'end', id: runId, fence, status, error, at })
        if (run) this.#touched.add(run.branchId)
        return
      }
      case 'move-head':
        if (facts.length > 0) this.#do({ do: 'wait for none', id: step.branchId })
        break
      case 'save-checkpoint':
        this.#saved.add(step.name)
        return
      case 'keep-nodes':
        this.#do({ do: 'nodes', nodes: step.nodes, agent: step.agent, at })
        return
      case 'begin-replay':
      case 'move-replay':
        this.#do({ do: 'keep', kind: 'replays', state: { ...step.replay, branchId: step.branchId }, at })
        break
      case 'keep-bisect':
        this.#do({ do: 'keep', kind: 'bisects', state: step.bisect, at })
        return
      case 'steer-agent':
      case 'follow-steering':
        return
      default:
    }
    if ('branchId' in step) this.#touched.add(step.branchId)
  }

  #do(deed: Deed): void {
    this.written.rows.deeds.push(deed)
  }

  /** Lets `decide` turn a command into facts, and applies them. */
  #tell(command: ChatCommand, at: number, landedOn?: BranchId): Fact[] {
    const { slice, written, change } = this
    const facts = decide(slice, command, { runs: slice.runs, landedOn, since: this.#since })
    const events = datedBy(command, logFacts(slice, facts, at))
    for (const event of events) {
      const { payload } = event
      written.rows.events.push({ ...event, actor: change.ownerId })
      if ('context_id' in payload) requireContext(slice, payload.context_id)
      if (event.type === 'BranchSwitched' && event.payload.from_branch_id !== null) {
        this.#touched.add(event.payload.branch_id)
        this.#touched.add(event.payload.from_branch_id)
      }
    }
    foldInto(slice, events)
    this.#told.push(...facts)
    return facts
  }

  /** Gives messages their places. The first reply stays in its parent's lane; a second one, like every root, opens a lane. */
  #place(step: AppendMessages, branchId: BranchId): void {
    const { slice, written } = this
    const { rows, bodies } = written
    const { expectedHead, messages } = step
    const parent = expectedHead === null ? undefined : placeOf(slice, expectedHead)
    const depth = parent ? parent.depth + 1 : 0
    const opened = parent === undefined || parent.taken
    const lane = opened ? slice.nextLane++ : parent.lane
    const parentLane = parent?.lane ?? null
    if (opened) rows.lanes.push({ lane, parentLane, baseDepth: depth })
    else if (expectedHead !== null) slice.places.set(expectedHead, { ...parent, taken: true })
    const inForce = slice.threads.get(branchId)?.contextId ?? undefined
    let parentId = expectedHead
    for (const [n, message] of messages.entries()) {
      const { id, data, name, type, status, preview, mergeParentId, copiedFromId, runId, createdAt } = message
      const contextId = message.contextId ?? inForce
      requireContext(slice, contextId)
      const body = bodies.push(JSON.stringify(data))
      const holds = heldBy(data).join(' ') || undefined
      rows.messages.push({
        id,
        lane,
        depth: depth + n,
        parentId,
        body,
        holds,
        contextId,
        name,
        type,
        status,
        preview,
        mergeParentId,
        copiedFromId,
        runId,
        createdAt,
      })
      slice.places.set(id, { lane, depth: depth + n, taken: n < messages.length - 1 })
      // The log names the thread's context at a question, never the question's own.
      const recorded = slice.messages.get(id)
      if (recorded) slice.messages.set(id, { ...recorded, contextId: contextId ?? null })
      if (message.files) rows.files.push(...message.files)
      parentId = id
    }
    const count = messages.length
    this.#placed.push({ branchId, lane, depth, count, opened, parentLane })
  }

  #queue(step: Extract<Step, { kind: 'queue-run' }>, at: number): void {
    const { slice } = this
    const { runId: id, branchId, replyTo, replyId, model, answers = null, continues = null, leaseMs } = step
    requireContext(slice, step.contextId)
    const contextId = step.contextId ?? slice.threads.get(branchId)?.contextId ?? null
    this.#do({
      do: 'queue',
      id,
      branchId,
      replyTo,
      replyId,
      model,
      contextId,
      answers,
      continues,
      leaseMs,
      at,
    })
    const isHeld = leaseMs != null
    slice.runs.set(id, { branchId, replyTo, status: isHeld ? 'running' : 'queued', fence: isHeld ? 1 : 0 })
  }

  #branch(id: BranchId): CommittedBranch {
    const { slice, change } = this
    const thread = slice.threads.get(id)
    if (!thread) throw new Error(`Branch "${id}" is missing`)
    const { name, title, headMessageId, parentThreadId, fromEventNumber, contextId, createdAt, archivedAt } =
      thread
    const place = headMessageId === null ? undefined : placeOf(slice, headMessageId)
    const context = contextId === null ? undefined : slice.facts.get(contextId)
    return {
      id,
      chatId: change.chatId,
      name,
      title,
      headMessageId,
      headLane: place?.lane ?? null,
      headDepth: place?.depth ?? null,
      parentBranchId: parentThreadId,
      fromEventNumber,
      contextId,
      model: context?.model ?? null,
      leftOut: context?.leftOut ?? null,
      createdAt,
      archivedAt,
    }
  }
}
