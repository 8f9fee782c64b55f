import {
  type ContextData,
  deserializeFragment,
  MarkdownRenderer,
  type SerializedFragment,
} from '@/lib/context'
import type { ReadableContext } from '@/lib/graph/diff/pair-contexts'
import type { Ports } from '../ports'
import { contextInForce } from '../turns/context-value'

const renderedBy = new MarkdownRenderer()

/** A context as a person reads it; a branch without one has the default one. */
export function readable({ models }: Pick<Ports, 'models'>, context: ContextData | null): ReadableContext {
  const { fragments, model, setup } = contextInForce(models, context)
  const { off = [], memories = [], tools = {}, renderer, settings = {} } = setup ?? {}
  return {
    fragments: (fragments as SerializedFragment[]).map((serialized) => {
      const fragment = deserializeFragment(serialized)
      const isOff = fragment.id !== undefined && off.includes(fragment.id)
      const text = textOf(renderedBy.render([fragment]))
      return { name: fragment.name, text: isOff ? `${text}\n\nSwitched off` : text }
    }),
    memories: Object.fromEntries(memories.map(({ key, text }) => [key, text])),
    model,
    // a tool that is never offered counts as absent
    tools: Object.fromEntries(Object.entries(tools).filter(([, approval]) => approval !== 'never')),
    settings: Object.fromEntries([
      ...Object.entries(settings).map(([name, value]) => [name.replaceAll('_', ' '), String(value)]),
      ...(renderer ? [['format', renderer]] : []),
    ]),
  }
}

/** The text of a section, without its heading. */
const textOf = (section: string): string =>
  section
    .replace(/^##.*\n+/, '')
    .replaceAll('**', '')
    .trim()
