import type { AgentReply } from '../../agent-call'
import { collector } from '../shared/collector'
import { errorWords } from '../shared/openai'
import { ReplyBuilder } from '../shared/reply-builder'
import { type Fields, fieldsOf, given, listOf, numberOf, textOf } from '../shared/values'

/** A whole answer of Anthropic's messages. */
export function readReply(body: unknown): AgentReply {
  const answer = fieldsOf(body)
  const builder = new ReplyBuilder()
  if (answer.error !== undefined) builder.note({ brokenOff: errorWords(answer.error) })
  for (const [at, block] of listOf(answer.content).entries()) takeBlock(builder, `${at}`, fieldsOf(block))
  noteAnswer(builder, answer)
  if (answer.type === 'message') builder.close()
  return builder.reply()
}

/** An answer of Anthropic's messages as an event stream. */
export const collect = () =>
  collector((builder, data) => {
    const event = fieldsOf(data)
    const key = String(event.index)
    switch (event.type) {
      case 'message_start':
        return noteAnswer(builder, fieldsOf(event.message))
      case 'content_block_start':
        return takeBlock(builder, key, fieldsOf(event.content_block))
      case 'content_block_delta':
        return takeDelta(builder, key, fieldsOf(event.delta))
      case 'message_delta':
        return noteAnswer(builder, { ...fieldsOf(event.delta), usage: event.usage })
      case 'message_stop':
        return builder.end()
      case 'error':
        return builder.note({ brokenOff: errorWords(event.error) })
    }
  })

function takeBlock(builder: ReplyBuilder, key: string, block: Fields) {
  switch (block.type) {
    case 'text':
      return builder.add('text', key, textOf(block.text) ?? '')
    case 'thinking':
      builder.add('reasoning', key, textOf(block.thinking) ?? '')
      return keepSignature(builder, key, block)
    case 'redacted_thinking':
      return builder.keep(key, { anthropic: { redactedData: textOf(block.data) ?? '' } })
    case 'tool_use': {
      const input = Object.keys(fieldsOf(block.input)).length > 0 ? JSON.stringify(block.input) : undefined
      return builder.call(key, given({ id: textOf(block.id), name: textOf(block.name), input }))
    }
    default:
      return builder.item(key, 'messages', block)
  }
}

function takeDelta(builder: ReplyBuilder, key: string, delta: Fields) {
  const { type, ...added } = delta
  switch (type) {
    case 'text_delta':
      return builder.add('text', key, textOf(delta.text) ?? '')
    case 'thinking_delta':
      return builder.add('reasoning', key, textOf(delta.thinking) ?? '')
    case 'signature_delta':
      return keepSignature(builder, key, delta)
    case 'input_json_delta':
      return builder.call(key, given({ input: textOf(delta.partial_json) }))
    default:
      return builder.itemDelta(key, added)
  }
}

function keepSignature(builder: ReplyBuilder, key: string, { signature }: Fields): void {
  if (textOf(signature)) builder.keep(key, { anthropic: { signature: String(signature) } })
}

function noteAnswer(builder: ReplyBuilder, { id, model, stop_reason, usage }: Fields): void {
  const word = textOf(stop_reason)
  builder.note(
    given({
      responseId: textOf(id),
      model: textOf(model),
      usage: usageOf(fieldsOf(usage)),
      finishReason: word === undefined ? undefined : (reasons[word] ?? 'other'),
    }),
  )
}

const reasons: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  tool_use: 'tool-calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'content-filter',
}

/** Anthropic counts tokens read from its cache, and written into it, apart from the input. */
function usageOf(usage: Fields): AgentReply['usage'] {
  const read = numberOf(usage.cache_read_input_tokens)
  const fresh = numberOf(usage.input_tokens)
  const input =
    fresh === undefined ? undefined : fresh + (read ?? 0) + (numberOf(usage.cache_creation_input_tokens) ?? 0)
  return given({ input, output: numberOf(usage.output_tokens), cached: read })
}
