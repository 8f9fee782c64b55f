import type { AgentReply } from '../../agent-call'
import type { Refusal } from '../protocol'
import { sentenceOf } from './reasons'
import { type Fields, fieldsOf, given, numberOf } from './values'

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
export const errorWords = (value: unknown): string => sentenceOf(value) ?? 'The provider reported an error.'

/** The ends of a reply, by the words of chat completions. */
const reasons: Readonly<Record<string, string>> = {
  stop: 'stop',
  length: 'length',
  content_filter: 'content-filter',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
}

export const reasonOf = (word: string | undefined): string | undefined =>
  word === undefined ? undefined : (reasons[word] ?? 'other')

/** The word of chat completions for the end of a reply. */
export const wordOf = (reason: string): string =>
  ({ 'tool-calls': 'tool_calls', length: 'length', 'content-filter': 'content_filter' })[reason] ?? 'stop'

/** A count, also a count that is written as a text. */
function countOf(value: unknown): number | undefined {
  const count = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return numberOf(count)
}

/** Counted tokens, by the names of chat completions, of responses, and of other servers; undefined where none are told. */
export function usageOf(value: unknown): AgentReply['usage'] {
  const usage = fieldsOf(value)
  const first = (...names: string[]) => names.map((name) => countOf(usage[name])).find((n) => n !== undefined)
  const inside = (detail: string, ...of: string[]) =>
    of.map((name) => countOf((fieldsOf(usage[name]) as Fields)[detail])).find((n) => n !== undefined)
  const input = first('prompt_tokens', 'input_tokens', 'promptTokens', 'inputTokens')
  const output = first('completion_tokens', 'output_tokens', 'completionTokens', 'outputTokens')
  const told = given({
    input,
    output,
    cached:
      inside('cached_tokens', 'prompt_tokens_details', 'input_tokens_details') ??
      first('cached_tokens', 'prompt_cache_hit_tokens'),
    reasoning: inside('reasoning_tokens', 'completion_tokens_details', 'output_tokens_details'),
  })
  return input === undefined && output === undefined ? undefined : (told as AgentReply['usage'])
}
