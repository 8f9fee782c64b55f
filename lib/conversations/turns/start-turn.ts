// Longer than other files: everything that a turn checks and writes before its first word stands in one place.

import type { UIMessage } from 'ai'
import { v5 } from 'uuid'
import {
  type BranchState,
  type Change,
  type ContextData,
  ContextMovedError,
  cutReply,
  type FoundMessage,
  HeadConflictError,
  isCut,
  type MessageData,
  messagePreview,
  messageTitle,
  NameTakenError,
  type NewMessage,
  NotFoundError,
  type PlacedMessage,
  type Plan,
  planEdit,
  planFirstTurn,
  planRetry,
  planRun,
  planTurn,
  type RunRecord,
  waitingCalls,
} from '@/lib/context'
import type { ChatId, MessageId, ToolAnswer, UserId } from '@/lib/events'
import type { GraphDelta } from '@/lib/protocol'
import { deltaOf } from '../delta-of'
import { InvalidRequestError } from '../errors'
import type { AvailableModels, Ports } from '../ports'
import { checkTakes, withStoredTypes } from './attached-files'
import { checkModel, checkModelOfBranch, modelOf } from './choices'
import { contextFor, contextOf, contextOfNewChat } from './context-value'
import { checkChatId, isNewBranchId } from './new-chat'
import { type RepeatedTurn, repeatOf, repeatOfAnswers, withTurnId } from './repeated-turn'
import { ANSWER_NAMESPACE, answeredId, checkedAnswers, nothingWaits } from './tool-answers'
import { newUserMessage } from './user-message'

/** One turn as a client asks for it. The history is not part of it: it comes from the store. */
export interface TurnRequest {
  ownerId: UserId
  /** the owner's id for the chat; a chat that does not exist is made */
  chatId: ChatId
  /** name or id; without it the branch the chat opens on */
  branch?: string | undefined
  /** the head the client saw; without it any head is accepted */
  expectedHead?: MessageId | null | undefined
  trigger: 'submit-message' | 'regenerate-message' | 'answer-tools'
  /**
   * submit: the stored message this one replaces (an edit). Regenerate: the reply to do over, or the message to answer.
   * Answer: the reply whose tools wait
   */
  messageId?: MessageId | undefined
  /** regenerate: continues the cut reply, in a version beside it */
  continue?: boolean | undefined
  /** a person's answers to the waiting tools */
  answers?: readonly ToolAnswer[] | undefined
  /** the user message; not needed to regenerate */
  message?: UIMessage | undefined
  /** `provider:model`; without it the branch's own choice, else the default */
  model?: string | undefined
}

/** A turn that is stored, and whose run this caller holds unless it is queued. */
export interface StartedTurn {
  run: RunRecord
  branchName: string
  userMessageId: MessageId
  delta: GraphDelta
  prompt: KnownPrompt
  models: AvailableModels
  /** set when the turn made the chat */
  title?: string | undefined
}

/** The part of the prompt that the turn knows already: it is not read again. */
interface KnownPrompt {
  context: ContextData
  /** root first, the message to answer last; rejects when the database does not give it */
  chain: Promise<Pick<MessageData, 'id' | 'data'>[]>
}

/** A turn, and the models that its person can choose from. */
export interface AskedTurn extends TurnRequest {
  models: AvailableModels
  /** the context to make it in, where that is not the one in force */
  inContext?: ((inForce: ContextData | null) => ContextData) | undefined
}

/** A turn before it is stored: its plan, and the message and context of its reply. */
export interface PlannedTurn extends Plan {
  create?: Change['create']
  replyTo: MessageId
  context: ContextData
  /** the answers after which a reply with waiting tools continues */
  answers?: ToolAnswer[] | undefined
  /** the cut reply that it continues */
  continues?: MessageId | undefined
  /** the id of the reply, when it derives from the request */
  replyId?: MessageId | undefined
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
  const [found, models, said] = await Promise.all([
    ports.reads.calledState(asked.chatId, asked.ownerId, asked.branch),
    ports.models.of(asked.ownerId),
    asked.message && withStoredTypes(ports, asked.ownerId, asked.message),
  ])
  const called = { ...asked, models, message: said }
  // a chat of this id would hide the one that the person is a member of
  if (found.chat === 'lent') throw new NotFoundError('chat', asked.chatId)
  if (found.chat !== 'own') return beginChat(ports, called, { isTaken: found.chat === 'foreign', queued })
  if (!found.state) throw new NotFoundError('branch', asked.branch ?? '')

