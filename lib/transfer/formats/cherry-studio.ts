import {
  idOf,
  isRecord,
  type Json,
  type JsonRecord,
  jsonText,
  listAt,
  maybeJson,
  recordAt,
  textAt,
} from '../json/values'
import { fileAt, fileIn, filePart } from '../parts/files'
import {
  answerOf,
  callPart,
  codeFence,
  type ReadParts,
  readBlocks,
  reasoningPart,
  sourceParts,
  textPart,
} from '../parts/read-blocks'
import { type Entry, entriesOf } from '../tree/entries'
import type { ChatContext } from './format'
import { tableFormat } from './table'

/**
 * The `data.json` in a backup of Cherry Studio. Topics have the messages, `message_blocks` what they say, and the settings in
 * `localStorage` the names of topics and the prompts of assistants. Replies of several models to one question are branches.
 */
export const cherryStudio = tableFormat({
  source: 'cherry-studio',
  program: 'Cherry Studio',
  silent: ['localStorage', 'settings', 'metrics', 'usage', 'mentions', 'model', 'path', 'ext', 'metadata'],
  recognises: (value) => Array.isArray(recordAt(value, 'indexedDB').topics),
  chats: chatsIn,
  id: 'id',
  title: 'name',
  instructions: 'prompt',
  createdAt: 'createdAt',
  updatedAt: 'updatedAt',
  isPinned: 'pinned',
  tags: 'tags',
  messages: 'messages',
  entries: entriesIn,
  message: {
    role: 'role',
    createdAt: 'createdAt',
    model: ({ role, model, modelId }) =>
      role === 'user' ? undefined : isRecord(model) ? (model.id ?? modelId) : modelId,
    parts: partsOf,
  },
})

function chatsIn(value: JsonRecord): readonly Json[] {
  const { topics, message_blocks: blocks } = recordAt(value, 'indexedDB')
  const about = new Map<string | null, JsonRecord>()
  for (const assistant of assistantsIn(value).filter(isRecord))
    for (const topic of listAt(assistant, 'topics'))
      if (isRecord(topic)) {
        const name = textAt(assistant, 'name')
        about.set(idOf(topic.id), {
          ...topic,
          prompt: topic.prompt || assistant.prompt,
          tags: name === null ? [] : [name],
        })
      }
  const blocksOf = Map.groupBy(Array.isArray(blocks) ? blocks : [], (block) => textAt(block, 'messageId'))
  return (Array.isArray(topics) ? topics : []).filter(isRecord).map((topic) => ({
    ...about.get(idOf(topic.id)),
    ...topic,
    messages: listAt(topic, 'messages').map((message) =>
      isRecord(message)
        ? { ...message, blocks: inOrder(message, blocksOf.get(idOf(message.id)) ?? []) }
        : message,
    ),
  }))
}

/** The settings are JSON in JSON in JSON. */
function assistantsIn(value: JsonRecord): Json[] {
  const settings = maybeJson(recordAt(value, 'localStorage')['persist:cherry-studio'])
  const store = isRecord(settings) ? maybeJson(settings.assistants) : undefined
  return [...listAt(store, 'assistants'), recordAt(store, 'defaultAssistant')]
}

function inOrder(message: JsonRecord, blocks: readonly Json[]): Json[] {
  const order = new Map(listAt(message, 'blocks').map((id, index) => [idOf(id), index]))
  const placeOf = (block: Json) => order.get(textAt(block, 'id')) ?? order.size
  return blocks.toSorted((one, other) => placeOf(one) - placeOf(other))
}

function entriesIn(topic: JsonRecord, { problems }: ChatContext) {
  const { entries: given, skipped } = entriesOf(topic.messages, problems, {
    parent: [],
    children: [],
    ancestors: [],
  })
  const entries: Entry[] = []
  const known = new Set<string>()
  let before: string | null = null
  /** The question whose replies stand beside each other, and the one that the chat goes on after. */
  let [asked, isChosen] = [null as string | null, false]
  let cleared = 0
  for (const { id, message } of given) {
    const question = message.role === 'assistant' ? idOf(message.askId) : null
    const isBeside = question !== null && known.has(question) && question === asked
    if (message.type === 'clear') cleared += 1
    entries.push({
      id,
      parentId: isBeside ? question : before,
      message: message.type === 'clear' ? { ...message, role: 'system' } : message,
    })
    known.add(id)
    const chosen = message.foldSelected === true || message.useful === true
    if (!isBeside || chosen || !isChosen) before = id
    isChosen = (isBeside && isChosen) || chosen
    asked = question ?? (message.role === 'user' ? id : asked)
  }
  if (cleared > 0)
    problems.say(
      'Where the context was cleared, its models were not sent what stands before. Here the chat goes on.',
    )
  return { entries, skipped, current: before }
}

