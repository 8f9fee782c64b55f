import { createHash } from 'node:crypto'
import { type ContextData, type ContextFragment, hint, role, serializeFragment } from '@/lib/context'

/** What a chat starts with until its owner says otherwise. */
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

/** JSON with sorted keys, so that equal values have equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, child: unknown) =>
    typeof child === 'object' && child !== null && !Array.isArray(child)
      ? Object.fromEntries(Object.entries(child).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : child,
  )
}