  const request = { ...called, chatId: found.chatId }
  const message = request.trigger === 'submit-message' ? withTurnId(request) : undefined
  const repeatedAnswer = async () =>
    request.trigger === 'answer-tools' ? repeatOfAnswers(ports, request, found.state?.headId) : undefined
  try {
    const before = await repeatedAnswer()
    if (before) return before
    const turn = await planOf(ports, request, found.state, message)
    return await storeTurn(ports, request, turn, queued)
  } catch (error) {
    // another tab has changed the context between the read and the write: this turn is made in the new one
    if (error instanceof ContextMovedError) return startTurn(ports, asked, { queued })
    // looked up only after a refusal, since nearly every message is new
    const repeated = message ? await repeatOf(ports, request, message) : await repeatedAnswer()
    if (repeated) return repeated
    throw error
  }
}

/** Plan of a turn on an existing branch, without its run. */
export function planOf(
  ports: Ports,
  request: AskedTurn,
  branch: BranchState,
  message: UIMessage | undefined,
): Promise<PlannedTurn> {
  switch (request.trigger) {
    case 'submit-message':
      return submission(ports, request, branch, needed(message))
    case 'regenerate-message':
      return request.continue ? rest(ports, request, branch) : retry(ports, request, branch)
    case 'answer-tools':
      return answer(ports, request, branch)
  }
}

/**
 * The first turn of a chat. Its id is its owner's own: where another person's chat has the same key (`isTaken`), this one
 * gets another key.
 */
async function beginChat(
  ports: Ports,
  request: AskedTurn,
  { isTaken, queued }: { isTaken: boolean; queued: boolean },
): Promise<StartedTurn | RepeatedTurn> {
  const turn = await firstTurn(ports, request)
  try {
    if (!isTaken) return await storeTurn(ports, request, turn, queued)
    return await storeTurn(ports, { ...request, chatId: ports.newId() }, turn, queued, request.chatId)
  } catch (error) {
    // another person has begun a chat of this id meanwhile
    if (!isTaken && error instanceof NotFoundError && error.what === 'chat') {
      return beginChat(ports, request, { isTaken: true, queued })
    }
    const chatId = request.message && (await ports.reads.chatCalled(request.chatId, request.ownerId))
    if (chatId === undefined || !request.message) throw error
    const repeated = await repeatOf(ports, { ...request, chatId }, request.message)
    if (repeated) return repeated
    // the owner has begun the chat meanwhile, with another branch
    const begun = error instanceof NotFoundError || error instanceof NameTakenError
    throw begun ? new HeadConflictError('The chat was begun by another request') : error
  }
}

/** @param called the owner's id for a new chat, when that is not its key */
async function storeTurn(
  ports: Ports,
  { ownerId, chatId, models }: AskedTurn,
  turn: PlannedTurn,
  queued: boolean,
  called?: string,
): Promise<StartedTurn> {
  const { create, context, branchId, replyTo, answers, continues, replyId = ports.newId() } = turn
  const reply = {
    runId: ports.newId(),
    branchId,
    replyTo,
    replyId,
    answers,
    continues,
    model: modelOf(models, context),
    contextId: context.id,
  }
  const leaseMs = queued ? undefined : ports.leaseMs
  const steps = [...turn.steps, planRun({ ...reply, leaseMs })]
  const change: Change = { chatId, ownerId, at: ports.clock(), create, contexts: [context], steps }
  const chain = chainOf(ports, chatId, turn)
  // executeRun reports a chain that cannot be read; for a turn that is not stored nothing waits for it
  chain.catch(() => undefined)
  const done =
    called !== undefined && create
      ? await ports.store.commitCalled({ ...change, create }, called)
      : await ports.store.commit(change)
  return {
    run: { ...reply, chatId, fence: queued ? 0 : 1, attempt: 1, status: queued ? 'queued' : 'running' },
    branchName: done.branches.find(({ id }) => id === branchId)?.name ?? branchId,
    userMessageId: replyTo,
    delta: deltaOf(change, done),
    prompt: { context, chain },
    models,
    title: (done.created && done.title) || undefined,
  }
}