function partsOf(message: JsonRecord, context: ChatContext, id: string): ReadParts {
  const read: ReadParts = { parts: [], answers: [] }
  // a message of before version 1.3 has no blocks
  read.parts.push(...reasoningPart(textAt(message, 'reasoning_content') ?? ''))
  for (const file of [...listAt(message, 'files'), ...listAt(message, 'images')])
    read.parts.push(...fileOf(file, context))
  read.parts.push(...readBlocks(message.content, context, id).parts)
  for (const [index, block] of listAt(message, 'blocks').entries())
    if (isRecord(block)) readBlock(block, context, `${id}-${index}`, read)
  return read
}

function readBlock(block: JsonRecord, context: ChatContext, place: string, read: ReadParts): void {
  const { parts } = read
  const content = textAt(block, 'content') ?? ''
  const metadata = recordAt(block, 'metadata')
  if (['main_text', 'compact', 'unknown'].includes(String(block.type))) parts.push(...textPart(content))
  else if (block.type === 'thinking') parts.push(...reasoningPart(content))
  else if (block.type === 'code') parts.push(...textPart(codeFence(content, textAt(block, 'language') ?? '')))
  else if (block.type === 'translation')
    parts.push(...textPart(`Translation (${textAt(block, 'targetLanguage') ?? 'unknown'}):\n\n${content}`))
  else if (block.type === 'file' || block.type === 'image' || block.type === 'video') {
    const made = listAt(recordAt(metadata, 'generateImageResponse'), 'images')
    const address = [block.url, block.filePath, ...made].filter(
      (one) => typeof one === 'string' && one !== '',
    )
    const kind = block.type === 'image' ? 'Picture' : 'File'
    parts.push(...fileOf(block.file, context))
    for (const url of new Set(address)) parts.push(fileAt(context, String(url), { kind }))
  } else if (block.type === 'tool') {
    const response = recordAt(metadata, 'rawMcpToolResponse')
    const callId = textAt(block, 'toolId') ?? textAt(response, 'id') ?? place
    const toolName = textAt(block, 'toolName') ?? textAt(recordAt(response, 'tool'), 'name')
    parts.push(callPart({ id: callId, name: toolName, input: block.arguments ?? response.arguments, place }))
    const given = response.response ?? block.content
    const answered = isRecord(given) && Array.isArray(given.content) ? given.content : given
    const failed = response.status === 'error' || (isRecord(given) && given.isError === true)
    if (given !== undefined && given !== null)
      read.answers.push({ callId, toolName, failed, ...answerOf(answered, context, place) })
  } else if (block.type === 'error') {
    const error = recordAt(block, 'error')
    parts.push(...textPart(`Error: ${textAt(error, 'message') ?? textAt(error, 'name') ?? jsonText(error)}`))
  } else if (block.type === 'citation') {
    const { results } = recordAt(block, 'response')
    const pages = Array.isArray(results)
      ? results
      : [...listAt(results, 'results'), ...listAt(results, 'groundingChunks')]
    parts.push(...sourceParts(pages, place))
  } else parts.push(...readBlocks([block], context, place).parts)
}

/** A file stands in `Data/Files` under its id; `origin_name` is what a person called it. */
function fileOf(file: Json, context: ChatContext) {
  if (!isRecord(file)) return fileIn(file, context, 'Picture')
  const kind = file.type === 'image' ? 'Picture' : 'File'
  const id = idOf(file.id)
  const ids = [textAt(file, 'name'), id === null ? null : `${id}${textAt(file, 'ext') ?? ''}`, id]
  return [
    filePart(context, {
      ids,
      name: textAt(file, 'origin_name') ?? textAt(file, 'name'),
      mediaType: null,
      kind,
    }),
  ]
}
