import type { UIMessage } from 'ai'
import {
  type ContextData,
  compile,
  deserializeFragment,
  estimateTokens,
  type MessageData,
  type SerializedFragment,
  XmlRenderer,
} from '@/lib/context'

/** Characters whose tokens are estimated one by one; the rest of a longer text counts like its beginning. */
const WEIGHED = 20_000

/** The input of the model. */
export interface Prompt {
  instructions: string
  messages: UIMessage[]
}

/**
 * What a model is asked with: the fragments of a context as instructions, and a chain.
 *
 * @param chain stored messages, root first
 * @param context null for a chain that never had one
 */
export function compilePrompt(
  chain: readonly Pick<MessageData, 'data'>[],
  context: Pick<ContextData, 'fragments'> | null,
): Prompt {
  const fragments = ((context?.fragments ?? []) as SerializedFragment[]).map((fragment) =>
    deserializeFragment(fragment),
  )
  const { systemPrompt, messages } = compile({ chain, fragments, renderer: new XmlRenderer() })
  return { instructions: systemPrompt, messages: messages as UIMessage[] }
}

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
