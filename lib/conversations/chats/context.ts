import {
  aboutTokens,
  type Change,
  type ContextData,
  ContextMovedError,
  canonicalJson,
  NotFoundError,
  planContext,
  planContextChange,
  type SerializedFragment,
} from '@/lib/context'
import type { BranchId, ChatId, UserId } from '@/lib/events'
import type {
  ChatContext,
  ContextChange,
  ContextFragmentJson,
  ContextInUse,
  GraphDelta,
} from '@/lib/protocol'
import { deltaOf } from '../delta-of'
import type { AvailableModels, Ports } from '../ports'
import { compilePrompt } from '../replies/prompt'
import { anew } from '../threads/planned-command'
import { checkModel, modelOf } from '../turns/choices'
import { changedContext, contextFor, contextInForce, contextOfNewChat } from '../turns/context-value'
import { checkChatId, isNewBranchId, storeNewChat } from '../turns/new-chat'
import { readable } from './readable-context'

interface OfBranch {
  ownerId: UserId
  chatId: ChatId
  /** name or id; the active branch unless given */
  branch?: string | undefined
}

/**
 * The context in force on a branch, for its next reply.
 *
 * @throws NotFoundError for a missing or another person's chat or branch
 */
export async function readContext(ports: Ports, input: OfBranch): Promise<ChatContext> {
  const [models, { context }] = await Promise.all([ports.models.of(input.ownerId), stateOf(ports, input)])
  return encoded(models, context)
}

/**
 * Puts another context in force on a branch, from its next turn on. Messages and replies that are being written keep theirs.
 * The context of before stays stored, and comes back with a rewind. With `begins`, an owner who has
 * no chat of this id gets one, empty, in this context.
 *
 * @param input.change a part that is left out stays as it is
 * @throws NotFoundError, InvalidRequestError, or ContextMovedError when the branch has another context than expected;
 *   then nothing is written
 */
export async function changeContext(
  ports: Ports,
  { change, ...input }: OfBranch & { change: ContextChange },
): Promise<ChatContext> {
  const [models, found] = await Promise.all([
    ports.models.of(input.ownerId),
    ports.reads.calledState(input.chatId, input.ownerId, input.branch || undefined),
  ])
  if (found.chat === 'lent') throw new NotFoundError('chat', input.chatId)
  if (found.chat !== 'own') return beginWith(ports, { ...input, change }, models, found.chat === 'foreign')
  if (!found.state) throw new NotFoundError('branch', input.branch ?? '')
  const { branchId, branchName, context } = found.state
  const expected = change.expected_context_id
  if (change.model !== undefined) checkModel(models, change.model)
  const model = change.model ?? modelOf(models, context)
  const changed = changedContext(ports, model, context, change)
  // the same request may come twice
  if (context?.id === changed.id) return encoded(models, changed)
  if ((context?.id ?? null) !== expected) {
    throw new ContextMovedError(`The context of branch "${branchName}" was changed meanwhile`)
  }
  const { moveSeq } = await ports.store.commit({
    chatId: found.chatId,
    ownerId: input.ownerId,
    at: ports.clock(),
    contexts: [changed],
    steps: planContextChange({ branchId, expected, contextId: changed.id }, change.joins ?? undefined),
  })
  return {
    ...encoded(models, changed),
    ...(change.joins !== undefined && moveSeq !== null && { move_seq: moveSeq }),
  }
}

/** Stores an empty chat in the context that the person's new chats begin in, changed. */
async function beginWith(
  ports: Ports,
  { ownerId, chatId, branch, change }: OfBranch & { change: ContextChange },
  models: AvailableModels,
  isTaken: boolean,
): Promise<ChatContext> {
  // a request that names a part of the chat means an existing chat
  if (!change.begins || change.expected_context_id !== null || !isNewBranchId(branch)) {
    throw new NotFoundError('chat', chatId)
  }
  checkChatId(chatId)
  if (change.model !== undefined) checkModel(models, change.model)
  const before = await contextOfNewChat(ports, ownerId, models)
  const context = changedContext(ports, change.model ?? modelOf(models, before), before, change)
  const create = { userId: ownerId, branchId: branch, contextId: context.id }
  const begun = { ownerId, at: ports.clock(), create, contexts: [context], steps: [] }
  await storeNewChat(ports, chatId, begun, isTaken)
  return encoded(models, context)
}

/**
 * Has another model answer on a branch, from its next turn on; everything else of its context stays.
 *
 * @throws NotFoundError, InvalidRequestError for a model that is not offered; then nothing is written
 */
