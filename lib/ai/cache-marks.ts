import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider'
import { type LanguageModel, wrapLanguageModel } from 'ai'

/**
 * Anthropic reads a prompt's beginning from its cache up to a mark, and stores it there; a request may have four. OpenRouter
 * passes marks on to it.
 */
const MARKS = {
  anthropic: { cacheControl: { type: 'ephemeral' } },
  openaiCompatible: { cache_control: { type: 'ephemeral' } },
} as const

type Marked = keyof typeof MARKS

/** The name under which a call brings the place of its branch point along. */
const OURS = 'ramify'

/** Tells whether a model keeps a prompt only up to marks. Others keep the prompts of the last minutes by themselves. */
export const takesMarks = (model: LanguageModel): boolean =>
  typeof model !== 'string' &&
  (model.provider.startsWith('anthropic.') || isRouted(model.provider, model.modelId))

/** Tells whether a provider passes its requests on to Anthropic. */
export const isRouted = (provider: string, model: string): boolean =>
  /^openrouter\b/.test(provider) && /^~?anthropic\//.test(model)

/**
 * Options of a call for the provider's cache.
 *
 * @param call.key what the requests of one conversation have in common: OpenAI sends them to the same machine
 * @param call.branchPoint how many messages of the prompt the conversation's other branches share
 */
export const cacheOptions = ({
  key,
  branchPoint = 0,
}: {
  key?: string | undefined
  branchPoint?: number | undefined
}): LanguageModelV4CallOptions['providerOptions'] => ({
  ...(key !== undefined && { openai: { promptCacheKey: key } }),
  ...(branchPoint > 0 && { [OURS]: { branchPoint } }),
})

/** A body of OpenAI's protocol in which the marks of messages stand where OpenRouter reads them: at their last block. */
export function withMarkedBlocks(body: Record<string, unknown>): Record<string, unknown> {
  const messages = body.messages as readonly Record<string, unknown>[]
  return {
    ...body,
    messages: messages.map(({ cache_control: mark, content, ...message }) => {
      const blocks: unknown = typeof content === 'string' ? [{ type: 'text', text: content }] : content
      if (mark === undefined || !Array.isArray(blocks) || blocks.length === 0) return { ...message, content }
      return { ...message, content: blocks.with(-1, { ...blocks.at(-1), cache_control: mark }) }
    }),
  }
}

/**
 * A model of Anthropic whose prompts are marked where another request may go on from: behind tools and instructions, at the
 * branch point, before the question and at the end. As a chain grows, or a tool answers, the marks move on with it.
 */
export const withCacheMarks = (model: LanguageModelV4, as: Marked = 'anthropic'): LanguageModelV4 =>
  wrapLanguageModel({ model, middleware: { transformParams: async ({ params }) => marked(params, as) } })

function marked(params: LanguageModelV4CallOptions, as: Marked): LanguageModelV4CallOptions {
  const { prompt, tools } = params
  const told = params.providerOptions?.[OURS]?.branchPoint
  const system = prompt.findLastIndex(({ role }) => role === 'system')
  const question = prompt.findLastIndex(({ role }) => role === 'user')
  const branchPoint = typeof told === 'number' ? system + told : -1
  const places = new Set([system, branchPoint, question - 1, prompt.length - 1])
  const last = tools?.at(-1)
  return {
    ...params,
    prompt: prompt.map((message, at) =>
      places.has(at) && endsInWords(message) ? markedMessage(message, as) : message,
    ),
    // instructions come behind the tools: their mark is one of both
    ...(system === -1 &&
      last?.type === 'function' && {
        tools: [...(tools?.slice(0, -1) ?? []), { ...last, providerOptions: withMark(last, as) }],
      }),
  }
}

const withMark = ({ providerOptions }: Pick<LanguageModelV4Message, 'providerOptions'>, as: Marked) => ({
  ...providerOptions,
  [as]: { ...providerOptions?.[as], ...MARKS[as] },
})

/**
 * A message with a mark; when a question is one text, the provider of OpenAI's protocol reads the mark of the part.
 */
function markedMessage(message: LanguageModelV4Message, as: Marked): LanguageModelV4Message {
  const [only, ...others] = message.role === 'user' ? message.content : []
  return message.role === 'user' && only && others.length === 0
    ? { ...message, content: [{ ...only, providerOptions: withMark(only, as) }] }
    : { ...message, providerOptions: withMark(message, as) }
}

/** Tells whether a message may be marked at its end: thoughts and empty texts may not. */
function endsInWords({ content }: LanguageModelV4Message): boolean {
  if (typeof content === 'string') return content !== ''
  const part = content.at(-1)
  return part !== undefined && part.type !== 'reasoning' && !(part.type === 'text' && part.text === '')
}
