import type { ModelMessage } from 'ai'
import { contentOf } from '../../chain'
import { isKept } from '../../kept'
import type { CallWriter } from '../protocol'
import { type Fields, fieldsOf, listOf, textOf } from '../shared/values'
import {
  answersIn,
  callOf,
  inputText,
  keptOf,
  linkOf,
  namedFile,
  type SentFile,
  type Written,
  writtenParts,
} from '../shared/write-call'

export const writer: CallWriter = {
  field: 'input',
  follows: ['previous_response_id', 'conversation'],
  write,
  conversation,
}

function write(body: Fields): (message: ModelMessage) => Fields[] {
  const free = freeTools(body)
  return (message) => written(message, free)
}

function written(message: ModelMessage, free: ReadonlySet<string>): Fields[] {
  switch (message.role) {
    case 'system':
      return itemsWith('developer', writtenParts(message))
    case 'user':
      return itemsWith('user', writtenParts(message))
    case 'assistant':
      return contentOf(message).flatMap((part) => replyItems(part, free))
    case 'tool':
      return answersIn(message).map((answer) => {
        if ('item' in answer) return fieldsOf(answer.item)
        return { type: 'function_call_output', call_id: answer.id, output: outputWith(answer.parts) }
      })
  }
}

/** The words of a person, or of an instruction; items that are kept whole stand for themselves. */
function itemsWith(role: string, parts: readonly Written[]): Fields[] {
  const whole = parts.flatMap((part) => ('item' in part && isWhole(fieldsOf(part.item)) ? [part.item] : []))
  const content = parts.flatMap((part) =>
    'item' in part ? (isWhole(fieldsOf(part.item)) ? [] : [fieldsOf(part.item)]) : [inputPart(part)],
  )
  return [...whole.map(fieldsOf), ...(content.length > 0 ? [{ type: 'message', role, content }] : [])]
}

const isWhole = (item: Fields): boolean => 'role' in item || item.type === 'item_reference'

const inputPart = (part: Exclude<Written, { item: unknown }>): Fields =>
  part.kind === 'text' ? { type: 'input_text', text: part.text } : filePart(part.file)

function filePart(file: SentFile): Fields {
  const { mediaType, filename, data, url } = file
  if (mediaType.startsWith('image')) return { type: 'input_image', image_url: linkOf(file) }
  if (data === undefined) return { type: 'input_file', file_url: url }
  if (mediaType.startsWith('application/')) return { type: 'input_file', filename, file_data: linkOf(file) }
  return { type: 'input_text', text: namedFile(file) }
}

/** The names of the tools of a call that take any text; some come as an item of the input. */
function freeTools({ tools, input }: Fields): ReadonlySet<string> {
  const added = listOf(input).flatMap((item) => listOf(fieldsOf(item).tools))
  const offered = [...listOf(tools), ...added].map(fieldsOf)
  return new Set(offered.flatMap(({ type, name }) => (type === 'custom' ? (textOf(name) ?? []) : [])))
}

function replyItems(part: Fields, free: ReadonlySet<string>): Fields[] {
  if (isKept(part)) {
    const item = fieldsOf(part.item)
    return [isPiece(item) ? { type: 'message', role: 'assistant', content: [item] } : item]
  }
  const called = callOf(part)
  if (called) {
    const { id: call_id, name, input } = called
    return free.has(name)
      ? [{ type: 'custom_tool_call', call_id, name, input: inputText(input) }]
      : [{ type: 'function_call', call_id, name, arguments: inputText(input) }]
  }
  if (part.type === 'text') {
    const content = [{ type: 'output_text', text: String(part.text) }]
    return part.text === '' ? [] : [{ type: 'message', role: 'assistant', content }]
  }
  const { reasoningEncryptedContent: encrypted_content } = keptOf(part, 'openai')
  if (part.type !== 'reasoning' || encrypted_content === undefined) return []
  const summary = part.text === '' ? [] : [{ type: 'summary_text', text: String(part.text) }]
  return [{ type: 'reasoning', summary, encrypted_content }]
}

/** Tells whether a kept part is a piece of the model's words, and no item. */
const isPiece = ({ type }: Fields): boolean => String(type).startsWith('output_')

function outputWith(parts: readonly Written[]): string | Fields[] {
  const texts = parts.map((part) => ('item' in part || part.kind !== 'text' ? undefined : part.text))
  if (texts.every((text) => text !== undefined)) return texts.join('\n')
  return parts.map((part) => ('item' in part ? fieldsOf(part.item) : inputPart(part)))
}

/** Every call has its answer, of the kind that it asks for, and nothing that was thought leads to nothing. */
function conversation(items: readonly Fields[]): Fields[] {
  const called = new Map<unknown, number>()
  const answered = new Map<unknown, number>()
  for (const [at, item] of items.entries()) {
    const id = partnerOf(item)
    if (id === undefined) continue
    if (isAnswer(item)) {
      if (called.has(id)) answered.set(id, at)
    } else called.set(id, at)
  }
  const paired = items.flatMap((item): Fields[] => {
    const id = partnerOf(item)
    if (id === undefined) return [item]
    if (!answered.has(id)) return []
    const call = items[called.get(id) ?? -1]
    if (item.type === 'function_call_output' && call?.type === 'custom_tool_call')
      return [{ ...item, type: 'custom_tool_call_output' }]
    return [item]
  })
  return paired.filter((item, at) => item.type !== 'reasoning' || leadsOn(paired, at))
}

const isAnswer = ({ type }: Fields): boolean => /_output$/.test(String(type))

/** The id that a call and its answer have in common. */
function partnerOf({ type, call_id, id }: Fields): unknown {
  if (call_id !== undefined) return call_id
  return type === 'local_shell_call_output' ? id : undefined
}

function leadsOn(items: readonly Fields[], at: number): boolean {
  const next = items.slice(at + 1).find(({ type }) => type !== 'reasoning')
  if (!next || isAnswer(next)) return false
  return (next.type ?? 'message') !== 'message' || next.role === 'assistant'
}
