import 'server-only'
import type { AgentSettings } from '@/lib/ai'
import type { AgentCall } from '@/lib/gateway/agent-call'
import { type Fields, fieldsOf, given, numberOf, textOf } from '@/lib/gateway/protocols/shared/values'

/**
 * The settings of a call as the AI SDK has them; what it has no word for is left to the model.
 *
 * @param provider of the model, as the AI SDK names it
 */
export function settingsOf({ settings }: AgentCall, provider: string): AgentSettings {
  const number = (...names: string[]) =>
    names.map((name) => numberOf(settings[name])).find((n) => n !== undefined)
  const stop = settings.stop ?? settings.stop_sequences
  const stopSequences = typeof stop === 'string' ? [stop] : Array.isArray(stop) ? stop.map(String) : undefined
  const said = {
    temperature: number('temperature'),
    topP: number('top_p'),
    topK: number('top_k'),
    seed: number('seed'),
    presencePenalty: number('presence_penalty'),
    frequencyPenalty: number('frequency_penalty'),
    maxOutputTokens: number('max_completion_tokens', 'max_output_tokens', 'max_tokens'),
    stopSequences,
    // Anthropic would want the thoughts back, which other protocols do not carry
    reasoning: /^(?:openai|google)(?:\.|$)/.test(provider) ? effortOf(settings) : undefined,
  }
  return {
    call: Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)),
    toolChoice: choiceOf(settings.tool_choice),
    json: jsonOf(settings),
    providers: providersOf(settings),
  }
}

/** The effort that the model is to think with, in the words of any of the protocols. */
function effortOf({ reasoning_effort, reasoning, output_config, thinking }: Fields) {
  if (fieldsOf(thinking).type === 'disabled') return 'none'
  const said = reasoning_effort ?? fieldsOf(reasoning).effort ?? fieldsOf(output_config).effort
  return oneOf(EFFORTS, said)
}

const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const

/** The settings that only some providers have a word for. */
function providersOf(settings: Fields): AgentSettings['providers'] {
  const { parallel_tool_calls, tool_choice, metadata, user, safety_identifier, text, verbosity } = settings
  const isOneByOne = parallel_tool_calls === false || fieldsOf(tool_choice).disable_parallel_tool_use === true
  const person = textOf(safety_identifier) ?? textOf(user) ?? textOf(fieldsOf(metadata).user_id)
  return {
    openai: given({
      parallelToolCalls: isOneByOne ? false : undefined,
      serviceTier: oneOf(['auto', 'default', 'flex', 'priority'], settings.service_tier),
      promptCacheKey: textOf(settings.prompt_cache_key),
      textVerbosity: oneOf(['low', 'medium', 'high'], verbosity ?? fieldsOf(text).verbosity),
      safetyIdentifier: person !== undefined && person.length <= LONGEST_NAME ? person : undefined,
    }),
    anthropic: given({
      disableParallelToolUse: isOneByOne ? true : undefined,
      metadata: person === undefined ? undefined : { userId: person },
    }),
  }
}

/** Longest user name that OpenAI takes, in letters. */
const LONGEST_NAME = 64

const oneOf = <Word extends string>(words: readonly Word[], said: unknown): Word | undefined =>
  words.find((word) => word === said)

/** The tool that the model must call, in the words of any of the protocols. */
function choiceOf(said: unknown): AgentSettings['toolChoice'] {
  const { type, name, function: called } = fieldsOf(said)
  const toolName = textOf(fieldsOf(called).name) ?? textOf(name)
  if (toolName !== undefined) return { type: 'tool', toolName }
  const word = textOf(said) ?? textOf(type)
  if (word === 'required' || word === 'any') return 'required'
  return word === 'none' || word === 'auto' ? word : undefined
}

/** Form of the reply: `response_format` of chat completions, or `text.format` of responses. */
function jsonOf({ response_format, text }: Fields): AgentSettings['json'] {
  const format = fieldsOf(response_format ?? fieldsOf(text).format)
  if (format.type === 'json_object') return {}
  if (format.type !== 'json_schema') return undefined
  return { schema: format.schema ?? fieldsOf(format.json_schema).schema }
}
