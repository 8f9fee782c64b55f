import type { UIMessage } from 'ai'
import {
  type Change,
  type Committed,
  type ContextData,
  ContextMovedError,
  NotFoundError,
  type Plan,
  planFanOut,
  type RunRecord,
} from '@/lib/context'
import type { ChatId, ContextId, MessageId, UserId } from '@/lib/events'
import { type FanOutBegun, fewestReplies, mostReplies, type PresetContent } from '@/lib/protocol'
import { deltaOf } from '../delta-of'
import { InvalidRequestError } from '../errors'
import type { Ports } from '../ports'
import { writeInLine } from '../replies/take-over-runs'
import { anew } from '../threads/planned-command'
import { withStoredTypes } from './attached-files'
import { chosenContext, modelOf } from './choices'
import { changedContext } from './context-value'
import { repeatOf } from './repeated-turn'
import { type AskedTurn, firstTurn, type PlannedTurn, planOf } from './start-turn'

/** Model and context of one reply; by default those of the branch's next reply. */
export interface Target {
  /** `provider:model` */
  model?: string | undefined
  /** a context that the chat has… */
  contextId?: ContextId | undefined
  /** …or fragments, format, settings and tools in place of those in force; memories stay */
  preset?: PresetContent | undefined
}

export interface FanOutRequest {
  ownerId: UserId
  /** the owner's id for the chat; a chat that does not exist is made, with its first message */
  chatId: ChatId
  /** name or id; without it the branch the chat opens on */
  branch?: string | undefined
  /** the head the client saw; without it any head is accepted */
  expectedHead?: MessageId | null | undefined
  /** a new message to answer… */
  message?: UIMessage | undefined
  /** …or a stored one, or a reply to it */
  messageId?: MessageId | undefined
  targets: readonly Target[]
}

/** A fan-out before it is stored. */
export interface PreparedFanOut {
  change: Change
  /** the owner's id for a new chat, when that is not its key */
  called?: ChatId
  plan: ReturnType<typeof planFanOut>
  replyTo: MessageId
}

/**
 * Asks for several replies to one message, each on a branch of its own, in one change: their runs are queued with it, so a
 * process that dies loses none. `ended` resolves when the replies that no worker takes are written here.
 * Rejects as `startTurn` does; then nothing is written. The same new message again answers what became of the first.
 */
export async function fanOut(
  ports: Ports,
  request: FanOutRequest,
): Promise<FanOutBegun & { ended: Promise<unknown> }> {
  try {
    const { ownerId } = request
    // another tab may change the context between the read and the write: the replies are asked for in the new one
    const { prepared, done } = await anew(
      async () => {
        const prepared = await prepareFanOut(ports, request)
        return { prepared, done: await store(ports, prepared) }
      },
      { movedBy: [ContextMovedError] },
    )
    const { change, plan, replyTo } = prepared
    ports.queue.nudge(ports.slots.when(ownerId))
    return {
      delta: { ...deltaOf(change, done), chatId: request.chatId },
      branchId: plan.branchId,
      messageId: replyTo,
      replies: plan.replies.map(({ branchId, model, contextId }) => ({ branchId, model, contextId })),
      ended: ports.queue.isWatched ? Promise.resolve() : writeHere(ports, ownerId, change, plan, replyTo),
    }
  } catch (error) {
    const repeated = await repeatedFanOut(ports, request)
    if (repeated) return repeated
    throw error
  }
}

const store = (ports: Ports, { change, called }: PreparedFanOut): Promise<Committed> =>
  called !== undefined && change.create
    ? ports.store.commitCalled({ ...change, create: change.create }, called)
    : ports.store.commit(change)

