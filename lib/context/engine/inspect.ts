import { estimatePrompt, type PromptEstimate } from '../estimate'
import { type ContextFragment, promptText } from '../fragments'
import { isPlainObject } from '../fragments/guards'
import type { GraphData, MessageData } from '../store'
import { type Prompt, toMessageFragment } from './compile'
import type { InspectOptions, InspectResult } from './types'

/**
 * A snapshot of the prompt and its place in the graph (Context Engine, “inspect”). Pure.
 *
 * @param input.prompt what a call would carry now
 * @throws UnknownModelError when nothing is known of the model; `options.models` takes figures of your own
 */
export function inspectContext(
  input: {
    chatId: string
    branch: string
    timestamp: number
    prompt: Prompt
    pending: readonly ContextFragment[]
    chain: readonly MessageData[]
    graph: GraphData
  },
  options: InspectOptions,
): InspectResult {
  const { prompt, pending, chain, graph } = input
  return {
    estimate: estimateOf(prompt, options),
    rendered: prompt.systemPrompt,
    fragments: {
      context: prompt.context,
      pending: [...pending],
      persisted: chain.map(({ data }) => toMessageFragment(data)),
    },
    reminders: prompt.reminders,
    graph,
    meta: { chatId: input.chatId, branch: input.branch, timestamp: input.timestamp },
  }
}

/**
 * Estimates a prompt's tokens and cost, for each fragment and message by its text.
 *
 * @throws UnknownModelError when nothing is known of the model
 */
export function estimateOf(prompt: Prompt, { modelId, renderer, models }: InspectOptions): PromptEstimate {
  const fragments = prompt.context.map((fragment) => ({
    name: fragment.name,
    id: fragment.id,
    text: renderer.render([fragment]),
  }))
  const messages = prompt.messages.map((message) => ({ ...nameOf(message), text: promptText(message) }))
  const text = [prompt.systemPrompt, ...messages.map((message) => message.text)]
  const parts = [...fragments.filter((part) => part.text !== ''), ...messages]
  return estimatePrompt(modelId, { text, parts }, { models })
}

function nameOf(message: unknown): { name: string; id?: string } {
  const { id, role } = isPlainObject(message) ? message : {}
  return {
    name: typeof role === 'string' ? role : 'message',
    ...(typeof id === 'string' ? { id } : {}),
  }
}