export function chooseModel(
  ports: Ports,
  { model, ...input }: OfBranch & { branch: BranchId; model: string },
): Promise<GraphDelta> {
  const { ownerId, chatId } = input
  const choose = async () => {
    const [models, { branchId, context }] = await Promise.all([
      ports.models.of(ownerId),
      stateOf(ports, input),
    ])
    checkModel(models, model)
    const changed = contextFor(model, context)
    const change: Change = {
      chatId,
      ownerId,
      at: ports.clock(),
      contexts: [changed],
      // not a move: Undo takes back moves, and another choice takes this one back
      steps: [planContext({ branchId, expected: context?.id ?? null, contextId: changed.id })],
    }
    return deltaOf(change, await ports.store.commit(change))
  }
  // the choice holds in whichever context another page puts in force meanwhile
  return anew(choose, { movedBy: [ContextMovedError] })
}

/** Characters of an opening. */
const OPENING = 160

/**
 * The contexts in force on the branches of a chat, each once: contexts that differ only in their model count
 * as one. The newest branches come first.
 *
 * @throws NotFoundError for a missing or another person's chat
 */
export async function listContexts(
  ports: Ports,
  { ownerId, chatId }: Pick<OfBranch, 'ownerId' | 'chatId'>,
): Promise<ContextInUse[]> {
  const [, rows] = await Promise.all([
    stateOf(ports, { ownerId, chatId }),
    ports.reads.branchContexts(chatId, ownerId),
  ])
  const bySaid = Map.groupBy(rows, ({ fragments, setup }) =>
    canonicalJson({ fragments, setup: setup ?? null }),
  )
  const contexts = [...bySaid.values()].flatMap(([first, ...others]) =>
    first ? [{ ...first, branchIds: [first, ...others].flatMap(({ branchIds }) => branchIds) }] : [],
  )
  const parts = contexts.map((context) => wordsOf(ports, context))
  return contexts.map(({ id, fragments, setup, branchIds }, at) => {
    const sharedBy = (text: string) => parts.filter((other) => other.has(text)).length
    const [rarest = ''] = [...(parts[at] ?? [])].sort((one, other) => sharedBy(one) - sharedBy(other))
    return {
      context_id: id,
      branch_ids: branchIds,
      fragments: (fragments as SerializedFragment[]).length,
      memories: setup?.memories?.length ?? 0,
      tokens: aboutTokens([compilePrompt([], { fragments, setup }).instructions]),
      opening: rarest.slice(0, OPENING),
    }
  })
}

/** All that a context says, part by part. */
function wordsOf(ports: Ports, context: ContextData): Set<string> {
  const { fragments, memories, settings, tools } = readable(ports, context)
  return new Set([
    ...fragments.map(({ text }) => text),
    ...Object.values(memories),
    ...Object.entries({ ...settings, ...tools }).map(([name, value]) => `${name} ${value}`),
  ])
}

/** The context that the person's next new chat begins in; for a visitor the default one. */
export async function readNewContext(ports: Ports, ownerId: UserId | null): Promise<ChatContext> {
  if (ownerId === null) return encoded(ports.models, null)
  const models = await ports.models.of(ownerId)
  return { ...encoded(models, await contextOfNewChat(ports, ownerId, models)), context_id: null }
}

async function stateOf(ports: Ports, { ownerId, chatId, branch }: OfBranch) {
  const { chat, state } = await ports.reads.branchState(chatId, ownerId, branch || undefined)
  if (chat !== 'own') throw new NotFoundError('chat', chatId)
  if (!state) throw new NotFoundError('branch', branch ?? '')
  return state
}

/** A context as clients get it. Fragments from before they had ids are named by their place. */
function encoded(models: Pick<AvailableModels, 'defaultId'>, current: ContextData | null): ChatContext {
  const context = contextInForce(models, current)
  const {
    renderer = 'xml',
    settings = {},
    memories = [],
    tools = {},
    off = [],
    leftOut = [],
    lowered,
  } = context.setup ?? {}
  const fragments = (context.fragments as SerializedFragment[]).map(({ $fragment }, index) => {
    const { id = `fragment-${index + 1}`, name, data, metadata } = $fragment as unknown as StoredFields
    const group = metadata?.group
    return { id, name, data, enabled: !off.includes(id), ...(group === undefined ? {} : { group }) }
  })
  const isLowered = lowered !== undefined && !Object.values(tools).includes('always')
  return {
    context_id: current?.id ?? null,
    model: modelOf(models, context),
    renderer,
    settings,
    fragments,
    memories,
    tools,
    left_out: leftOut,
    ...(isLowered && { tools_lowered: true as const }),
  }
}

type StoredFields = Pick<ContextFragmentJson, 'name' | 'data'> & {
  id?: string
  metadata?: { group?: string }
}
