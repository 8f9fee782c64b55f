import type { UIMessage } from 'ai'
import {
  type AppendMessages,
  type BranchState,
  type Change,
  type ContextData,
  HeadConflictError,
  type MessageData,
  messageTitle,
  NameTakenError,
  NotFoundError,
  type RunRecord,
  type Step,
} from '@/lib/context'
import type { ChatId, MessageId, UserId } from '@/lib/events'
import type { GraphDelta } from '@/lib/protocol'
import { deltaOf } from '../delta-of'
import { InvalidRequestError } from '../errors'
import type { Ports } from '../ports'
import { contextFor } from './context-value'
import { newUserMessage } from './new-user-message'
import { type RepeatedTurn, repeatOf, withTurnId } from './repeated-turn'

/** What a client asks for with one turn. History is never among it: it comes from the store. */
export interface TurnRequest {
  ownerId: UserId
  /** what the owner calls the chat; one there is not is made */
  chatId: ChatId
  /** name or id; without it the branch the chat opens on */
  branch?: string
  /** the head the client saw; without it whatever the head is */
  expectedHead?: MessageId | null
  trigger: 'submit-message' | 'regenerate-message'
  /** submit: the stored message this one replaces (an edit). Regenerate: the reply to do over, or the message to answer */
  messageId?: MessageId
  /** the user message; not needed to regenerate */
  message?: UIMessage
  /** `provider:model`; without it the branch's own choice, else the default */
  model?: string
}

/** A turn that is stored, and whose run this caller holds unless it is queued. */
export interface StartedTurn {
  run: RunRecord
  branchName: string
  userMessageId: MessageId
  delta: GraphDelta
  prompt: KnownPrompt
  /** set when the turn made the chat */
  title?: string
}

/** What the model is to read, as far as the turn that asks it knows: none of it has to be read again. */
export interface KnownPrompt {
  context: ContextData
  /** root first, the message to answer last; rejects when the database does not give it */
  chain: Promise<Pick<MessageData, 'data'>[]>
}

/** What the turn will write, decided from what was read. */
interface Plan {
  create?: Change['create']
  steps: Step[]
  branchId: string
  replyTo: MessageId
  context: ContextData
}

/**
 * Stores the user message and a run in one transaction, before any model is called. This caller holds the run, unless
 * `queued` leaves it to a process that takes queued runs.
 * Rejects with `NotFoundError`, `HeadConflictError` (the branch moved on), `ReplyInProgressError`,
 * `MessageReusedError` or `InvalidRequestError`; then nothing is written.
 */
export async function startTurn(
  ports: Ports,
  asked: TurnRequest,
  { queued = false }: { queued?: boolean } = {},
): Promise<StartedTurn | RepeatedTurn> {
  const found = await ports.reads.calledState(asked.chatId, asked.ownerId, asked.branch)
  if (found.chat !== 'own') return beginChat(ports, asked, { isTaken: found.chat === 'foreign', queued })
  if (!found.state) throw new NotFoundError('branch', asked.branch ?? '')

  const request = { ...asked, chatId: found.chatId }
  const message = request.message && request.trigger === 'submit-message' ? withTurnId(request) : undefined
  try {
    return await storeTurn(ports, request, await planTurn(ports, request, found.state, message), queued)
  } catch (error) {
    // a turn that is stored already cannot be stored again: asked only now, since nearly every message is new
    const repeated = message && (await repeatOf(ports, request, message))
    if (repeated) return repeated
    throw error
  }
}

/**
 * The first turn of a chat. The id it is called by is its owner's own: where another person's chat has it for its key
 * (`isTaken`), this one gets another key.
 */
async function beginChat(
  ports: Ports,
  request: TurnRequest,
  { isTaken, queued }: { isTaken: boolean; queued: boolean },
): Promise<StartedTurn | RepeatedTurn> {
  const plan = planFirst(ports, request)
  try {
    if (!isTaken) return await storeTurn(ports, request, plan, queued)
    return await storeTurn(ports, { ...request, chatId: ports.newId() }, plan, queued, request.chatId)
  } catch (error) {
    // another person has begun a chat of this id meanwhile
    if (!isTaken && error instanceof NotFoundError && error.what === 'chat') {
      return beginChat(ports, request, { isTaken: true, queued })
    }
    const chatId = request.message && (await ports.reads.chatCalled(request.chatId, request.ownerId))
    if (chatId === undefined || !request.message) throw error
    const repeated = await repeatOf(ports, { ...request, chatId }, request.message)
    if (repeated) return repeated
    // the owner has, with a branch of its own
    const begun = error instanceof NotFoundError || error instanceof NameTakenError
    throw begun ? new HeadConflictError('The chat was begun by another request') : error
  }
}

