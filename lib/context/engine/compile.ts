import type { UIMessage } from 'ai'
import { type ContextFragment, message } from '../fragments'
import type { MessageData } from '../store'
import type { FragmentRenderer, ResolveResult } from './types'

/**
 * What the model is called with: the fragments as system prompt, the chain as messages (Core Concepts, “Resolve
 * Flow”). Pure and without a session, so two streams cannot collide.
 *
 * @param chain stored messages, root first
 * @param fragments messages among them are not rendered
 *
 * @example const { systemPrompt, messages } = compile({ chain, fragments: [role('Be kind')], renderer })
 */
export function compile(input: {
  chain: readonly Pick<MessageData, 'data'>[]
  fragments: readonly ContextFragment[]
  renderer: FragmentRenderer
}): ResolveResult {
  return {
    systemPrompt: input.renderer.render(input.fragments),
    messages: input.chain.map(({ data }) => decoded(data)),
  }
}

/** What its fragment decodes to. That is the stored value itself when it has an id, so mostly no fragment is made. */
function decoded(data: unknown): unknown {
  const hasId =
    typeof data === 'object' && data !== null && 'id' in data && typeof data.id === 'string' && data.id !== ''
  return hasId ? data : toMessageFragment(data).codec.decode()
}

/** A stored message as the fragment it was; data that is no UI message passes through as it is. */
export const toMessageFragment = (data: unknown) => message(data as UIMessage)
