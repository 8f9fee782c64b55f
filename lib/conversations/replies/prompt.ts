import type { UIMessage } from 'ai'
import {
  type ContextData,
  compile,
  deserializeFragment,
  type MessageData,
  type SerializedFragment,
  XmlRenderer,
} from '@/lib/context'

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
