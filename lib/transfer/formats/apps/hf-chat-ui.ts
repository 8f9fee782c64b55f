import { idOf, isRecord, type Json, type JsonRecord, listAt, recordAt, textAt } from '../../json/values'
import { fileIn, type ReadContext } from '../../parts/files'
import {
  callPart,
  errorPart,
  type ReadParts,
  readBlocks,
  reasoningPart,
  sourceParts,
} from '../../parts/read-blocks'
import { at, tableFormat, textIn } from '../table'

const messages = ['messages', 'json.messages'] as const
const prompt = ['preprompt', 'json.preprompt'] as const

/** A conversation of Hugging Face's chat-ui: messages with their `ancestors`. Its page loads it in `json`. */
export const hfChatUi = tableFormat({
  source: 'hf-chat-ui',
  program: 'Hugging Face chat-ui',
  silent: ['updates.token', 'updates.status', 'routerMetadata', 'userAgent', 'meta'],
  recognises: (value) => listIn(value).some(isMessage),
  id: ['_id', '_id.$oid', 'id', 'json._id', 'json.id'],
  title: ['title', 'json.title'],
  // a chat repeats its prompt as the message it begins with
  instructions: (value) => {
    const text = textIn(value, prompt)
    const isSaid = listIn(value).some((message) => textAt(message, 'content')?.trim() === text?.trim())
    return isSaid ? undefined : text
  },
  createdAt: ['createdAt', 'json.createdAt'],
  updatedAt: ['updatedAt', 'json.updatedAt'],
  model: ['model', 'json.model'],
  messages,
  message: {
    role: 'from',
    createdAt: 'createdAt',
    model: 'routerMetadata.model',
    files: filesOf,
    parts: partsOf,
  },
})

const listIn = (value: JsonRecord): readonly Json[] => {
  const list = at(value, messages)
  return Array.isArray(list) ? list : []
}

const isMessage = (value: Json) =>
  isRecord(value) &&
  /^(?:user|assistant|system)$/.test(String(value.from)) &&
  typeof value.content === 'string'

function filesOf(message: JsonRecord, context: ReadContext) {
  return listAt(message, 'files').flatMap((file) => {
    // its archive names all files of a chat with each of its messages
    if (typeof file === 'string' && message.from !== 'user') return []
    return fileIn(file, context)
  })
}

/** The parts of a reply, with the tools and pages that its updates name. */
function partsOf(message: JsonRecord, context: ReadContext, id: string): ReadParts {
  const read = readBlocks(message.content, context, id)
  const calls: ReadParts = { parts: [], answers: [] }
  const pages: Json[] = ['results', 'contextSources'].flatMap((key) =>
    listAt(recordAt(message, 'webSearch'), key),
  )
  for (const [index, update] of listAt(message, 'updates').entries()) {
    if (!isRecord(update)) continue
    if (update.type === 'tool') readTool(update, `${id}-${index}`, calls)
    else if (update.type === 'error') read.parts.push(...errorPart(textAt(update, 'message') ?? 'unknown'))
    else pages.push(...listAt(update, 'sources'))
  }
  return {
    parts: [
      ...calls.parts,
      ...reasoningPart(textAt(message, 'reasoning') ?? ''),
      ...read.parts,
      ...sourceParts(pages, id),
    ],
    answers: [...calls.answers, ...read.answers],
  }
}

function readTool(update: JsonRecord, place: string, { parts, answers }: ReadParts): void {
  const [kind, call, result] = [
    update.subtype ?? update.messageType,
    recordAt(update, 'call'),
    recordAt(update, 'result'),
  ]
  const id = idOf(update.uuid)
  const name = textAt(call, 'name') ?? textAt(update, 'name')
  if (kind === 'call' || kind === 'parameters')
    parts.push(callPart({ id, name, input: call.parameters ?? update.parameters, place }))
  else if (kind === 'result' || kind === 'error' || kind === 'message') {
    const output = result.outputs ?? result.output ?? result.message ?? update.message
    const failed = kind === 'error' || result.status === 'error'
    if (output !== undefined) answers.push({ callId: id, toolName: name, output, failed, files: [] })
  }
}
