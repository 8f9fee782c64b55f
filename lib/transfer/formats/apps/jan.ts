import { isRecord, type Json, type JsonRecord, listAt, recordAt, textAt } from '../../json/values'
import { filesAt } from '../../parts/files'
import {
  answerOf,
  callPart,
  callsFirst,
  type ReadParts,
  readBlocks,
  reasoningPart,
} from '../../parts/read-blocks'
import { noLinks } from '../../tree/entries'
import { type ChatContext, linesFormat } from '../format'
import { chatsByTable, type SourceTable } from '../table'

const table: SourceTable = {
  source: 'jan',
  id: 'id',
  messages: 'messages',
  tree: noLinks,
  message: {
    role: 'role',
    createdAt: 'created_at',
    model: ({ role, metadata }) =>
      role === 'user'
        ? undefined
        : (textAt(metadata, 'model') ?? textAt(recordAt(metadata, 'assistant'), 'model')),
    files: (message, context) => filesAt(message, ['attachments'], context),
    parts: partsOf,
  },
}

/** The `messages.jsonl` of a thread of Jan: a message a line, in the form of OpenAI's threads. */
export const jan = linesFormat({
  source: table.source,
  program: 'Jan',
  silent: ['assistant', 'usage', 'tokenSpeed', 'assistant_id'],
  recognises: (first) => isRecord(first) && first.object === 'thread.message' && 'thread_id' in first,
  read(lines, context) {
    const threads = Map.groupBy(lines, (line) => textAt(line, 'thread_id'))
    return chatsByTable(
      [...threads].map(([id, messages]) => ({ id, messages })),
      table,
      context,
    )
  },
})

function partsOf(message: JsonRecord, context: ChatContext, id: string): ReadParts {
  const read: ReadParts = { parts: [], answers: [] }
  for (const [index, block] of listAt(message, 'content').entries()) {
    const place = `${id}-${index}`
    const text = textAt(recordAt(block, 'text'), 'value') ?? textAt(block, 'text')
    if (isRecord(block) && block.type === 'reasoning') read.parts.push(...reasoningPart(text ?? ''))
    else if (isRecord(block) && block.type === 'tool_call') addCall(block, context, place, read)
    else readBlocks([block], context, place, read)
  }
  const calls = listAt(message.metadata, 'tool_calls')
    .filter(isRecord)
    .map((call, index) => {
      const tool = recordAt(call, 'tool')
      const { name, arguments: input } = recordAt(tool, 'function')
      return addCall(
        { tool_call_id: tool.id, tool_name: name, input, output: call.response },
        context,
        `${id}-call-${index}`,
        read,
      )
    })
  return calls.length === 0 ? read : { ...read, parts: callsFirst(read.parts) }
}

function addCall(call: JsonRecord, context: ChatContext, place: string, read: ReadParts): void {
  const callId = textAt(call, 'tool_call_id') ?? place
  const toolName = textAt(call, 'tool_name')
  read.parts.push(callPart({ id: callId, name: toolName, input: call.input, place }))
  const { output } = call
  if (output === undefined || output === null) return
  const error = textAt(output, 'error')
  const given: Json = error ?? (isRecord(output) && Array.isArray(output.content) ? output.content : output)
  read.answers.push({ callId, toolName, failed: error !== null, ...answerOf(given, context, place) })
}
