import { createHash } from 'node:crypto'
import {
  type ContextData,
  type ContextFragment,
  type ContextSetup,
  canonicalJson,
  deserializeFragment,
  hint,
  InvalidSerializedFragmentError,
  role,
  type SerializedFragment,
  serializeFragment,
} from '@/lib/context'
import type { UserId } from '@/lib/events'
import type { ChatDefaults, ContextChange, ContextFragmentJson } from '@/lib/protocol'
import { InvalidRequestError } from '../errors'
import type { AvailableModels, Ports } from '../ports'
import { modelOf } from './choices'

/** The fragments of a new chat. */
const defaultFragments: ContextFragment[] = [
  role('You are a helpful assistant.'),
  hint('Answer in Markdown. Be clear and to the point.'),
]

/** A model in a context, named by its content (DESIGN.md §8); a branch without a context has the default one. */
export function contextFor(model: string, current: ContextData | null): ContextData {
  const fragments = current?.fragments ?? defaultFragments.map((fragment) => serializeFragment(fragment))
  return contextOf({ fragments, model, setup: current?.setup ?? null })
}

/** The context that a branch's next reply is asked in, with its own model; the default one for a branch without any. */
export const contextInForce = (
  models: Pick<AvailableModels, 'defaultId'>,
  current: ContextData | null,
): ContextData => contextFor(modelOf(models, current), current)

/**
 * The context that a person's next new chat begins in: the default one, with the person's settings for new
 * chats.
 *
 * @param defaults undefined for a person who has set nothing; a model that is not offered any more counts as none
 */
function beginningContext(
  models: Pick<AvailableModels, 'defaultId' | 'has'>,
  defaults: ChatDefaults | undefined,
): ContextData {
  const { instructions = '', model = null, tools = {} } = defaults ?? {}
  const base = contextFor(model !== null && models.has(model) ? model : models.defaultId, null)
  if (instructions.trim() === '') return contextOf({ ...base, setup: { tools } })
  const own = serializeFragment({ id: OWN_INSTRUCTIONS, name: 'instruction', data: instructions })
  return contextOf({
    ...base,
    fragments: [...(base.fragments as SerializedFragment[]), own],
    setup: { tools },
  })
}

/** The context that a new chat of a person begins in. */
export async function contextOfNewChat(
  ports: Pick<Ports, 'chatDefaults'>,
  ownerId: UserId,
  models: Pick<AvailableModels, 'defaultId' | 'has'>,
): Promise<ContextData> {
  return beginningContext(models, await ports.chatDefaults.of(ownerId))
}

/** The id of the fragment with a person's instructions for new chats. */
const OWN_INSTRUCTIONS = 'instructions'

/**
 * A context with some of its parts changed. @throws InvalidRequestError for a fragment that the prompt's compiler cannot read
 *
 * @param model of the changed one
 */
export function changedContext(
  { newId }: Pick<Ports, 'newId'>,
  model: string,
  current: ContextData | null,
  { renderer, settings, fragments, memories, tools }: Omit<ContextChange, 'expected_context_id' | 'model'>,
): ContextData {
  const base = contextFor(model, current)
  const setup: ContextSetup = { ...base.setup }
  if (settings) setup.settings = settings
  if (memories) setup.memories = memories
  if (tools) setup.tools = tools
  if (renderer === 'xml') delete setup.renderer
  else if (renderer) setup.renderer = renderer
  if (!fragments) return contextOf({ ...base, setup })
  const named = fragments.map((fragment) => ({ ...fragment, id: fragment.id ?? newId() }))
  setup.off = named.filter(({ enabled }) => !enabled).map(({ id }) => id)
  return contextOf({ ...base, fragments: named.map(storedFragment), setup })
}

/**
 * Reads a fragment back before it is stored: data that the prompt's compiler could not read is refused here.
 */
function storedFragment({ id, name, data, group }: ContextFragmentJson): SerializedFragment {
  const metadata = group === undefined ? {} : { metadata: { group } }
  try {
    return serializeFragment(deserializeFragment({ $fragment: { id, name, data, ...metadata } }))
  } catch (error) {
    if (!(error instanceof InvalidSerializedFragmentError)) throw error
    throw new InvalidRequestError(`The fragment "${name}" cannot be read: ${error.message}`)
  }
}

/** A context, named by its content. Defaults are dropped from its setup, so equal contexts have one name. */
export function contextOf({ fragments, model, setup }: Omit<ContextData, 'id'>): ContextData {
  const chosen = withoutDefaults(setup ?? {})
  const content = chosen ? { fragments, model, setup: chosen } : { fragments, model }
  const id = createHash('sha256').update(canonicalJson(content)).digest('hex')
  return { id, fragments, model, setup: chosen }
}

function withoutDefaults(setup: ContextSetup): ContextSetup | null {
  const chosen = Object.entries(setup).filter(
    ([, value]) =>
      value !== undefined && (typeof value !== 'object' || value === null || Object.keys(value).length > 0),
  )
  return chosen.length === 0 ? null : Object.fromEntries(chosen)
}
