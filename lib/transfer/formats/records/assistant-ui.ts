import { isRecord, type Json, type JsonRecord, jsonText, listAt, recordAt, textAt } from '../../json/values'
import { fileIn, type ReadContext, textFile } from '../../parts/files'
import { errorPart, readBlocks } from '../../parts/read-blocks'
import { entriesOf } from '../../tree/entries'
import { tableFormat } from '../table'

/** A repository of assistant-ui: `headId`, and messages each with its `parentId` beside it, as `export()` or its cloud gives them. */
export const assistantUi = tableFormat({
  source: 'assistant-ui',
  program: 'assistant-ui',
  silent: ['metadata.steps', 'status', 'argsText', 'steps'],
  recognises: (value) => listAt(value, 'messages').some((item) => messageIn(item) !== null),
  id: ['id', 'threadId', 'thread_id', 'remoteId'],
  title: 'title',
  createdAt: ['createdAt', 'created_at'],
  updatedAt: ['updatedAt', 'updated_at'],
  current: ['headId', 'head_id'],
  isArchived: ({ status }) => status === 'archived',
  messages: 'messages',
  entries: (value, { problems }) =>
    entriesOf(
      listAt(value, 'messages').map((item) => messageIn(item) ?? item),
      problems,
    ),
  message: {
    role: 'role',
    createdAt: ['createdAt', 'created_at', 'metadata.custom.createdAt'],
    model: [
      'model',
      'metadata.custom.model',
      'metadata.custom.modelName',
      'metadata.model',
      'metadata.modelId',
    ],
    files: (message, context, id) =>
      listAt(message, 'attachments').flatMap((item) => attachmentIn(item, context, id)),
    parts: (message, context, id) => {
      const read = readBlocks(message.parts ?? message.content, context, id)
      const { error } = recordAt(message, 'status')
      const reason = typeof error === 'string' ? error : error === undefined ? '' : jsonText(error)
      read.parts.push(...errorPart(reason))
      return read
    },
  },
})

/** The message of an item, with the item's own facts. */
function messageIn(item: Json): JsonRecord | null {
  if (!isRecord(item)) return null
  const stored = isRecord(item.content) && 'role' in item.content ? item.content : null
  const message = isRecord(item.message) && 'role' in item.message ? item.message : stored
  if (message === null) return null
  const parentId = item.parentId ?? item.parent_id ?? null
  return { created_at: item.created_at, ...message, id: message.id ?? item.id, parentId }
}

/** A file that a message was sent with: its text for the model stands in blocks. */
function attachmentIn(item: Json, context: ReadContext, id: string) {
  const name = textAt(item, 'name')
  const blocks = listAt(item, 'content')
  if (blocks.length === 0) return fileIn(item, context)
  return blocks.flatMap((block) => {
    const text = isRecord(block) && block.type === 'text' ? textAt(block, 'text') : null
    if (text !== null) return [textFile(text, name)]
    return readBlocks([block], context, id).parts.map((part) =>
      part.type === 'file' && name !== null ? { ...part, filename: part.filename ?? name } : part,
    )
  })
}
