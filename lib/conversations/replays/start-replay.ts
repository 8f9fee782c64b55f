import {
  aboutTokens,
  type Change,
  type ContextData,
  type MessageData,
  NotFoundError,
  planReplay,
  promptText,
  type ThreadCommand,
} from '@/lib/context'
import type { BranchId, ChatId, MessageId, ReplayId, UserId } from '@/lib/events'
import type { GraphDelta, ReplayPreview } from '@/lib/protocol'
import { deltaOf } from '../delta-of'
import { NothingToReplayError } from '../errors'
import type { AvailableModels, Ports } from '../ports'
import { compilePrompt } from '../replies/prompt'
import { carryOut, chatOfThreads } from '../threads/planned-command'
import { checkModel, chosenContext } from '../turns/choices'
import { contextFor, contextOf } from '../turns/context-value'
import { checkText, fileIdsOf } from '../turns/user-message'
import { costOf } from '../usage/read-usage'
import { missingOf } from './missing'
import { askedAgain, saidIn } from './questions'

/** Messages to ask again, and the changes to their prompt. */
export interface ReplayRequest {
  ownerId: UserId
  chatId: ChatId
  /** the branch of the messages: its id, or its name */
  branchId: BranchId
  /** the person's messages from this one on; by default all of the branch */
  fromId?: MessageId | undefined
  /** `provider:model`; the branch's own unless given, and that of a context which is named by its id */
  model?: string | undefined
  /**
   * `original`: the context at the first of them. `current`: the branch's present context. Else the id of a
   * context of the chat.
   */
  context?: string | undefined
  /** replaces the first message's text */
  content?: string | undefined
}

/** A replay that has begun. */
export interface StartedReplay {
  replayId: ReplayId
  branchId: BranchId
  /** the first question; null while it waits for a decision about missing requirements */
  messageId: MessageId | null
  delta: GraphDelta
}

/** Answer of the command `replay-thread`. */
interface ReplayAnswer {
  chat_id: ChatId
  thread_id: BranchId
  event_number?: number
  message_id: MessageId | null
  replay_id: ReplayId
}

/** A replay before it is stored. */
interface Prepared {
  source: { branchId: BranchId; branchName: string }
  /** the branch's messages, root first */
  chain: MessageData[]
  questions: [MessageData, ...MessageData[]]
  models: AvailableModels
  context: ContextData & { model: string }
  missing: string[]
  stored: ReadonlySet<string>
}

type Beginning = ReplayRequest & {
  /** begins although something is missing */
  anyway?: boolean | undefined
}

/**
 * Asks messages of a branch again, one after the other, on a branch that opens before the first of them; the
 * chat opens there from now on. The first message, the run of its reply, the branch and the replay are stored
 * at once, or nothing. The rest does not need this process. When a file or tool of the messages is missing,
 * the replay begins paused and says so.
 *
 * @param request.replayId chosen by the page, which may ask twice: the second time it gets the replay it has begun
 * @throws NotFoundError, InvalidRequestError, NothingToReplayError; then nothing is written
 */
export async function startReplay(
  ports: Ports,
  request: Beginning & { replayId: ReplayId },
): Promise<StartedReplay> {
  const { ownerId, chatId, replayId } = request
  const begun = await ports.replays.standing(chatId, replayId, ownerId)
  if (begun) {
    const { branch, replay } = begun
    const delta = { chatId, seq: 0, replays: await ports.replays.shown(chatId) }
    return { replayId, branchId: branch.branchId, messageId: replay.lastId, delta }
  }
  const { change, branchId, messageId } = await planned(ports, { ...request, activate: true })
  const done = await ports.store.commit(change)
  ports.queue.nudge(ports.slots.when(ownerId))
  const replays = await ports.replays.shown(chatId)
  return { replayId, branchId, messageId, delta: { ...deltaOf(change, done), replays } }
}

/**
 * `startReplay` as a command; the chat opens where it did. It rejects with `IdempotencyMismatchError` besides.
 *
 * @param command.threadId a thread of the person's, in whichever chat
 */
export async function replayThread(
  ports: Ports,
  {
    once,
    threadId,
    ...request
  }: ThreadCommand & Omit<Beginning, 'chatId' | 'branchId'> & { threadId: BranchId },
): Promise<ReplayAnswer> {
  const { ownerId } = request
  const replayId = ports.newId()
  const answer = await carryOut<ReplayAnswer>(ports, { ownerId, once }, async () => {
    const { chatId, called } = await chatOfThreads(ports, ownerId, [threadId])
    const asked = { ...request, chatId, branchId: threadId, replayId, activate: false }
    const { change, branchId, messageId } = await planned(ports, asked)
    return {
      change,
      answer: { chat_id: called, thread_id: branchId, message_id: messageId, replay_id: replayId },
    }
  })
  ports.queue.nudge(ports.slots.when(ownerId))
  return answer
}

