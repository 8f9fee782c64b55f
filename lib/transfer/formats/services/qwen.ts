import { isRecord, type Json, type JsonRecord, jsonText, listAt, recordAt, textAt } from '../../json/values'
import { fileAt, filesAt, type ReadContext } from '../../parts/files'
import {
  callPart,
  errorPart,
  type ReadParts,
  readBlocks,
  reasoningPart,
  sourceParts,
  textPart,
} from '../../parts/read-blocks'
import { tableFormat } from '../table'

/**
 * The export of Qwen Chat: chats in `data`, each with the tree of Open WebUI. The words of a reply stand in
 * `content_list`.
 */
export const qwen = tableFormat({
  source: 'qwen',
  program: 'Qwen',
  silent: ['feature_config', 'chat_type', 'sub_chat_type', 'action', 'suggestions', 'models', 'annotation'],
  recognises: (value) => chatsIn(value).some(isOfQwen),
  chats: chatsIn,
  id: ['id', 'chat.id'],
  title: ['title', 'chat.title'],
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  current: ['chat.history.currentId', 'currentId'],
  isPinned: 'pinned',
  isArchived: 'archived',
  messages: 'chat.history.messages',
  message: {
    role: 'role',
    createdAt: 'timestamp',
    model: ({ role, modelName, model }) => (role === 'user' ? undefined : (modelName ?? model)),
    files: (message, context) => filesAt(message, ['files'], context),
    parts: partsOf,
  },
})

/** The chats of its export, of one chat that its page has loaded, or the chat itself. */
function chatsIn(value: JsonRecord): readonly Json[] {
  if (Array.isArray(value.data)) return value.data
  return [isRecord(value.data) ? value.data : value]
}

/** Open WebUI has the same tree, without what Qwen adds to each message. */
const isOfQwen = (chat: Json) =>
  Object.values(recordAt(recordAt(recordAt(chat, 'chat'), 'history'), 'messages')).some(
    (message) =>
      isRecord(message) && ['content_list', 'feature_config', 'chat_type'].some((key) => key in message),
  )

function partsOf(message: JsonRecord, context: ReadContext, id: string): ReadParts {
  const read: ReadParts = { parts: [], answers: [] }
  read.parts.push(...reasoningPart(textAt(message, 'reasoning_content') ?? ''))
  let answer = ''
  for (const [index, block] of listAt(message, 'content_list').entries()) {
    if (isRecord(block)) readPhase(block, context, `${id}-${index}`, read)
    if (isRecord(block) && block.phase === 'answer') answer += textAt(block, 'content') ?? ''
  }
  // an older chat has its words here, a newer one has them again
  if (message.content !== answer) readBlocks(message.content, context, id, read)
  const { error } = message
  const reason = isRecord(error)
    ? (['details', 'message', 'code'].flatMap((key) => textAt(error, key) ?? [])[0] ?? jsonText(error))
    : error
  read.parts.push(...errorPart(typeof reason === 'string' ? reason : null))
  return read
}

/** A step on the way to a reply. */
function readPhase(block: JsonRecord, context: ReadContext, place: string, read: ReadParts): void {
  const [content, extra, call] = [
    textAt(block, 'content') ?? '',
    recordAt(block, 'extra'),
    recordAt(block, 'function_call'),
  ]
  if (block.phase === 'think' || block.phase === 'thinking_summary') {
    read.parts.push(...reasoningPart([...summaries(extra), content].join('\n\n').trim()))
  } else if (block.phase === 'image_gen') {
    for (const url of content.split(/\s+/))
      if (url !== '') read.parts.push(fileAt(context, url, { kind: 'Picture' }))
  } else if (block.phase !== 'answer' && ('name' in call || extra.tool_result !== undefined)) {
    const callId = textAt(block, 'function_id') ?? place
    const toolName = textAt(call, 'name') ?? textAt(block, 'phase')
    const output = [extra.tool_result, content].find((found) => found !== undefined && found !== '') ?? ''
    read.parts.push(callPart({ id: callId, name: toolName, input: call.arguments, place }))
    read.answers.push({ callId, toolName, output, failed: false, files: [] })
  } else if (block.phase === 'answer' || block.phase === undefined || block.phase === null) {
    read.parts.push(...textPart(content))
  } else if (content !== '') {
    read.parts.push(...readBlocks([{ [String(block.phase)]: content }], context, place).parts)
  }
  read.parts.push(...sourceParts(extra.web_search_info, place))
}

/** Thoughts in short: headings and the text below each. */
function summaries(extra: JsonRecord): string[] {
  const [titles, thoughts] = ['summary_title', 'summary_thought'].map((key) =>
    listAt(recordAt(extra, key), 'content'),
  ) as [Json[], Json[]]
  return Array.from({ length: Math.max(titles.length, thoughts.length) }, (_, index) =>
    [titles[index] ? `**${titles[index]}**` : '', thoughts[index] ?? ''].filter(Boolean).join('\n\n'),
  )
}
