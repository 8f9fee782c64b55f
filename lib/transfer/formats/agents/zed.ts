import { idOf, isRecord, type Json, type JsonRecord, listAt, recordAt, textAt } from '../../json/values'
import { base64File, type ReadContext, textFile } from '../../parts/files'
import { callPart, errorPart, type ReadParts, readBlocks } from '../../parts/read-blocks'
import type { Entry } from '../../tree/entries'
import { chainId } from '../../tree/source-node'
import { tableFormat } from '../table'

/** A text thread of Zed, one text with the places where messages begin; or a thread of its agent, of any version. */
export const zed = tableFormat({
  source: 'zed',
  program: 'Zed',
  silent: [
    // a text thread is one text, of which each message has its part
    '.text',
    ...['slash_command_output_sections', 'initial_project_snapshot', 'detailed_summary_state', 'profile'],
    ...[
      'cumulative_token_usage',
      'request_token_usage',
      'creases',
      'raw_input',
      'thought_process_output_sections',
    ],
  ],
  recognises: (value) =>
    (typeof value.text === 'string' && (value.zed === 'context' || 'message_metadata' in value)) ||
    (listAt(value, 'messages').some(isOfAgent) && 'updated_at' in value),
  id: 'id',
  title: ['summary', 'title'],
  updatedAt: 'updated_at',
  model: 'model.model',
  messages: 'messages',
  entries: (value, { problems }) => {
    const list = listAt(value, 'messages')
    const text = typeof value.text === 'string' ? Buffer.from(value.text) : null
    const found = list.flatMap((item, index) =>
      text ? textMessage({ ...value, text }, item, list[index + 1]) : agentMessage(item),
    )
    const [first] = list
    if (isRecord(first) && Number(first.start) > 0)
      problems.say('What stands before the first message of the thread is left out.')
    // “Resume” says that a reply went on, and is no message
    const skipped = list.filter((item) => item !== 'Resume').length - found.length
    if (skipped > 0) problems.count('no message', skipped)
    const entries: Entry[] = []
    for (const message of found) {
      const parentId = entries.at(-1)?.id ?? null
      entries.push({ id: chainId(parentId, String(message.role), message.content), parentId, message })
    }
    return { entries, skipped: Math.max(0, skipped), current: entries.at(-1)?.id ?? null }
  },
  message: {
    role: 'role',
    createdAt: 'createdAt',
    isHidden: 'is_hidden',
    files: (message) => {
      const context = textAt(message, 'context')
      return context === null ? [] : [textFile(context, 'context.txt')]
    },
    parts: partsOf,
  },
})

const isOfAgent = (item: Json) =>
  isRecord(item) && ('segments' in item || 'tool_uses' in item || 'User' in item || 'Agent' in item)

/** The part of the text of a thread that a message is: places are counted in bytes. */
function textMessage(thread: JsonRecord & { text: Buffer }, item: Json, next: Json): JsonRecord[] {
  if (!isRecord(item) || typeof item.start !== 'number') return []
  const { text } = thread
  const end = isRecord(next) && typeof next.start === 'number' ? next.start : text.length
  const id = isRecord(item.id) ? item.id : { value: item.id }
  const old = recordAt(recordAt(thread, 'message_metadata'), String(id.value))
  const { role, timestamp, status } = { ...old, ...recordAt(item, 'metadata') }
  const error = textAt(status, 'Error')
  const content = text.toString('utf8', item.start, end).trim()
  return [{ role, createdAt: isRecord(timestamp) ? undefined : timestamp, content, error }]
}

/** A message of the agent: since version 0.3 its role is the key that it stands under. */
function agentMessage(item: Json): JsonRecord[] {
  if (!isRecord(item)) return []
  for (const [key, role] of [
    ['User', 'user'],
    ['Agent', 'assistant'],
  ] as const)
    if (isRecord(item[key])) return [{ ...item[key], role }]
  if (!('role' in item)) return []
  return [{ ...item, content: item.segments ?? item.text ?? '' }]
}

function partsOf(message: JsonRecord, context: ReadContext, id: string): ReadParts {
  const blocks = Array.isArray(message.content) ? message.content.map(typed) : message.content
  const read = readBlocks(blocks, context, id)
  for (const [index, use] of listAt(message, 'tool_uses').entries()) {
    const { id: callId, input } = isRecord(use) ? use : {}
    const place = `${id}-use-${index}`
    read.parts.push(callPart({ id: idOf(callId), name: textAt(use, 'name'), input, place }))
  }
  const results = Array.isArray(message.tool_results)
    ? message.tool_results
    : Object.values(recordAt(message, 'tool_results'))
  for (const result of results) {
    if (!isRecord(result)) continue
    const { content } = result
    const image = recordAt(content, 'Image')
    read.answers.push({
      callId: idOf(result.tool_use_id),
      toolName: textAt(result, 'tool_name'),
      output: isRecord(content) ? (content.Text ?? '') : (content ?? result.output ?? ''),
      failed: result.is_error === true,
      files: typeof image.source === 'string' ? [base64File(image.source, 'image/png')] : [],
    })
  }
  read.parts.push(...errorPart(textAt(message, 'error')))
  return read
}

/** A block that tells its type by its one key, as a block with a field `type`. */
function typed(block: Json): Json {
  if (!isRecord(block) || typeof block.type === 'string') return block
  const { Text, Thinking, ToolUse, Image, Mention } = block
  if (typeof Text === 'string') return { type: 'text', text: Text }
  if (isRecord(Thinking)) return { ...Thinking, type: 'thinking' }
  if (isRecord(ToolUse)) return { ...ToolUse, type: 'tool_use' }
  if (isRecord(Image)) return { type: 'image', source: { data: Image.source, media_type: 'image/png' } }
  if (isRecord(Mention)) return { type: 'text', text: textAt(Mention, 'content') ?? '' }
  return 'RedactedThinking' in block ? { type: 'redacted_thinking' } : block
}
