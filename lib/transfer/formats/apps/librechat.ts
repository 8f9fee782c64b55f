import type { ForeignPart } from '../../foreign-chat'
import { idOf, isRecord, type Json, type JsonRecord, listAt, recordAt, textAt } from '../../json/values'
import { fileAt, filePart, type ReadContext } from '../../parts/files'
import { readBlocks, reasoningPart, textPart } from '../../parts/read-blocks'
import { dateIn, type SourceNode } from '../../tree/source-node'
import { type ChatFormat, chatOf, madeId } from '../format'

/** The parent id of a chat's first messages. */
const noParent = '00000000-0000-0000-0000-000000000000'

const isMessage = (value: Json) => isRecord(value) && ('messageId' in value || 'isCreatedByUser' in value)

/** An export of LibreChat: a list with `parentMessageId`, or messages with their `children` in them. */
export const librechat: ChatFormat = {
  source: 'librechat',
  program: 'LibreChat',
  recognises: (value) => {
    const messages = messagesIn(value)
    return messages.length > 0 ? messages.some(isMessage) : 'conversationId' in value && 'messages' in value
  },
  read(value, context) {
    const { problems } = context
    const found = flatten(messagesIn(value))
    const messages = found.filter(({ message }) => isRecord(message))
    const skipped = found.length - messages.length
    if (skipped > 0) problems.count('no message', skipped)
    const options = recordAt(value, 'options')
    const id =
      idOf(value.conversationId) ??
      madeId('librechat', textAt(value, 'title'), idOf(recordAt(messages[0], 'message').messageId))
    const isFlat = messages.every(
      ({ message, above }) =>
        above === null && idOf(recordAt({ message }, 'message').parentMessageId) === null,
    )
    let before: string | null = null
    const nodes = messages.map(({ message, above }, index) => {
      const record = recordAt({ message }, 'message')
      const own = idOf(record.messageId) ?? `${id}:${index}`
      const named = idOf(record.parentMessageId) ?? above
      const parentId = isFlat ? before : named === noParent ? null : named
      before = own
      return readMessage(record, own, parentId, context)
    })
    const dates = nodes.flatMap(({ createdAt }) => createdAt?.getTime() ?? [])
    const earliest = dates.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY)
    const facts = {
      id,
      title: textAt(value, 'title') ?? textAt(options, 'title'),
      instructions:
        textAt(options, 'promptPrefix') ?? textAt(options, 'system') ?? textAt(options, 'instructions'),
      createdAt: dateIn(problems, value.createdAt) ?? (dates.length > 0 ? new Date(earliest) : null),
      updatedAt: dateIn(problems, value.updatedAt),
      isArchived: value.isArchived === true,
      tags: listAt(value, 'tags').filter((tag) => typeof tag === 'string'),
    }
    return chatOf(facts, nodes, problems, { skipped })
  },
}

const messagesIn = (value: JsonRecord): Json[] =>
  Array.isArray(value.messagesTree) ? value.messagesTree : listAt(value, 'messages')

/** Messages with the messages in their `children`, each with the id of the message around it. */
function flatten(messages: readonly Json[]): { message: Json; above: string | null }[] {
  const flat: { message: Json; above: string | null }[] = []
  const waiting = messages.map((message) => ({ message, above: null as string | null })).toReversed()
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    flat.push(next)
    const { message } = next
    const above = isRecord(message) ? idOf(message.messageId) : null
    for (const child of listAt(message, 'children').toReversed()) waiting.push({ message: child, above })
  }
  return flat
}

function readMessage(
  message: JsonRecord,
  id: string,
  parentId: string | null,
  context: ReadContext,
): SourceNode {
  const isPerson =
    message.isCreatedByUser === true ||
    (!('isCreatedByUser' in message) && /^user$/i.test(textAt(message, 'sender') ?? ''))
  const blocks = readBlocks(listAt(message, 'content'), context, id)
  const hasBlocks = blocks.parts.length + blocks.answers.length > 0
  return {
    id,
    parentId,
    role: isPerson ? 'user' : 'assistant',
    parts: [
      ...filesOf(message, context),
      ...(hasBlocks ? blocks.parts : withThoughts(textAt(message, 'text') ?? '')),
    ],
    answers: blocks.answers,
    createdAt: dateIn(context.problems, message.createdAt),
    model: isPerson ? null : (textAt(message, 'model') ?? textAt(message, 'sender')),
  }
}

/** Older versions write thoughts before the words. */
function withThoughts(text: string): ForeignPart[] {
  const [begin, end] = [':::thinking\n', '\n:::']
  const close = text.startsWith(begin) ? text.indexOf(end, begin.length - 1) : -1
  if (close === -1) return textPart(text)
  return [...reasoningPart(text.slice(begin.length, close)), ...textPart(text.slice(close + end.length))]
}

function filesOf(message: JsonRecord, context: ReadContext): ForeignPart[] {
  return [...listAt(message, 'files'), ...listAt(message, 'attachments')].flatMap((file) => {
    if (!isRecord(file)) return []
    const [name, mediaType] = [textAt(file, 'filename'), textAt(file, 'type')]
    const isPicture = mediaType?.startsWith('image/') || typeof file.height === 'number'
    const path = textAt(file, 'filepath')
    if (path?.startsWith('data:')) return [fileAt(context, path, { name, mediaType })]
    if (!name && !path && !file.file_id) return []
    return [
      filePart(context, {
        ids: [idOf(file.file_id), path],
        name,
        mediaType,
        kind: isPicture ? 'Picture' : 'File',
      }),
    ]
  })
}
