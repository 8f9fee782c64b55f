import {
  APICallError,
  jsonSchema,
  type LanguageModel,
  type LanguageModelCallOptions,
  NoSuchToolError,
  Output,
  experimental_streamTextLowMemory as streamText,
  type ToolChoice,
  type ToolSet,
  tool,
} from 'ai'
import type { AgentCall } from '@/lib/gateway/agent-call'
import type { ReplyEvent } from '@/lib/gateway/protocols/protocol'
import { explainError } from './explain-error'
import { refuseDownloads } from './refuse-downloads'
import { isUnreadablePiece } from './wire/is-unreadable-piece'

/** Settings that decide a reply, besides the messages. */
export interface AgentSettings {
  readonly call: LanguageModelCallOptions
  readonly toolChoice?: ToolChoice<ToolSet> | undefined
  /** the reply is JSON: by a schema, or any */
  readonly json?: { readonly schema?: unknown } | undefined
  /** by the name of a provider, settings that it alone has a word for */
  readonly providers?: Parameters<typeof streamText>[0]['providerOptions']
}

/**
 * Asks a model for one reply to an agent, which carries out the tools itself. The stream ends with `finish`, or with
 * `error`; it rejects never.
 *
 * @param signal stops the model
 * @example for await (const event of askForAgent(model, call, { call: {} })) write(event)
 */
export async function* askForAgent(
  model: LanguageModel,
  { system, tools, messages }: Pick<AgentCall, 'system' | 'tools' | 'messages'>,
  { call, toolChoice, json, providers }: AgentSettings,
  signal: AbortSignal,
): AsyncGenerator<ReplyEvent> {
  try {
    const result = streamText({
      model,
      messages,
      toolChoice,
      ...call,
      ...(system.length > 0 && { instructions: system.join('\n\n') }),
      ...(tools.length > 0 && { tools: toolSet(tools) }),
      ...(json && { output: outputOf(json) }),
      ...(providers && { providerOptions: providers }),
      maxRetries: 0,
      abortSignal: signal,
      experimental_download: refuseDownloads,
      // errors are events of the stream
      onError: () => undefined,
    })
    yield* eventsOf(result.stream)
  } catch (error) {
    yield { type: 'error', refusal: refusalOf(error) }
  }
}

type Part = ReturnType<typeof streamText<ToolSet>>['stream'] extends AsyncIterable<infer Item> ? Item : never

async function* eventsOf(stream: AsyncIterable<Part>): AsyncGenerator<ReplyEvent> {
  const begun = new Set<string>()
  for await (const part of stream) {
    switch (part.type) {
      case 'text-delta':
        if (part.text !== '') yield { type: 'text', text: part.text }
        break
      case 'reasoning-delta':
        if (part.text !== '') yield { type: 'reasoning', text: part.text }
        break
      case 'tool-input-start':
        begun.add(part.id)
        yield { type: 'call', id: part.id, name: part.toolName }
        break
      case 'tool-input-delta':
        yield { type: 'input', id: part.id, text: part.delta }
        break
      case 'tool-call': {
        // its input has come in pieces already, unless the provider sends it whole
        if (begun.has(part.toolCallId)) break
        const { toolCallId: id, toolName: name, input } = part
        yield { type: 'call', id, name }
        yield { type: 'input', id, text: typeof input === 'string' ? input : JSON.stringify(input) }
        break
      }
      case 'error':
        // the agent reads the call that names another tool, and answers it
        if (NoSuchToolError.isInstance(part.error) || isUnreadablePiece(part.error)) break
        yield { type: 'error', refusal: refusalOf(part.error) }
        return
      case 'abort':
        yield { type: 'error', refusal: refusalOf(new DOMException('The reply was stopped', 'AbortError')) }
        return
      case 'finish': {
        const { inputTokens, outputTokens, inputTokenDetails, outputTokenDetails } = part.totalUsage
        const usage = Object.fromEntries(
          Object.entries({
            input: inputTokens,
            output: outputTokens,
            cached: inputTokenDetails?.cacheReadTokens,
            reasoning: outputTokenDetails?.reasoningTokens,
          }).filter(([, tokens]) => tokens !== undefined),
        )
        yield { type: 'finish', reason: part.finishReason, usage }
        return
      }
    }
  }
  yield { type: 'error', refusal: refusalOf(new Error('fetch failed')) }
}

const toolSet = (tools: AgentCall['tools']): ToolSet =>
  Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      tool({
        ...(description !== undefined && { description }),
        inputSchema: jsonSchema(inputSchema as never),
      }),
    ]),
  )

const outputOf = ({ schema }: { schema?: unknown }) =>
  schema === undefined ? Output.json() : Output.object({ schema: jsonSchema(schema as never) })

/** Prompts that no provider takes: results without calls, calls without results. */
const UNFIT =
  /^AI_(?:InvalidPrompt|MissingToolResults|InvalidMessageRole|UnsupportedFunctionality|InvalidArgument|InvalidDataContent)/

/** A failure as a refusal: with the provider's status where it gave one. */
function refusalOf(error: unknown) {
  const { message, advice, retryAfterMs } = explainError(error)
  if (error instanceof Error && UNFIT.test(error.name))
    return { status: 400, code: 'invalid_request', message: error.message }
  const said = `${message} ${advice}`
  const status = APICallError.isInstance(error) ? (error.statusCode ?? 502) : 502
  return {
    status: status >= 400 ? status : 502,
    code: 'provider_error',
    message: said,
    ...(retryAfterMs !== undefined && { retryAfter: Math.ceil(retryAfterMs / 1000) }),
  }
}