/**
 * The chain that a turn's reply answers. The messages above a new one never change, so they are read while it
 * is being stored.
 */
async function chainOf(
  { store }: Ports,
  chatId: ChatId,
  { steps, replyTo, continues }: PlannedTurn,
): Promise<Pick<MessageData, 'id' | 'data'>[]> {
  const added = steps.find((step) => step.kind === 'append')
  const above = added ? added.expectedHead : (continues ?? replyTo)
  const stored = above === null ? [] : await store.getMessageChain(chatId, above)
  return [...stored, ...(added?.messages ?? [])]
}

/** The first turn of a chat that is not there yet, without its run. */
export async function firstTurn(ports: Ports, request: AskedTurn): Promise<PlannedTurn> {
  const { ownerId: userId, branch, message } = request
  const chosen = isNewBranchId(branch)
  const unnamed = branch === undefined || branch === 'main' || chosen
  // a request that names a part of the chat means an existing chat
  if (request.trigger !== 'submit-message' || request.messageId || request.expectedHead || !unnamed) {
    throw new NotFoundError('chat', request.chatId)
  }
  const said = needed(message)
  checkChatId(request.chatId)
  const begun = await contextOfNewChat(ports, userId, request.models)
  const context = chooseContext(request, begun, said)
  const create = {
    userId,
    // a message without words is called after its files
    title: messageTitle(said) || messageTitle(messagePreview(said)),
    branchId: chosen ? branch : ports.newId(),
    contextId: context.id,
  }
  return { ...planFirstTurn({ ...create, message: stored(ports, said, context) }), replyTo: said.id, context }
}

/** The next message of a branch, or an edit of a message said before. */
async function submission(
  ports: Ports,
  request: AskedTurn,
  branch: BranchState,
  message: UIMessage,
): Promise<PlannedTurn> {
  const { messageId, expectedHead } = request
  const replyTo = message.id
  if (!messageId) {
    const context = chooseContext(request, branch.context, message, branch)
    const said = { messages: [stored(ports, message, context)], contextId: context.id }
    return { ...planTurn({ branch, expectedHead, ...said }), replyTo, context }
  }
  const edited = await storedMessage(ports, request, messageId)
  if (edited.message.name !== 'user') {
    throw new InvalidRequestError('Only your own messages can be edited.', 'not_editable')
  }
  const context = chooseContext(request, await contextAt(ports, request, branch, edited), message, branch)
  const plan = planEdit({
    after: branch.branchName,
    edited: edited.message,
    messages: [stored(ports, message, context)],
    contextId: context.id,
    newId: ports.newId,
  })
  return { ...plan, replyTo, context }
}

/** Another reply to a message of the person's: the one named, the one a named reply answers, or the head. */
async function retry(ports: Ports, request: AskedTurn, branch: BranchState): Promise<PlannedTurn> {
  const targetId = request.messageId ?? branch.headId
  if (!targetId) throw new InvalidRequestError('There is nothing to answer yet.', 'nothing_to_answer')
  let target = await storedMessage(ports, request, targetId)
  if (target.message.name === 'assistant') {
    if (!target.message.parentId)
      throw new InvalidRequestError('This reply answers no message.', 'nothing_to_answer')
    // answers of the run itself: an imported message's own claims allow nothing here
    const { answers } = target
    target = await storedMessage(ports, request, target.message.parentId)
    // a reply that continued after a person's answers is continued anew
    if (target.message.name === 'assistant' && answers) {
      return goOn(ports, request, branch, { target, answers })
    }
    if (waitingCalls(target.message.data).length > 0) {
      const detail =
        'A tool above this reply was answered elsewhere, which allows nothing here. Send a message to go on.'
      throw new InvalidRequestError(detail, 'nothing_to_answer')
    }
  }
  // an agent's tool answers beside the call: a second reply to them is allowed
  if (!['user', 'tool'].includes(target.message.name)) {
    throw new InvalidRequestError('Only replies to your own messages can be done again.', 'nothing_to_answer')
  }
  const current = await contextAt(ports, request, branch, target)
  const context = chooseContext(request, current, target.message.data as UIMessage, branch)
  const { id } = target.message
  // a branch that ends on the message has no reply to it, even if other branches have
  const message = { id, answered: branch.headId !== id }
  const plan = planRetry({ branch, message, contextId: context.id, newId: ports.newId })
  return { ...plan, replyTo: id, context }
}