/** Reads the state for a fan-out, and plans it. */
export async function prepareFanOut(ports: Ports, request: FanOutRequest): Promise<PreparedFanOut> {
  const { ownerId, chatId: called, branch, expectedHead, messageId, targets } = request
  checkTargets(targets)
  const [found, models, message] = await Promise.all([
    ports.reads.calledState(called, ownerId, branch),
    ports.models.of(ownerId),
    request.message && withStoredTypes(ports, ownerId, request.message),
  ])
  const trigger = message ? ('submit-message' as const) : ('regenerate-message' as const)
  const asked: AskedTurn = {
    ownerId,
    chatId: called,
    branch,
    expectedHead,
    trigger,
    message,
    messageId,
    models,
  }
  if (found.chat === 'lent') throw new NotFoundError('chat', called)
  const isNew = found.chat !== 'own'
  if (!isNew && !found.state) throw new NotFoundError('branch', branch ?? '')
  const own = found.chat === 'own' ? found : undefined
  const chatId = own?.chatId ?? (found.chat === 'foreign' ? ports.newId() : called)

  /** The turn of one target. */
  const turnTo = async ({ model, contextId, preset }: Target): Promise<PlannedTurn> => {
    const chosen = contextId === undefined ? undefined : await chosenContext(ports, chatId, contextId)
    const applied = (inForce: ContextData | null) =>
      changedContext(ports, modelOf(models, inForce), inForce, withoutIds(preset ?? { fragments: [] }))
    const inContext = chosen ? () => chosen : preset && applied
    const turn = { ...asked, chatId, model: model ?? chosen?.model ?? undefined, inContext }
    if (own?.state) return planOf(ports, turn, own.state, message)
    return firstTurn(ports, { ...turn, chatId: called })
  }
  const turns = await oncePerTarget(targets, turnTo)
  const [first] = turns
  if (!first) throw new Error('a fan-out without targets')
  const { steps, branchId, replyTo, answers } = first
  const plan = planFanOut({
    first: { steps, branchId } satisfies Plan,
    after: own?.state?.branchName ?? 'main',
    targets: turns.map(({ context }) => ({
      model: modelOf(models, context),
      contextId: context.id,
    })),
    replyTo,
    answers,
    newId: ports.newId,
  })
  const contexts = new Map<ContextId, ContextData>(turns.map(({ context }) => [context.id, context]))
  return {
    change: {
      chatId,
      ownerId,
      at: ports.clock(),
      create: first.create,
      contexts: [...contexts.values()],
      steps: plan.steps,
    },
    ...(found.chat === 'foreign' && { called }),
    plan,
    replyTo,
  }
}

/** Its fragments are new ones: those of the preset may be in force already, and changed since. */
const withoutIds = ({ fragments, ...rest }: PresetContent): PresetContent => ({
  ...rest,
  fragments: fragments.map(({ id: _, ...fragment }) => fragment),
})

function checkTargets({ length }: readonly Target[]): void {
  if (length >= fewestReplies && length <= mostReplies) return
  throw new InvalidRequestError(
    `A message can be sent to ${fewestReplies} to ${mostReplies} at once, not to ${length}.`,
    length < fewestReplies ? 'too_few_replies' : 'too_many_replies',
  )
}

/** A value for each target in order; for equal targets it is made once. */
function oncePerTarget<T>(targets: readonly Target[], make: (target: Target) => Promise<T>): Promise<T[]> {
  const made = new Map<string, Promise<T>>()
  return Promise.all(
    targets.map((target) => {
      const key = JSON.stringify([target.model, target.contextId, target.preset])
      const value = made.get(key) ?? make(target)
      made.set(key, value)
      return value
    }),
  )
}

/** Writes the replies in this process, for one in which no worker takes queued runs. */
function writeHere(
  ports: Ports,
  ownerId: UserId,
  { chatId }: Change,
  { replies }: PreparedFanOut['plan'],
  replyTo: MessageId,
): Promise<unknown> {
  const runs = replies.map(
    (reply): RunRecord => ({ ...reply, chatId, replyTo, fence: 0, attempt: 1, status: 'queued' }),
  )
  return Promise.all(runs.map((run) => writeInLine(ports, run, ownerId)))
}

/** Finds the outcome of a fan-out whose message is stored already. */
async function repeatedFanOut(
  ports: Ports,
  request: FanOutRequest,
): Promise<(FanOutBegun & { ended: Promise<unknown> }) | undefined> {
  const { ownerId, chatId: called, message } = request
  if (!message) return undefined
  const chatId = await ports.reads.chatCalled(called, ownerId)
  if (chatId === undefined) return undefined
  const repeated = await repeatOf(ports, { ...request, chatId, trigger: 'submit-message' }, message)
  const delta = repeated && (await ports.reads.delta(chatId, ownerId, 0))
  if (!delta) return undefined
  const branchId = repeated.run?.branchId ?? delta.activeBranchId
  if (branchId === undefined) return undefined
  const ended = Promise.resolve()
  return { delta: { ...delta, chatId: called }, branchId, messageId: message.id, replies: [], ended }
}
