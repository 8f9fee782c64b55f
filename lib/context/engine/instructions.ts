import { deserializeFragment } from '../codecs'
import type { ContextFragment } from '../fragments'
import { MarkdownRenderer, TomlRenderer, ToonRenderer, XmlRenderer } from '../renderers'
import type { ContextData, ContextSetup } from '../store'
import type { FragmentRenderer } from './types'

/** The formats of a system prompt, by name. */
const renderers: Record<NonNullable<ContextSetup['renderer']> | 'xml', FragmentRenderer> = {
  xml: new XmlRenderer(),
  markdown: new MarkdownRenderer(),
  toml: new TomlRenderer(),
  toon: new ToonRenderer(),
}

/**
 * Parts of a stored context's system prompt: its fragments that are switched on, its memories as the last
 * fragment, and the renderer.
 *
 * @throws InvalidSerializedFragmentError for data that is not a fragment
 *
 * @example const { fragments, renderer } = instructionsOf(context); renderer.render(fragments)
 */
export function instructionsOf({ fragments, setup }: Pick<ContextData, 'fragments' | 'setup'>): {
  fragments: ContextFragment[]
  renderer: FragmentRenderer
} {
  const { renderer = 'xml', memories = [], off = [] } = setup ?? {}
  const shown = (fragments as unknown[])
    .map((fragment) => deserializeFragment(fragment))
    .filter(({ id }) => id === undefined || !off.includes(id))
  return {
    fragments: memories.length === 0 ? shown : [...shown, remembered(memories)],
    renderer: renderers[renderer],
  }
}

/** Memories as the model reads them. */
const remembered = (memories: NonNullable<ContextSetup['memories']>): ContextFragment => ({
  name: 'memories',
  data: memories.map(({ key, text }) => ({ name: 'memory', data: { key, text } })),
})
