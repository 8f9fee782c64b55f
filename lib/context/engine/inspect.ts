import { estimateUsage } from '../estimate'
import { type ContextFragment, messageText } from '../fragments'
import type { GraphData, MessageData } from '../store'
import { toMessageFragment } from './compile'
import type { InspectOptions, InspectResult } from './types'

/**
 * A snapshot of the prompt and its place in the graph (Context Engine, “inspect”). Pure.
 *
 * @param input.messages decoded messages a call would carry now, for the estimate
 * @throws UnknownModelError when nothing is known of the model; `options.models` takes figures of your own
 */
export function inspectContext(
  input: {
    chatId: string
    branch: string
    timestamp: number
    context: readonly ContextFragment[]
    pending: readonly ContextFragment[]
    chain: readonly MessageData[]
    messages: readonly unknown[]
    graph: GraphData
  },
  options: InspectOptions,
): InspectResult {
  const rendered = options.renderer.render(input.context)
  const prompt = [rendered, ...input.messages.map(messageText)]
  return {
    estimate: estimateUsage(options.modelId, prompt, { models: options.models }),
    rendered,
    fragments: {
      context: [...input.context],
      pending: [...input.pending],
      persisted: input.chain.map(({ data }) => toMessageFragment(data)),
    },
    graph: input.graph,
    meta: { chatId: input.chatId, branch: input.branch, timestamp: input.timestamp },
  }
}
