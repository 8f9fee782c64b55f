import type { ModelMessage } from 'ai'
import { contentOf } from '../../chain'
import { isKept } from '../../kept'
import type { CallWriter } from '../protocol'
import { type Fields, fieldsOf, listOf, textOf } from '../shared/values'
import {
  answersIn,
  callOf,
  keptOf,
  namedFile,
  onlyText,
  type SentFile,
  type Written,
  type WrittenAnswer,
  wholeMessage,
  writtenParts,
} from '../shared/write-call'

export const writer: CallWriter = { field: 'messages', follows: ['thread'], write: () => write, conversation }

function write(message: ModelMessage): Fields[] {
  switch (message.role) {
    case 'system':
    case 'user': {
      const parts = writtenParts(message)
      const whole = wholeMessage(parts)
      if (whole) return [whole]
      return parts.length === 0 ? [] : [{ role: 'user', content: parts.map(blockOf) }]
    }
    case 'assistant': {
      const content = contentOf(message).flatMap(replyBlocks)
      return content.length === 0 ? [] : [{ role: 'assistant', content }]
    }
    case 'tool': {
      const content = answersIn(message).map((answer) =>
        'item' in answer ? unmarked(answer.item) : resultBlock(answer),
      )
      return content.length === 0 ? [] : [{ role: 'user', content }]
    }
  }
}

function resultBlock({ id, parts, isError }: WrittenAnswer) {
  return {
    type: 'tool_result',
    tool_use_id: validId(id),
    content: onlyText(parts) ?? parts.map(blockOf),
    ...(isError && { is_error: true }),
  }
}

/** A kept block without its mark for the cache: a call has four marks at most, and the client sets them. */
function unmarked(item: unknown): Fields {
  const { cache_control: _, ...block } = fieldsOf(item)
  return block
}

function blockOf(part: Written): Fields {
  if ('item' in part) return unmarked(part.item)
  return part.kind === 'text' ? { type: 'text', text: part.text } : fileBlock(part.file)
}

function fileBlock(file: SentFile): Fields {
  const { mediaType, data, url } = file
  const source = data === undefined ? { type: 'url', url } : { type: 'base64', media_type: mediaType, data }
  if (mediaType.startsWith('image')) return { type: 'image', source }
  if (mediaType === 'application/pdf') return { type: 'document', source }
  return { type: 'text', text: namedFile(file) }
}

function replyBlocks(part: Fields): Fields[] {
  if (isKept(part)) return [unmarked(part.item)]
  const called = callOf(part)
  if (called) {
    const { id, name, input } = called
    const fields = fieldsOf(input) === input ? input : { input }
    return [{ type: 'tool_use', id: validId(id), name: validId(name).slice(0, 128), input: fields }]
  }
  if (part.type === 'text') return String(part.text).trim() === '' ? [] : [{ type: 'text', text: part.text }]
  if (part.type !== 'reasoning') return []
  const { signature, redactedData: data } = keptOf(part, 'anthropic')
  if (data !== undefined) return [{ type: 'redacted_thinking', data }]
  return signature === undefined ? [] : [{ type: 'thinking', thinking: part.text, signature }]
}

/** Other providers' ids may have signs that Anthropic refuses. */
const validId = (id: string): string => id.replaceAll(/[^a-zA-Z0-9_-]/g, '_')

/** The answers of tools open the message right below their calls. Marks for the cache are as many as the client sent, at most. */
function conversation(items: readonly Fields[], body: Fields): Fields[] {
  const joined: Fields[] = []
  for (const item of items) {
    const last = joined.at(-1)
    const isOne =
      last !== undefined &&
      last.role === item.role &&
      (item.role === 'assistant' ? blocksOf(last, 'tool_use').length > 0 : isAnswers(last))
    if (isOne) joined[joined.length - 1] = { ...last, content: [...listed(last), ...listed(item)] }
    else joined.push(item)
  }
  const paired = joined.flatMap((item, at): Fields[] => {
    const called = new Set(blocksOf(joined[at - 1], 'tool_use').map(({ id }) => id))
    const answered = new Set(blocksOf(joined[at + 1], 'tool_result').map(({ tool_use_id }) => tool_use_id))
    const content = listed(item)
    const kept = content.filter(({ type, id, tool_use_id }) => {
      if (type === 'tool_use' && item.role === 'assistant') return answered.has(id)
      return type !== 'tool_result' || item.role !== 'user' || called.has(tool_use_id)
    })
    if (kept.length === content.length) return [item]
    return kept.every(({ type }) => isThought(type)) ? [] : [{ ...item, content: kept }]
  })
  return marked(paired, body)
}

const isAnswers = (item: Fields): boolean => listed(item).every(({ type }) => type === 'tool_result')

const isThought = (type: unknown): boolean => type === 'thinking' || type === 'redacted_thinking'

const listed = ({ content }: Fields): Fields[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content).map(fieldsOf)

const blocksOf = (item: Fields | undefined, type: string): Fields[] =>
  item === undefined ? [] : listed(item).filter((block) => block.type === type)

/** The end is marked for the cache where the client has marked the end of its own messages, and others stand there now. */
function marked(items: Fields[], body: Fields): Fields[] {
  const sent = listOf(body.messages).map(fieldsOf)
  const mark = lastBlock(sent.at(-1))?.cache_control
  const last = items.at(-1)
  const block = lastBlock(last)
  const isFree = marksIn(items) < marksIn(sent)
  if (!mark || !last || !block || !isFree || block.cache_control || isThought(block.type)) return items
  const content = [...listed(last).slice(0, -1), { ...block, cache_control: mark }]
  return [...items.slice(0, -1), { ...last, content }]
}

const lastBlock = (item: Fields | undefined): Fields | undefined => item && listed(item).at(-1)

/** The number of marks for the cache, also within the answers of tools. */
const marksIn = (items: readonly Fields[]): number =>
  items.reduce((sum, item) => {
    const own = textOf(fieldsOf(item.cache_control).type) === undefined ? 0 : 1
    return sum + own + marksIn(listOf(item.content).map(fieldsOf))
  }, 0)
