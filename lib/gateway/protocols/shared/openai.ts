import type { AgentReply } from '../../agent-call'
import type { Refusal } from '../protocol'
import { type Fields, fieldsOf, given, numberOf, textOf } from './values'

/** A refusal as OpenAI words it. */
export const openAIRefusal = ({ status, code, message, param = null }: Refusal): object => ({
  error: { message, type: typeOf(status), param, code },
})

function typeOf(status: number): string {
  if (status === 401) return 'authentication_error'
  if (status === 403) return 'permission_error'
  if (status === 429) return 'rate_limit_error'
  return status >= 500 ? 'server_error' : 'invalid_request_error'
}

/** The sentence of an error in an answer. */
export function errorWords(value: unknown): string {
  const error = fieldsOf(value)
  return textOf(error.message) ?? textOf(value) ?? 'The provider reported an error.'
}

/** The ends of a reply, by the words of chat completions. */
const reasons: Readonly<Record<string, string>> = {
  ...{ stop: 'stop', length: 'length', content_filter: 'content-filter' },
  ...{ tool_calls: 'tool-calls', function_call: 'tool-calls' },
}

export const reasonOf = (word: string | undefined): string | undefined =>
  word === undefined ? undefined : (reasons[word] ?? 'other')

/** The word of chat completions for the end of a reply. */
export const wordOf = (reason: string): string =>
  ({ 'tool-calls': 'tool_calls', length: 'length', 'content-filter': 'content_filter' })[reason] ?? 'stop'

/** Counted tokens; the fields have one name in chat completions, and another in responses. */
export function usageOf(value: unknown): AgentReply['usage'] {
  const usage = fieldsOf(value)
  const first = (...names: string[]) =>
    names.map((name) => numberOf(usage[name])).find((n) => n !== undefined)
  const inside = (detail: string, ...of: string[]) =>
    of.map((name) => numberOf((fieldsOf(usage[name]) as Fields)[detail])).find((n) => n !== undefined)
  const told = given({
    input: first('prompt_tokens', 'input_tokens'),
    output: first('completion_tokens', 'output_tokens'),
    cached: inside('cached_tokens', 'prompt_tokens_details', 'input_tokens_details'),
    reasoning: inside('reasoning_tokens', 'completion_tokens_details', 'output_tokens_details'),
  })
  return Object.keys(told).length > 0 ? (told as AgentReply['usage']) : undefined
}
