import type { AgentReply } from '../../agent-call'
import { collector } from '../shared/collector'
import { errorWords, usageOf } from '../shared/openai'
import { ReplyBuilder } from '../shared/reply-builder'
import { type Fields, fieldsOf, given, listOf, textOf } from '../shared/values'

/** A whole answer of OpenAI's responses. */
export function readReply(body: unknown): AgentReply {
  const answer = fieldsOf(body)
  const builder = new ReplyBuilder()
  for (const [at, item] of listOf(answer.output).map(fieldsOf).entries()) {
    builder.itemId(textOf(item.id))
    takeItem(builder, `${at}`, item)
  }
  if (answer.object === 'response') noteAnswer(builder, answer)
  else builder.note({ brokenOff: errorWords(answer.error) })
  return builder.reply()
}

/** An answer of OpenAI's responses as an event stream. */
export const collect = () => {
  const streamed = new Set<string>()
  return collector((builder, data) => {
    const event = fieldsOf(data)
    const key = String(event.output_index)
    const delta = textOf(event.delta) ?? ''
    switch (event.type) {
      case 'response.created':
        return builder.note(given({ ...namesOf(fieldsOf(event.response)) }))
      case 'response.output_item.added':
        return takeBegun(builder, key, fieldsOf(event.item))
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        streamed.add(key)
        return builder.add('text', `${key} text`, delta)
      case 'response.reasoning_summary_part.added':
        if (streamed.has(key)) builder.add('reasoning', key, '\n')
        return
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        streamed.add(key)
        return builder.add('reasoning', key, delta)
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta':
        return builder.call(key, { input: delta })
      case 'response.output_item.done': {
        const item = fieldsOf(event.item)
        builder.itemId(textOf(item.id))
        if (!streamed.has(key)) return takeItem(builder, key, item)
        // its words have come as deltas, unless a server sends none
        keepReasoning(builder, key, item)
        return keepUnread(builder, key, item)
      }
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        noteAnswer(builder, fieldsOf(event.response))
        return builder.stop()
      case 'error':
        return builder.note({ brokenOff: errorWords(event.error ?? event) })
    }
  })
}

function takeBegun(builder: ReplyBuilder, key: string, item: Fields): void {
  if (item.type === 'function_call' || item.type === 'custom_tool_call')
    builder.call(key, given({ id: textOf(item.call_id), name: textOf(item.name) }))
  else if (!isSpoken(item)) builder.item(key, 'responses', item)
}

/** Messages and thoughts of a model come in pieces. */
const isSpoken = ({ type }: Fields): boolean => type === 'message' || type === 'reasoning'

/** Parts of a reply that are no text. */
function keepUnread(builder: ReplyBuilder, key: string, { type, content }: Fields): void {
  if (type !== 'message') return
  for (const [at, part] of listOf(content).map(fieldsOf).entries())
    if (textOf(part.text ?? part.refusal) === undefined) builder.item(`${key} ${at}`, 'responses', part)
}

function takeItem(builder: ReplyBuilder, key: string, item: Fields): void {
  if (item.type === 'message') {
    for (const part of listOf(item.content).map(fieldsOf))
      builder.add('text', `${key} text`, textOf(part.text ?? part.refusal) ?? '')
    keepUnread(builder, key, item)
  } else if (item.type === 'reasoning') {
    const texts = [...listOf(item.summary), ...listOf(item.content)].flatMap(
      (part) => textOf(fieldsOf(part).text) ?? [],
    )
    if (texts.length > 0) builder.add('reasoning', key, texts.join('\n'))
    keepReasoning(builder, key, item)
  } else {
    const custom = item.type === 'custom_tool_call'
    takeBegun(builder, key, item)
    if (!custom && item.type !== 'function_call') return
    const input = textOf(custom ? item.input : item.arguments)
    if (input !== undefined) builder.callInput(key, input)
  }
}

function keepReasoning(builder: ReplyBuilder, key: string, { type, id, encrypted_content }: Fields): void {
  const encrypted = textOf(encrypted_content)
  if (type !== 'reasoning' || encrypted === undefined) return
  const kept = given({ itemId: textOf(id), reasoningEncryptedContent: encrypted }) as Record<string, string>
  builder.keep(key, { openai: kept })
}

const namesOf = ({ id, model }: Fields) => ({ responseId: textOf(id), model: textOf(model) })

function noteAnswer(builder: ReplyBuilder, answer: Fields): void {
  builder.note(given({ ...namesOf(answer), usage: usageOf(answer.usage) }))
  if (answer.status === 'failed') {
    builder.note({ brokenOff: errorWords(answer.error) })
    return
  }
  builder.note({ finishReason: reasonOf(answer) })
  if (answer.status === 'completed' || answer.status === 'incomplete') builder.close()
}

function reasonOf({ status, incomplete_details, output }: Fields): string {
  if (status === 'incomplete')
    return fieldsOf(incomplete_details).reason === 'content_filter' ? 'content-filter' : 'length'
  const calls = listOf(output).some((item) => String(fieldsOf(item).type).endsWith('_call'))
  return calls ? 'tool-calls' : 'stop'
}
