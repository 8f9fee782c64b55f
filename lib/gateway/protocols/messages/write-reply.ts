import type { AgentReply } from '../../agent-call'
import type { Refusal, ReplyEvent, ReplyFrame, ReplyWriter } from '../protocol'
import { callsOf, reasoningOf, textsOf } from '../shared/reply-parts'
import { sseText } from '../shared/sse'

/** A reply as an answer of Anthropic's messages. */
export function writeReply(reply: AgentReply, frame: ReplyFrame): object {
  const [thinking, text] = [reasoningOf(reply), textsOf(reply)]
  const content = [
    ...(thinking ? [{ type: 'thinking', thinking, signature: '' }] : []),
    ...(text ? [{ type: 'text', text }] : []),
    ...callsOf(reply).map(({ id, name, value }) => ({ type: 'tool_use', id, name, input: value })),
  ]
  const stop_reason = wordOf(reply.finishReason ?? 'stop')
  return { ...headOf(frame), content, stop_reason, stop_sequence: null, usage: usageOf(reply.usage) }
}

/** A reply as an event stream of Anthropic's messages. */
export function writeStream(frame: ReplyFrame): ReplyWriter {
  const send = (event: { type: string; [field: string]: unknown }) => sseText(event, event.type)
  let index = -1
  let open: string | undefined
  let failed = false

  const close = () => {
    if (open === undefined) return ''
    open = undefined
    return send({ type: 'content_block_stop', index })
  }
  /** Ends the block before, where the event belongs to another one. */
  const within = (key: string, block: object) => {
    if (open === key) return ''
    const closed = close()
    index += 1
    open = key
    return closed + send({ type: 'content_block_start', index, content_block: block })
  }
  const delta = (fields: object) => send({ type: 'content_block_delta', index, delta: fields })

  const write = (event: ReplyEvent): string => {
    switch (event.type) {
      case 'text':
        return within('text', { type: 'text', text: '' }) + delta({ type: 'text_delta', text: event.text })
      case 'reasoning':
        return (
          within('thinking', { type: 'thinking', thinking: '', signature: '' }) +
          delta({ type: 'thinking_delta', thinking: event.text })
        )
      case 'call':
        return within(`call ${event.id}`, { type: 'tool_use', id: event.id, name: event.name, input: {} })
      case 'input':
        return delta({ type: 'input_json_delta', partial_json: event.text })
      case 'finish': {
        const usage = usageOf(event.usage)
        const ends = { stop_reason: wordOf(event.reason), stop_sequence: null }
        return close() + send({ type: 'message_delta', delta: ends, usage })
      }
      case 'error':
        failed = true
        return send(anthropicRefusal(event.refusal))
    }
  }
  const message = { ...headOf(frame), content: [], stop_reason: null, stop_sequence: null, usage: usageOf() }
  return {
    begin: () => send({ type: 'message_start', message }),
    write,
    end: () => (failed ? '' : send({ type: 'message_stop' })),
  }
}

/** A refusal as Anthropic words it. */
export function anthropicRefusal({ status, message }: Refusal): { type: 'error'; error: object } {
  const types: Readonly<Record<number, string>> = {
    401: 'authentication_error',
    403: 'permission_error',
    404: 'not_found_error',
    413: 'request_too_large',
    429: 'rate_limit_error',
    529: 'overloaded_error',
  }
  const type = types[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error')
  return { type: 'error', error: { type, message } }
}

const headOf = ({ id, model }: ReplyFrame) => ({ id: `msg_${id}`, type: 'message', role: 'assistant', model })

const wordOf = (reason: string): string =>
  ({ 'tool-calls': 'tool_use', length: 'max_tokens', 'content-filter': 'refusal' })[reason] ?? 'end_turn'

const usageOf = ({ input = 0, output = 0, cached = 0 }: AgentReply['usage'] = {}) => ({
  input_tokens: Math.max(0, input - cached),
  output_tokens: output,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: cached,
})