/** The rest of a cut reply: a version beside it, which begins with the cut text. */
async function rest(ports: Ports, request: AskedTurn, branch: BranchState): Promise<PlannedTurn> {
  const targetId = request.messageId ?? branch.headId
  const cut = targetId ? (await storedMessage(ports, request, targetId)).message : undefined
  if (cut?.name !== 'assistant' || !isCut(cut) || !cutReply(cut.data as UIMessage, '')) {
    const detail =
      'Only a reply that was stopped, broke off or met its limit of length can be continued, and only after its first word.'
    throw new InvalidRequestError(detail, 'nothing_to_continue')
  }
  return { ...(await retry(ports, request, branch)), continues: cut.id }
}

/** A person's answers to the tools that wait in a reply: the reply continues in another one, below it. */
async function answer(ports: Ports, request: AskedTurn, branch: BranchState): Promise<PlannedTurn> {
  const { expectedHead } = request
  const targetId = request.messageId ?? branch.headId
  if (!targetId) throw new InvalidRequestError(nothingWaits, 'nothing_to_answer')
  const target = await storedMessage(ports, request, targetId)
  const answers = checkedAnswers(target.message, request.answers ?? [])
  if (expectedHead !== undefined && expectedHead !== branch.headId) {
    throw new HeadConflictError(`Branch "${branch.branchName}" has moved on`)
  }
  const replyId = answeredId(request.chatId, targetId, answers)
  return { ...(await goOn(ports, request, branch, { target, answers, replyId })), replyId }
}

/** @param from.replyId set when the same request twice is one request: the branch it may open then follows from it */
async function goOn(
  ports: Ports,
  request: AskedTurn,
  branch: BranchState,
  { target, answers, replyId }: { target: FoundMessage; answers: ToolAnswer[]; replyId?: MessageId },
): Promise<PlannedTurn> {
  const current = await contextAt(ports, request, branch, target)
  // a reply holds no files of the person's
  const context = chooseContext(request, current, target.message.data as UIMessage, branch)
  const { id } = target.message
  const message = { id, answered: target.answered }
  const newId = () => (replyId === undefined ? ports.newId() : v5(replyId, ANSWER_NAMESPACE))
  return { ...planRetry({ branch, message, contextId: context.id, newId }), replyTo: id, context, answers }
}

async function storedMessage(ports: Ports, request: TurnRequest, messageId: string) {
  const found = await ports.reads.message(request.chatId, request.ownerId, messageId)
  if (!found) throw new NotFoundError('message', messageId)
  return found
}

/**
 * The context of a message that is edited or answered again: the one in force there. At the end of the branch it is the
 * branch's, which a person may have changed since, without what the reply that is replaced has remembered.
 */
async function contextAt(
  ports: Ports,
  request: TurnRequest,
  { context, headId }: BranchState,
  { message, context: there }: { message: PlacedMessage; context: ContextData | null },
): Promise<ContextData | null> {
  if (!there || !context || there.id === context.id || !headId) return there ?? context
  const head = headId === message.id ? undefined : await storedMessage(ports, request, headId)
  if (head && head.message.parentId !== message.id) return there
  const memories = context.setup?.memories?.filter(({ message_id }) => message_id !== head?.message.id)
  return memories ? contextOf({ ...context, setup: { ...context.setup, memories } }) : context
}

/**
 * The context of a reply, with the branch's model unless the request names one.
 *
 * @param inForce at the message to answer
 * @param branch undefined for a chat that is not there yet
 */
function chooseContext(
  { models, inContext, ...request }: AskedTurn,
  inForce: ContextData | null,
  message: UIMessage,
  branch?: Pick<BranchState, 'context'>,
): ContextData {
  const current = inContext ? inContext(inForce) : inForce
  const model = request.model ?? branch?.context?.model ?? modelOf(models, current)
  if (request.model === undefined) checkModelOfBranch(models, model)
  else checkModel(models, model)
  checkTakes(models, model, message)
  return contextFor(model, current)
}

const stored = (ports: Ports, message: UIMessage, context: ContextData): NewMessage => ({
  ...newUserMessage(message, ports.clock()),
  contextId: context.id,
})

function needed(message: UIMessage | undefined): UIMessage {
  if (!message) throw new InvalidRequestError('Message cannot be empty', 'empty_message')
  return message
}
