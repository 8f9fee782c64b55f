import { createHash } from 'node:crypto'
import {
  type ContextData,
  type ContextFragment,
  type ContextSetup,
  canonicalJson,
  hint,
  role,
  serializeFragment,
} from '@/lib/context'

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

/** A context, named by its content. Of its setup only what differs from the default is kept, so equal ones have one name. */
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
