import 'server-only'
import type { AgentSettings } from '@/lib/ai'
import type { AgentCall } from '@/lib/gateway/agent-call'
import { type Fields, fieldsOf, numberOf, textOf } from '@/lib/gateway/protocols/shared/values'

/** The settings of a call as the AI SDK has them; what it has no word for is left to the model. */
export function settingsOf({ settings }: AgentCall): AgentSettings {
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
  }
  return {
    call: Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)),
    toolChoice: choiceOf(settings.tool_choice),
    json: jsonOf(settings),
  }
}

/** Which tool the model must call, in the words of any of the protocols. */
function choiceOf(said: unknown): AgentSettings['toolChoice'] {
  const { type, name, function: called } = fieldsOf(said)
  const toolName = textOf(fieldsOf(called).name) ?? textOf(name)
  if (toolName !== undefined) return { type: 'tool', toolName }
  const word = textOf(said) ?? textOf(type)
  if (word === 'required' || word === 'any') return 'required'
  return word === 'none' || word === 'auto' ? word : undefined
}

/** What the reply must be like: `response_format` of chat completions, or `text.format` of responses. */
function jsonOf({ response_format, text }: Fields): AgentSettings['json'] {
  const format = fieldsOf(response_format ?? fieldsOf(text).format)
  if (format.type === 'json_object') return {}
  if (format.type !== 'json_schema') return undefined
  return { schema: format.schema ?? fieldsOf(format.json_schema).schema }
}
