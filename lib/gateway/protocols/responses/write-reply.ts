import type { AgentReply } from '../../agent-call'
import type { ReplyEvent, ReplyFrame, ReplyWriter } from '../protocol'
import { callsOf, reasoningOf, textsOf } from '../shared/reply-parts'
import { sseText } from '../shared/sse'

type Item =
  | { type: 'reasoning'; text: string }
  | { type: 'message'; text: string }
  | { type: 'function_call'; id: string; name: string; text: string }

/** A reply as an answer of OpenAI's responses. */
export function writeReply(reply: AgentReply, frame: ReplyFrame): object {
  const [thought, text] = [reasoningOf(reply), textsOf(reply)]
  const items: Item[] = [
    ...(thought ? [{ type: 'reasoning' as const, text: thought }] : []),
    ...(text ? [{ type: 'message' as const, text }] : []),
    ...callsOf(reply).map(({ id, name, input }) => ({
      type: 'function_call' as const,
      id,
      name,
      text: input,
    })),
  ]
  const output = items.map((item, at) => wholeItem(item, idOf(frame, item, at)))
  return endedResponse(frame, output, reply.finishReason ?? 'stop', reply.usage)
}

/** A reply as an event stream of OpenAI's responses. */
export function writeStream(frame: ReplyFrame): ReplyWriter {
  const output: object[] = []
  let open: Item | undefined
  let sequence = 0
  const send = (type: string, fields: object) =>
    sseText({ type, sequence_number: sequence++, ...fields }, type)
  const place = (item: Item) => ({ item_id: idOf(frame, item, output.length), output_index: output.length })

  const begin = (item: Item) => {
    const closed = close()
    open = item
    const id = idOf(frame, item, output.length)
    const added = { output_index: output.length, item: { ...emptyItem(item, id), status: 'in_progress' } }
    return closed + send('response.output_item.added', added) + beginPart(item)
  }
  const beginPart = (item: Item) => {
    if (item.type === 'message')
      return send('response.content_part.added', { ...place(item), content_index: 0, part: outputText('') })
    if (item.type === 'function_call') return ''
    const part = { type: 'summary_text', text: '' }
    return send('response.reasoning_summary_part.added', { ...place(item), summary_index: 0, part })
  }
  const endPart = (item: Item) => {
    const [at, { text }] = [place(item), item]
    if (item.type === 'function_call')
      return send('response.function_call_arguments.done', { ...at, name: item.name, arguments: text })
    if (item.type === 'message')
      return (
        send('response.output_text.done', { ...at, content_index: 0, text, logprobs: [] }) +
        send('response.content_part.done', { ...at, content_index: 0, part: outputText(text) })
      )
    return (
      send('response.reasoning_summary_text.done', { ...at, summary_index: 0, text }) +
      send('response.reasoning_summary_part.done', {
        ...at,
        summary_index: 0,
        part: { type: 'summary_text', text },
      })
    )
  }
  const close = () => {
    if (open === undefined) return ''
    const item = open
    const whole = wholeItem(item, idOf(frame, item, output.length))
    const text =
      endPart(item) + send('response.output_item.done', { output_index: output.length, item: whole })
    output.push(whole)
    open = undefined
    return text
  }

  const write = (event: ReplyEvent): string => {
    switch (event.type) {
      case 'text': {
        const begun = open?.type === 'message' ? '' : begin({ type: 'message', text: '' })
        return begun + grow('response.output_text.delta', event.text, { content_index: 0, logprobs: [] })
      }
      case 'reasoning': {
        const begun = open?.type === 'reasoning' ? '' : begin({ type: 'reasoning', text: '' })
        return begun + grow('response.reasoning_summary_text.delta', event.text, { summary_index: 0 })
      }
      case 'call':
        return begin({ type: 'function_call', id: event.id, name: event.name, text: '' })
      case 'input':
        return grow('response.function_call_arguments.delta', event.text, {})
      case 'finish': {
        const closed = close()
        const response = endedResponse(frame, output, event.reason, event.usage)
        const incomplete = 'incomplete_details' in response && response.incomplete_details !== null
        return closed + send(incomplete ? 'response.incomplete' : 'response.completed', { response })
      }
      case 'error': {
        const { code, message, param = null } = event.refusal
        return send('error', { code, message, param })
      }
    }
  }
  const grow = (type: string, delta: string, fields: object) => {
    if (open === undefined) return ''
    open.text += delta
    return send(type, { ...place(open), ...fields, delta })
  }
  const response = { ...headOf(frame), status: 'in_progress', output: [], usage: null }
  return {
    begin: () => send('response.created', { response }) + send('response.in_progress', { response }),
    write,
    end: () => '',
  }
}

const prefixes = { message: 'msg', reasoning: 'rs', function_call: 'fc' } as const

const idOf = ({ id }: ReplyFrame, { type }: Item, at: number): string => `${prefixes[type]}_${id}_${at}`

const outputText = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] })

const emptyItem = (item: Item, id: string): object => {
  if (item.type === 'message') return { id, type: 'message', role: 'assistant', content: [] }
  if (item.type === 'reasoning') return { id, type: 'reasoning', summary: [] }
  return { id, type: 'function_call', call_id: item.id, name: item.name, arguments: '' }
}

const wholeItem = (item: Item, id: string): object => {
  const whole = { ...emptyItem(item, id), status: 'completed' }
  if (item.type === 'message') return { ...whole, content: [outputText(item.text)] }
  if (item.type === 'reasoning') return { ...whole, summary: [{ type: 'summary_text', text: item.text }] }
  return { ...whole, arguments: item.text }
}

const headOf = ({ id, model, created }: ReplyFrame) => ({
  id: `resp_${id}`,
  object: 'response',
  created_at: created,
  model,
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  parallel_tool_calls: true,
  temperature: null,
  tool_choice: 'auto',
  tools: [],
  top_p: null,
})

function endedResponse(
  frame: ReplyFrame,
  output: readonly object[],
  reason: string,
  usage: AgentReply['usage'] = {},
): object {
  const { input = 0, output: written = 0, cached = 0, reasoning = 0 } = usage
  const short = { length: 'max_output_tokens', 'content-filter': 'content_filter' }[reason]
  return {
    ...headOf(frame),
    ...(short ? { status: 'incomplete', incomplete_details: { reason: short } } : { status: 'completed' }),
    output,
    usage: {
      input_tokens: input,
      output_tokens: written,
      total_tokens: input + written,
      input_tokens_details: { cached_tokens: cached },
      output_tokens_details: { reasoning_tokens: reasoning },
    },
  }
}
