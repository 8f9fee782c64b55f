import type { UIMessage } from 'ai'
import {
  type ContextData,
  compile,
  instructionsOf,
  type MessageData,
  type ModelSettings,
} from '@/lib/context'

/** The input of the model. */
export interface Prompt {
  instructions: string
  messages: UIMessage[]
  settings: ModelSettings
}

/**
 * Compiles a prompt: the fragments and memories of a context as instructions, a chain, and settings.
 *
 * @param chain stored messages, root first
 * @param context null for a chain that never had one
 * @param summary of the messages before the chain, when those are too long for the model's window
 */
export function compilePrompt(
  chain: readonly Pick<MessageData, 'data'>[],
  context: Pick<ContextData, 'fragments' | 'setup'> | null,
  summary?: string,
): Prompt {
  const { fragments, renderer } = instructionsOf(context ?? { fragments: [] })
  const { systemPrompt, messages } = compile({
    chain,
    fragments: [
      ...fragments,
      ...(summary === undefined ? [] : [{ name: 'summary_of_earlier_messages', data: summary }]),
    ],
    renderer,
  })
  return {
    instructions: systemPrompt,
    messages: messages as UIMessage[],
    settings: context?.setup?.settings ?? {},
  }
}
