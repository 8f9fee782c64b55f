import type { ModelMessage } from 'ai'
import { contentOf } from '../../chain'
import { isKept } from '../../kept'
import type { CallWriter } from '../protocol'
import { type Fields, fieldsOf, listOf, textOf } from '../shared/values'
import {
  answersIn,
  callOf,
  inputText,
  linkOf,
  namedFile,
  onlyText,
  type SentFile,
  type Written,
  wholeMessage,
  writtenParts,
} from '../shared/write-call'

export const writer: CallWriter = { field: 'messages', follows: [], write, conversation }

function write(body: Fields): (message: ModelMessage) => Fields[] {
  const free = freeTools(body)
  return (message) => written(message, free)
}

function written(message: ModelMessage, free: ReadonlySet<string>): Fields[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: contentWith(writtenParts(message)) }]
    case 'user': {
      const parts = writtenParts(message)
      const whole = wholeMessage(parts)
      if (whole) return [whole]
      return parts.length === 0 ? [] : [{ role: 'user', content: contentWith(parts) }]
    }
    case 'assistant':
      return [replyWith(contentOf(message), free)]
    case 'tool':
      return answersIn(message).flatMap((answer) => {
        if ('item' in answer) return []
        const content = answer.parts.map((part) =>
          'item' in part ? '' : part.kind === 'text' ? part.text : namedFile(part.file),
        )
        return [{ role: 'tool', tool_call_id: answer.id, content: content.filter(Boolean).join('\n') }]
      })
  }
}

/** The tools of a call that take any text. */
const freeTools = (body: Fields): ReadonlySet<string> =>
  new Set(listOf(body.tools).flatMap((tool) => textOf(fieldsOf(fieldsOf(tool).custom).name) ?? []))

function contentWith(parts: readonly Written[]): string | unknown[] {
  const text = onlyText(parts)
  if (text !== undefined) return text
  return parts.map((part) => {
    if ('item' in part) return part.item
    return part.kind === 'text' ? { type: 'text', text: part.text } : filePart(part.file)
  })
}

function filePart(file: SentFile): Fields {
  const { mediaType, filename, data } = file
  if (mediaType.startsWith('image')) return { type: 'image_url', image_url: { url: linkOf(file) } }
  if (data === undefined) return { type: 'text', text: namedFile(file) }
  if (mediaType.startsWith('audio/'))
    return { type: 'input_audio', input_audio: { data, format: mediaType.slice('audio/'.length) } }
  return { type: 'file', file: { filename, file_data: linkOf(file) } }
}

function replyWith(parts: readonly Fields[], free: ReadonlySet<string>): Fields {
  const texts = parts.flatMap(({ type, text }) => (type === 'text' ? [String(text)] : []))
  const calls: Fields[] = []
  const blocks: Fields[] = []
  let audio: unknown
  for (const part of parts) {
    const called = callOf(part)
    if (called) {
      const { id, name, input } = called
      if (free.has(name)) calls.push({ id, type: 'custom', custom: { name, input: inputText(input) } })
      else calls.push({ id, type: 'function', function: { name, arguments: inputText(input) } })
    } else if (isKept(part)) {
      const item = fieldsOf(part.item)
      if (item.type === 'audio') audio = item.audio
      // a call of another kind
      else if (String(item.type) in item) calls.push(item)
      else blocks.push(item)
    }
  }
  const said = texts.map((text) => ({ type: 'text', text }))
  const content = blocks.length > 0 ? [...said, ...blocks] : texts.join('') || null
  return {
    role: 'assistant',
    content,
    ...(audio !== undefined && { audio }),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}

/** The answers stand right below their calls. */
function conversation(items: readonly Fields[]): Fields[] {
  return items.flatMap((item, at) => {
    if (item.role === 'tool') return callsAbove(items, at).has(item.tool_call_id) ? [item] : []
    if (item.role !== 'assistant' || listOf(item.tool_calls).length === 0) return [item]
    const answered = answersBelow(items, at)
    const calls = listOf(item.tool_calls).filter((call) => answered.has(fieldsOf(call).id))
    if (calls.length > 0) return [{ ...item, tool_calls: calls }]
    const { tool_calls: _, ...rest } = item
    return rest.content || rest.audio || rest.function_call ? [rest] : []
  })
}

function callsAbove(items: readonly Fields[], at: number): ReadonlySet<unknown> {
  const reply = items.slice(0, at).findLast(({ role }) => role !== 'tool')
  return new Set(listOf(reply?.tool_calls).map((call) => fieldsOf(call).id))
}

function answersBelow(items: readonly Fields[], at: number): ReadonlySet<unknown> {
  const end = items.findIndex(({ role }, place) => place > at && role !== 'tool')
  return new Set(items.slice(at + 1, end < 0 ? items.length : end).map(({ tool_call_id }) => tool_call_id))
}
