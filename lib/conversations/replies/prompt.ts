import type { UIMessage } from 'ai'
import {
  type ContextData,
  type ContextFragment,
  type ContextSetup,
  compile,
  deserializeFragment,
  estimateTokens,
  type FragmentRenderer,
  MarkdownRenderer,
  type MessageData,
  type ModelSettings,
  type SerializedFragment,
  TomlRenderer,
  ToonRenderer,
  XmlRenderer,
} from '@/lib/context'

/** Characters whose tokens are estimated one by one; the rest of a longer text counts like its beginning. */
const WEIGHED = 20_000

/** The input of the model. */
export interface Prompt {
  instructions: string
  messages: UIMessage[]
  settings: ModelSettings
}

/**
 * What a model is asked with: the fragments and memories of a context as instructions, a chain, and settings.
 *
 * @param chain stored messages, root first
 * @param context null for a chain that never had one
 * @param summary of the messages before the chain, where those are too long for the model's window
 */
export function compilePrompt(
  chain: readonly Pick<MessageData, 'data'>[],
  context: Pick<ContextData, 'fragments' | 'setup'> | null,
  summary?: string,
): Prompt {
  const { renderer = 'xml', settings = {}, memories = [], off = [] } = context?.setup ?? {}
  const fragments = ((context?.fragments ?? []) as SerializedFragment[])
    .map((fragment) => deserializeFragment(fragment))
    .filter(({ id }) => id === undefined || !off.includes(id))
  const { systemPrompt, messages } = compile({
    chain,
    fragments: [
      ...fragments,
      ...(memories.length === 0 ? [] : [remembered(memories)]),
      ...(summary === undefined ? [] : [{ name: 'summary_of_earlier_messages', data: summary }]),
    ],
    renderer: renderers[renderer],
  })
  return { instructions: systemPrompt, messages: messages as UIMessage[], settings }
}

const renderers: Record<NonNullable<ContextSetup['renderer']> | 'xml', FragmentRenderer> = {
  xml: new XmlRenderer(),
  markdown: new MarkdownRenderer(),
  toml: new TomlRenderer(),
  toon: new ToonRenderer(),
}

/** Memories as the model reads them. */
const remembered = (memories: NonNullable<ContextSetup['memories']>): ContextFragment => ({
  name: 'memories',
  data: memories.map(({ key, text }) => ({ name: 'memory', data: { key, text } })),
})

/** About how many tokens texts have, in bounded time however long they are. */
export function aboutTokens(texts: readonly string[]): number {
  const sample: string[] = []
  let weighed = 0
  let length = 0
  for (const text of texts) {
    const beginning = text.slice(0, WEIGHED - weighed)
    if (beginning !== '') sample.push(beginning)
    weighed += beginning.length
    length += text.length
  }
  return weighed === 0 ? 0 : Math.ceil((estimateTokens(sample) * length) / weighed)
}