async function planned(
  ports: Ports,
  request: Beginning & { replayId: ReplayId; activate: boolean },
): Promise<{ change: Change; branchId: BranchId; messageId: MessageId | null }> {
  const { ownerId, chatId, replayId, content = null, anyway = false, activate } = request
  const { source, questions, context, missing, stored } = await prepared(ports, request)
  const [before] = questions
  const at = ports.clock()
  const isPaused = missing.length > 0 && !anyway
  const first = isPaused ? null : askedAgain(before, { replayId, place: 0, at, content, stored })
  const { steps, branchId } = planReplay({
    source,
    before,
    first,
    contextId: context.id,
    activate,
    newId: ports.newId,
    replay: {
      id: replayId,
      content,
      anyway,
      model: request.model ?? null,
      questions: questions.map(({ id }) => id),
      reason: isPaused ? `${missing.join(' ')} Go on to do without.` : null,
    },
    reply: { runId: ports.newId(), replyId: ports.newId(), model: context.model },
  })
  const change: Change = { chatId, ownerId, at, contexts: [context], steps }
  return { change, branchId, messageId: first?.id ?? null }
}

/** Estimates a replay, and lists its missing requirements. Writes nothing. Rejects as `startReplay`. */
export async function previewReplay(ports: Ports, request: ReplayRequest): Promise<ReplayPreview> {
  const { chain, questions, context, models, missing } = await prepared(ports, request)
  const tokens = estimated(chain, questions[0], context)
  return {
    turns: questions.length,
    model: context.model,
    missing,
    input_tokens: tokens.inputTokens,
    output_tokens: tokens.outputTokens,
    cost_usd: costOf(models.facts(context.model).price, tokens),
  }
}

/**
 * A rough estimate of the replies: every prompt has the messages before it, and a reply is as long as it was.
 */
function estimated(chain: readonly MessageData[], first: MessageData, context: ContextData) {
  const from = chain.indexOf(first)
  let sofar = aboutTokens([compilePrompt([], context).instructions])
  let [inputTokens, outputTokens] = [0, 0]
  for (const [place, message] of chain.entries()) {
    const size = aboutTokens([promptText(saidIn(message))])
    sofar += size
    if (place < from) continue
    if (message.name === 'user') inputTokens += sofar
    else if (message.name === 'assistant') outputTokens += size
  }
  return { inputTokens, outputTokens }
}

async function prepared(ports: Ports, request: ReplayRequest): Promise<Prepared> {
  const { ownerId, chatId, branchId, fromId } = request
  const [{ chat, state }, models] = await Promise.all([
    ports.reads.branchState(chatId, ownerId, branchId),
    ports.models.of(ownerId),
  ])
  if (chat !== 'own') throw new NotFoundError('chat', chatId)
  if (!state) throw new NotFoundError('branch', branchId)
  const chain = state.headId === null ? [] : await ports.store.getMessageChain(chatId, state.headId)
  const from = fromId === undefined ? 0 : chain.findIndex(({ id }) => id === fromId)
  if (from < 0) throw new NotFoundError('message', fromId ?? '')
  const [first, ...rest] = chain.slice(from).filter(({ name }) => name === 'user')
  if (!first) throw new NothingToReplayError('There is nothing to ask again')
  if (request.content !== undefined) {
    checkText(request.content, { canBeEmpty: fileIdsOf(saidIn(first)).length > 0 })
  }
  const questions: Prepared['questions'] = [first, ...rest]
  const replaced = chain.slice(chain.indexOf(first))
  const wanted = await contextOfReplay(ports, request, { current: state.context, first, replaced })
  const { model, gone } = chosenModel(models, request.model, ownModel(request, state.context, wanted))
  const context = { ...contextFor(model, wanted), model }
  const { sentences, stored } = await missingOf(ports, { ownerId, chatId, models, model, context, questions })
  const { branchName } = state
  return {
    source: { branchId: state.branchId, branchName },
    chain,
    questions,
    models,
    context,
    stored,
    missing: [...gone, ...sentences],
  }
}

async function contextOfReplay(
  ports: Ports,
  { chatId, context = 'original' }: ReplayRequest,
  there: { current: ContextData | null; first: MessageData; replaced: readonly MessageData[] },
): Promise<ContextData | null> {
  const { current, first, replaced } = there
  if (context === 'current') return withoutMemoriesOf(current, replaced)
  const id = context === 'original' ? first.contextId : context
  if (id === undefined) return current
  return chosenContext(ports, chatId, id)
}

/** A context without memories of the replies that are written anew. */
function withoutMemoriesOf(
  context: ContextData | null,
  replaced: readonly MessageData[],
): ContextData | null {
  const memories = context?.setup?.memories
  if (!context || !memories) return context
  const ids = new Set<string | null>(replaced.map(({ id }) => id))
  const kept = memories.filter(({ message_id }) => !ids.has(message_id))
  return contextOf({ ...context, setup: { ...context.setup, memories: kept } })
}

/** The model without a choice: the branch's, or that of a context which the request names by its id. */
const ownModel = (
  { context = 'original' }: ReplayRequest,
  current: ContextData | null,
  wanted: ContextData | null,
) => (['original', 'current'].includes(context) && current?.model) || wanted?.model

/** The model that is chosen, or its own; where that is not offered any more, the default one and a sentence. */
function chosenModel(
  models: AvailableModels,
  chosen: string | undefined,
  own: string | null | undefined,
): { model: string; gone: string[] } {
  if (chosen !== undefined) {
    checkModel(models, chosen)
    return { model: chosen, gone: [] }
  }
  if (!own || models.has(own)) return { model: own ?? models.defaultId, gone: [] }
  return {
    model: models.defaultId,
    gone: [`The model "${own}" is not available any more; "${models.defaultId}" answers instead.`],
  }
}
