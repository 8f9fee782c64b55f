import {
  type ContextData,
  ContextMovedError,
  type ContextSetup,
  deserializeFragment,
  InvalidSerializedFragmentError,
  NotFoundError,
  planContextChange,
  type SerializedFragment,
  serializeFragment,
} from '@/lib/context'
import type { ChatId, UserId } from '@/lib/events'
import type { ChatContext, ContextChange, ContextFragmentJson } from '@/lib/protocol'
import { InvalidRequestError } from '../errors'
import type { AvailableModels, Ports } from '../ports'
import { checkModel, firstOffered } from '../turns/choices'
import { contextFor, contextOf } from '../turns/context-value'

interface OfBranch {
  ownerId: UserId
  chatId: ChatId
  /** name or id; the active branch unless given */
  branch?: string | undefined
}

/**
 * The context in force on a branch: what its next reply is asked with, besides the messages.
 *
 * @throws NotFoundError for a chat or branch that is missing or someone else's
 */
export async function readContext(ports: Ports, input: OfBranch): Promise<ChatContext> {
  const [models, { context }] = await Promise.all([ports.models.of(input.ownerId), stateOf(ports, input)])
  return encoded(models, context)
}

/**
 * Puts another context in force on a branch, from its next turn on. Messages and replies that are being written keep theirs.
 * The context of before stays stored, and comes back with a rewind.
 *
 * @param input.change a part that is left out stays as it is
 * @throws NotFoundError, InvalidRequestError, or ContextMovedError when the branch has another context than expected;
 *   then nothing is written
 */
export async function changeContext(
  ports: Ports,
  { change, ...input }: OfBranch & { change: ContextChange },
): Promise<ChatContext> {
  const [models, { branchId, branchName, context }] = await Promise.all([
    ports.models.of(input.ownerId),
    stateOf(ports, input),
  ])
  const expected = change.expected_context_id
  const changed = changedContext(ports, models, context, change)
  // the same request may come twice
  if (context?.id === changed.id) return encoded(models, changed)
  if ((context?.id ?? null) !== expected) {
    throw new ContextMovedError(`The context of branch "${branchName}" was changed meanwhile`)
  }
  const { ownerId, chatId } = input
  await ports.store.commit({
    ...{ chatId, ownerId, at: ports.clock(), contexts: [changed] },
    steps: planContextChange({ branchId, expected, contextId: changed.id }),
  })
  return encoded(models, changed)
}

async function stateOf(ports: Ports, { ownerId, chatId, branch }: OfBranch) {
  const { chat, state } = await ports.reads.branchState(chatId, ownerId, branch || undefined)
  if (chat !== 'own') throw new NotFoundError('chat', chatId)
  if (!state) throw new NotFoundError('branch', branch ?? '')
  return state
}

function changedContext(
  ports: Pick<Ports, 'newId'>,
  models: AvailableModels,
  current: ContextData | null,
  { model, renderer, settings, fragments, memories, tools }: ContextChange,
): ContextData {
  if (model !== undefined) checkModel(models, model)
  const base = contextFor(model ?? current?.model ?? models.defaultId, current)
  const setup: ContextSetup = { ...base.setup }
  if (settings) setup.settings = settings
  if (memories) setup.memories = memories
  if (tools) setup.tools = tools
  if (renderer === 'xml') delete setup.renderer
  else if (renderer) setup.renderer = renderer
  if (!fragments) return contextOf({ ...base, setup })
  const named = fragments.map((fragment) => ({ ...fragment, id: fragment.id ?? ports.newId() }))
  setup.off = named.filter(({ enabled }) => !enabled).map(({ id }) => id)
  return contextOf({ ...base, fragments: named.map(storedFragment), setup })
}

/** Read back before it is stored: what the prompt's compiler could not read is refused here. */
function storedFragment({ id, name, data, group }: ContextFragmentJson): SerializedFragment {
  const metadata = group === undefined ? {} : { metadata: { group } }
  try {
    return serializeFragment(deserializeFragment({ $fragment: { id, name, data, ...metadata } }))
  } catch (error) {
    if (!(error instanceof InvalidSerializedFragmentError)) throw error
    throw new InvalidRequestError(`The fragment "${name}" cannot be read: ${error.message}`)
  }
}

/** A context as clients get it. Fragments from before they had ids are named by their place. */
function encoded(models: AvailableModels, current: ContextData | null): ChatContext {
  const context = contextFor(models.defaultId, current)
  const model = firstOffered(models, current?.model)
  const { renderer = 'xml', settings = {}, memories = [], tools = {}, off = [] } = context.setup ?? {}
  const fragments = (context.fragments as SerializedFragment[]).map(({ $fragment }, index) => {
    const { id = `fragment-${index + 1}`, name, data, metadata } = $fragment as unknown as StoredFields
    const group = metadata?.group
    return { id, name, data, enabled: !off.includes(id), ...(group === undefined ? {} : { group }) }
  })
  return { context_id: current?.id ?? null, model, renderer, settings, fragments, memories, tools }
}

type StoredFields = Pick<ContextFragmentJson, 'name' | 'data'> & {
  id?: string
  metadata?: { group?: string }
}
