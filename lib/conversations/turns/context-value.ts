import { createHash } from 'node:crypto'
import {
  type ContextData,
  type ContextFragment,
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

/** The context of a model and fragments, named by its content (DESIGN.md §8); a branch without one has the default. */
export function contextFor(model: string, current: ContextData | null): ContextData {
  const fragments = current?.fragments ?? defaultFragments.map((fragment) => serializeFragment(fragment))
  const id = createHash('sha256').update(canonicalJson({ fragments, model })).digest('hex')
  return { id, fragments, model }
}