function planTurn(
  ports: Ports,
  request: TurnRequest,
  branch: BranchState,
  message: UIMessage | undefined,
): Plan | Promise<Plan> {
  if (request.trigger === 'regenerate-message') return planRetry(ports, request, branch)
  return request.messageId
    ? planEdit(ports, request, branch, needed(message))
    : planNext(ports, request, branch, needed(message))
}

/** @param called what the owner calls a chat that is made, when that is not its key */
async function storeTurn(
  ports: Ports,
  { ownerId, chatId }: TurnRequest,
  plan: Plan,
  queued: boolean,
  called?: string,
): Promise<StartedTurn> {
  const run: RunRecord = {
    chatId,
    runId: ports.newId(),
    branchId: plan.branchId,
    replyTo: plan.replyTo,
    replyId: ports.newId(),
    model: plan.context.model ?? ports.models.defaultId,
    contextId: plan.context.id,
    fence: queued ? 0 : 1,
    attempt: 1,
    status: queued ? 'queued' : 'running',
  }
  const change: Change = {
    chatId,
    ownerId,
    at: ports.clock(),
    ...(plan.create ? { create: plan.create } : {}),
    contexts: [plan.context],
    steps: [
      ...plan.steps,
      {
        kind: 'queue-run',
        runId: run.runId,
        branchId: run.branchId,
        replyTo: run.replyTo,
        replyId: run.replyId,
        model: run.model,
        contextId: plan.context.id,
        ...(queued ? {} : { leaseMs: ports.leaseMs }),
      },
    ],
  }
  const chain = chainOf(ports, chatId, plan)
  // whoever answers hears of it, and of a turn that is not stored nobody does
  chain.catch(() => undefined)
  const { create } = plan
  const done =
    called !== undefined && create
      ? await ports.store.commitCalled({ ...change, create }, called)
      : await ports.store.commit(change)
  return {
    run,
    branchName: done.branches.find((branch) => branch.id === run.branchId)?.name ?? plan.branchId,
    userMessageId: run.replyTo,
    delta: deltaOf(change, done),
    prompt: { context: plan.context, chain },
    ...(done.created && done.title ? { title: done.title } : {}),
  }
}

/**
 * The chain that a plan's reply answers. What stands above a new message never changes, so it is read while that message
 * is being stored.
 */
async function chainOf(
  ports: Ports,
  chatId: ChatId,
  { steps, replyTo }: Plan,
): Promise<Pick<MessageData, 'data'>[]> {
  const added = steps.find((step) => step.kind === 'append')
  const above = added ? added.expectedHead : replyTo
  const stored = above === null ? [] : await ports.store.getMessageChain(chatId, above)
  return [...stored, ...(added?.messages ?? [])]
}

/** A new chat: its first branch takes the id the client chose, so that the client can go on using it. */
function planFirst(ports: Ports, request: TurnRequest): Plan {
  const { branch, message } = request
  const chosen = branch !== undefined && /^[0-9a-f-]{36}$/i.test(branch)
  const unnamed = branch === undefined || branch === 'main' || chosen
  // whoever names something inside the chat means one that is there
  if (request.trigger === 'regenerate-message' || request.messageId || request.expectedHead || !unnamed) {
    throw new NotFoundError('chat', request.chatId)
  }
  if (!message) throw new InvalidRequestError('Message cannot be empty', 'empty_message')
  if (!/^[\w-]{1,128}$/.test(request.chatId)) {
    throw new InvalidRequestError('The id of a chat may hold letters, digits, "-" and "_" only.')
  }
  const branchId = chosen && branch ? branch : ports.newId()
  const context = chooseContext(ports, request, null)
  return {
    create: { userId: request.ownerId, title: messageTitle(message), branchId, contextId: context.id },
    steps: [append(ports, branchId, null, message, context)],
    branchId,
    replyTo: message.id,
    context,
  }
}

