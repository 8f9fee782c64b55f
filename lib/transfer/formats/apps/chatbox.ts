import { idOf, isRecord, type Json, type JsonRecord, listAt, recordAt, textAt } from '../../json/values'
import { fileAt, fileIn } from '../../parts/files'
import {
  errorPart,
  type ReadParts,
  readBlocks,
  reasoningPart,
  sourceParts,
  textPart,
} from '../../parts/read-blocks'
import { type Entry, entriesOf, noLinks } from '../../tree/entries'
import type { ChatContext } from '../format'
import { tableFormat } from '../table'

/**
 * Chatbox: a backup with a key for each session, or one session. A session has the messages that are shown, earlier threads of
 * it, and under the id of a message the other ways in which the chat went on after it.
 */
export const chatbox = tableFormat({
  source: 'chatbox',
  program: 'Chatbox',
  silent: ['settings', 'configs', 'chat-sessions-list', 'remoteConfig', 'tokenCountMap', 'errorExtra'],
  recognises: (value) => chatsIn(value).length > 0,
  chats: chatsIn,
  id: 'id',
  title: ['name', 'threadName'],
  isPinned: 'starred',
  messages: 'messages',
  entries: entriesIn,
  message: {
    role: 'role',
    createdAt: 'timestamp',
    model: 'model',
    speaker: ({ role, name }) => (role === 'user' || role === 'assistant' ? name : undefined),
    files: (message, context) => listAt(message, 'files').flatMap((file) => fileOf(file, context)),
    parts: partsOf,
  },
})

function chatsIn(value: JsonRecord): readonly Json[] {
  if (isSession(value)) return [value]
  const named = Object.entries(value).flatMap(([key, session]) =>
    key.startsWith('session:') ? [session] : [],
  )
  return [...named, ...listAt(value, 'chat-sessions')].filter(isSession)
}

const isSession = (value: Json): value is JsonRecord =>
  isRecord(value) &&
  Array.isArray(value.messages) &&
  ('messageForksHash' in value ||
    'threadName' in value ||
    value.messages.some((message) => Array.isArray(isRecord(message) && message.contentParts)) ||
    (value.type === 'chat' && textAt(value, 'name') !== null))

function entriesIn(session: JsonRecord, { problems }: ChatContext) {
  const entries: Entry[] = []
  let skipped = 0
  const add = (messages: Json, parentId: string | null): string | null => {
    const chain = entriesOf(Array.isArray(messages) ? messages : [], problems, noLinks)
    skipped += chain.skipped
    for (const entry of chain.entries) entries.push({ ...entry, parentId: entry.parentId ?? parentId })
    return chain.entries.at(-1)?.id ?? null
  }
  const current = add(session.messages, null)
  const threads = listAt(session, 'threads').map((thread) => ({
    name: textAt(thread, 'name') ?? 'Thread',
    headId: add(listAt(thread, 'messages'), null),
  }))
  for (const [anchor, fork] of Object.entries(recordAt(session, 'messageForksHash')))
    for (const list of listAt(fork, 'lists')) add(listAt(list, 'messages'), anchor)
  const branches = threads.flatMap(({ name, headId }) => (headId === null ? [] : [{ name, headId }]))
  const ownName = textAt(session, 'threadName')
  if (current !== null && ownName !== null && threads.length > 0)
    branches.unshift({ name: ownName, headId: current })
  return { entries, skipped, current, branches }
}

const fileOf = (file: Json, context: ChatContext) =>
  fileIn(
    isRecord(file) ? { ...file, mimeType: file.fileType, id: file.storageKey ?? file.id } : file,
    context,
  )

function partsOf(message: JsonRecord, context: ChatContext, id: string): ReadParts {
  const blocks = listAt(message, 'contentParts')
  const read: ReadParts = { parts: [], answers: [] }
  // an older one has a text, and thoughts and pictures beside it
  read.parts.push(...reasoningPart(textAt(message, 'reasoningContent') ?? ''))
  for (const picture of listAt(message, 'pictures')) read.parts.push(...pictureOf(picture, context))
  for (const [index, block] of (blocks.length === 0 ? [message.content] : blocks).entries()) {
    if (isRecord(block) && block.type === 'image') read.parts.push(...pictureOf(block, context))
    else if (isRecord(block) && block.type === 'info')
      read.parts.push(...textPart(textAt(block, 'text') ?? ''))
    else {
      const isError = isRecord(block) && block.state === 'error'
      const given = isError ? { ...block, isError } : block
      readBlocks(given, context, `${id}-${index}`, read)
    }
  }
  read.parts.push(...sourceParts(listAt(message, 'links'), id))
  read.parts.push(...errorPart(textAt(message, 'error')))
  return read
}

const pictureOf = (picture: Json, context: ChatContext) => {
  const address = textAt(picture, 'url') ?? idOf(isRecord(picture) ? picture.storageKey : undefined)
  return address === null ? [] : [fileAt(context, address, { kind: 'Picture' })]
}
