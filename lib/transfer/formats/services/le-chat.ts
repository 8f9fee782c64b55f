import { idOf, isRecord, type Json, type JsonRecord, listAt, maybeJson, textAt } from '../../json/values'
import { filesAt, textFile } from '../../parts/files'
import { callPart, type ReadParts, readBlocks, sourceParts } from '../../parts/read-blocks'
import type { Entry } from '../../tree/entries'
import { type ChatContext, linesFormat, webChat } from '../format'
import { chatsByTable, type SourceTable } from '../table'

const table: SourceTable = {
  source: 'le-chat',
  id: 'id',
  origin: (value) => webChat('https://chat.mistral.ai/chat/', idOf(value.id)),
  messages: 'messages',
  entries: (value, { problems }) => entriesIn(listAt(value, 'messages'), problems.count.bind(problems)),
  message: {
    role: 'role',
    createdAt: 'createdAt',
    model: 'model',
    files: (message, context) => filesAt(message, ['files'], context),
    parts: partsOf,
  },
}

/**
 * A chat of Mistral's Le Chat: a list of messages with `chatId`. A reply that was made again has the id of the one before with a
 * higher `version`.
 */
export const leChat = linesFormat({
  source: table.source,
  program: 'Le Chat',
  silent: ['reaction'],
  recognises: (first) => isRecord(first) && 'chatId' in first && 'role' in first && 'version' in first,
  read: (messages, context) => {
    const chats = Map.groupBy(messages, (message) => (isRecord(message) ? (idOf(message.chatId) ?? '') : ''))
    return chatsByTable(
      [...chats].map(([id, own]) => ({ id, messages: own })),
      table,
      context,
    )
  },
})

function entriesIn(messages: readonly Json[], count: (kind: 'no message') => void) {
  const newest = new Map<string, number>()
  const entries: Entry[] = []
  let skipped = 0
  const versionOf = (message: JsonRecord) => (typeof message.version === 'number' ? message.version : 0)
  const named = (id: string, version: number) => (version === 0 ? id : `${id}-v${version}`)
  for (const message of messages) {
    if (!isRecord(message)) continue
    const id = idOf(message.id) ?? ''
    newest.set(id, Math.max(newest.get(id) ?? 0, versionOf(message)))
  }
  for (const message of messages) {
    if (!isRecord(message)) {
      count('no message')
      skipped += 1
      continue
    }
    const parent = idOf(message.parentId)
    const above = parent === null ? undefined : (idOf(message.parentVersion) ?? newest.get(parent))
    entries.push({
      id: named(idOf(message.id) ?? '', versionOf(message)),
      parentId: parent === null ? null : named(parent, Number(above ?? 0)),
      message,
    })
  }
  return { entries, skipped }
}

/** The parts of a message: chunks, where it has them, or its content; with its canvas as files. */
function partsOf(message: JsonRecord, context: ChatContext, id: string): ReadParts {
  const chunks = listAt(message, 'contentChunks')
  const read = readBlocks(chunks.length === 0 ? message.content : [], context, id)
  for (const [index, chunk] of chunks.entries()) {
    const place = `${id}-${index}`
    if (isRecord(chunk) && chunk.type === 'tool_call') {
      const callId = idOf(chunk.id) ?? place
      const toolName = textAt(chunk, 'name')
      read.parts.push(callPart({ id: callId, name: toolName, input: chunk.publicArguments, place }))
      const output = maybeJson(chunk.publicResult)
      const pages = isRecord(output) ? [...listAt(output, 'urls'), ...listAt(output, 'sources')] : []
      read.answers.push({ callId, toolName, output, failed: false, files: sourceParts(pages, place) })
    } else if (isRecord(chunk) && chunk.type === 'reference') {
      // numbers of the sources: the words name them
      read.parts.push(...sourceParts(listAt(chunk, 'references'), place))
    } else readBlocks([chunk], context, place, read)
  }
  for (const canvas of listAt(message, 'canvas')) {
    const content = textAt(canvas, 'content')
    if (content) read.parts.push(textFile(content, textAt(canvas, 'title')))
  }
  for (const quote of listAt(message, 'quotes')) {
    const { parts } = readBlocks(
      isRecord(quote) ? (textAt(quote, 'text') ?? textAt(quote, 'content')) : quote,
      context,
      id,
    )
    read.parts.unshift(...parts)
  }
  return read
}