/** The next message on a branch. */
function planNext(ports: Ports, request: TurnRequest, branch: BranchState, message: UIMessage): Plan {
  checkHead(request, branch)
  const context = chooseContext(ports, request, branch.context)
  return {
    steps: [...intoUse(branch), append(ports, branch.branchId, branch.headId, message, context)],
    branchId: branch.branchId,
    replyTo: message.id,
    context,
  }
}

/** A branch that was put away is one of the chat's again when something is said on it, and the one it opens on. */
const intoUse = ({ isArchived, branchId }: BranchState): Step[] =>
  isArchived
    ? [
        { kind: 'unarchive-branch', branchId },
        { kind: 'switch-branch', branchId },
      ]
    : []

/** An edit: the new message takes the old one's place on a new branch; a first message becomes a new root. */
async function planEdit(
  ports: Ports,
  request: TurnRequest,
  branch: BranchState,
  message: UIMessage,
): Promise<Plan> {
  const edited = await storedMessage(ports, request, request.messageId ?? '')
  if (edited.message.name !== 'user') {
    throw new InvalidRequestError('Only your own messages can be edited.', 'not_editable')
  }
  const branchId = ports.newId()
  const context = chooseContext(ports, request, edited.context ?? branch.context)
  const at = edited.message.parentId
  return {
    steps: [
      {
        kind: 'open-branch',
        branchId,
        after: branch.branchName,
        at,
        fork: { messageId: edited.message.id, before: true },
        contextId: context.id,
        activate: true,
      },
      append(ports, branchId, at, message, context),
    ],
    branchId,
    replyTo: message.id,
    context,
  }
}

/** Another answer to a user message: on the same branch while it has none, else on a new one. */
async function planRetry(ports: Ports, request: TurnRequest, branch: BranchState): Promise<Plan> {
  const targetId = request.messageId ?? branch.headId
  if (!targetId) throw new InvalidRequestError('There is nothing to answer yet.', 'nothing_to_answer')
  let target = await storedMessage(ports, request, targetId)
  if (target.message.name === 'assistant') {
    if (!target.message.parentId)
      throw new InvalidRequestError('This reply answers no message.', 'nothing_to_answer')
    target = await storedMessage(ports, request, target.message.parentId)
  }
  if (target.message.name !== 'user') {
    throw new InvalidRequestError('Only replies to your own messages can be done again.', 'nothing_to_answer')
  }
  const context = chooseContext(ports, request, target.context ?? branch.context)
  if (!target.answered && branch.headId === target.message.id) {
    return { steps: intoUse(branch), branchId: branch.branchId, replyTo: target.message.id, context }
  }
  const branchId = ports.newId()
  return {
    steps: [
      {
        kind: 'open-branch',
        branchId,
        after: branch.branchName,
        at: target.message.id,
        fork: { messageId: target.message.id },
        contextId: context.id,
        activate: true,
      },
    ],
    branchId,
    replyTo: target.message.id,
    context,
  }
}

async function storedMessage(ports: Ports, request: TurnRequest, messageId: string) {
  const found = await ports.reads.message(request.chatId, request.ownerId, messageId)
  if (!found) throw new NotFoundError('message', messageId)
  return found
}

function checkHead(request: TurnRequest, branch: BranchState): void {
  if (request.expectedHead !== undefined && request.expectedHead !== branch.headId) {
    throw new HeadConflictError(`Branch "${branch.branchName}" has moved on`)
  }
}

function chooseContext(ports: Ports, request: TurnRequest, current: ContextData | null): ContextData {
  const kept = current?.model && ports.models.has(current.model) ? current.model : ports.models.defaultId
  const model = request.model ?? kept
  if (!ports.models.has(model)) {
    throw new InvalidRequestError(`The model "${model}" is not available here.`, 'unknown_model')
  }
  return contextFor(model, current)
}

function append(
  ports: Ports,
  branchId: string,
  expectedHead: MessageId | null,
  message: UIMessage,
  context: ContextData,
): AppendMessages {
  return {
    kind: 'append',
    branchId,
    expectedHead,
    contextId: context.id,
    messages: [{ ...newUserMessage(message, ports.clock()), contextId: context.id }],
  }
}

function needed(message: UIMessage | undefined): UIMessage {
  if (!message) throw new InvalidRequestError('Message cannot be empty', 'empty_message')
  return message
}
