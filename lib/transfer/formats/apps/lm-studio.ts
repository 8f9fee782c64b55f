import {
  idOf,
  isRecord,
  type Json,
  type JsonRecord,
  listAt,
  maybeJson,
  recordAt,
  textAt,
} from '../../json/values'
import { filePart, type ReadContext } from '../../parts/files'
import { callPart, type ReadParts, readBlocks, reasoningPart, textPart } from '../../parts/read-blocks'
import type { Entry } from '../../tree/entries'
import { chainId } from '../../tree/source-node'
import { tableFormat } from '../table'

/**
 * A `.conversation.json` of LM Studio: each message has versions, and the next messages hang on the selected version.
 */
export const lmStudio = tableFormat({
  source: 'lm-studio',
  program: 'LM Studio',
  silent: [
    ...['genInfo', 'statusState', 'debugInfo', 'perChatPredictionConfig', 'pluginConfigs', 'preset'],
    ...['toolDefinitions', 'plugins', 'looseFilesAttachedToConversation', 'stepIdentifier'],
  ],
  recognises: (value) =>
    listAt(value, 'messages').some(
      (message) => isRecord(message) && Array.isArray(message.versions) && 'currentlySelected' in message,
    ),
  title: 'name',
  instructions: 'systemPrompt',
  createdAt: 'createdAt',
  updatedAt: ['assistantLastMessagedAt', 'userLastMessagedAt'],
  isPinned: 'pinned',
  model: ['lastUsedModel.identifier', 'lastUsedModel.indexedModelIdentifier'],
  messages: 'messages',
  entries: (value, { problems }) => {
    const entries: Entry[] = []
    let [parentId, skipped] = [null as string | null, 0]
    for (const message of listAt(value, 'messages')) {
      const versions = listAt(message, 'versions').filter(isRecord)
      if (versions.length === 0) skipped += 1
      const own = versions.map((version): Entry => {
        const id = chainId(parentId, String(version.role), version.steps ?? version.content)
        return { id, parentId, message: version }
      })
      entries.push(...own)
      const selected = isRecord(message) ? message.currentlySelected : 0
      parentId = (own[typeof selected === 'number' ? selected : 0] ?? own.at(-1))?.id ?? parentId
    }
    if (skipped > 0) problems.count('no message', skipped)
    return { entries, skipped, current: parentId }
  },
  message: {
    role: 'role',
    createdAt: ['preprocessed.timestamp', 'createdAt'],
    model: (version) =>
      version.role === 'assistant'
        ? (listAt(version, 'steps')
            .map((step) => recordAt(step, 'genInfo'))
            .flatMap(({ identifier, indexedModelIdentifier }) => identifier ?? indexedModelIdentifier ?? [])
            .at(-1) ?? recordAt(version, 'senderInfo').senderName)
        : undefined,
    parts: (version, context, id) => {
      const steps = version.type === 'multiStep' ? listAt(version, 'steps') : [version]
      const read: ReadParts = { parts: [], answers: [] }
      for (const [index, step] of steps.entries()) readStep(step, context, `${id}-${index}`, read)
      return read
    },
  },
})

/** Steps that only say how far it is. */
const status: ReadonlySet<Json> = new Set(['status', 'toolStatus', 'debugInfoBlock'])

function readStep(step: Json, context: ReadContext, place: string, read: ReadParts): void {
  if (!isRecord(step) || status.has(step.type)) return
  if (!Array.isArray(step.content) && typeof step.content !== 'string') {
    read.parts.push(...readBlocks([step], context, place).parts)
    return
  }
  const isThought = recordAt(step, 'style').type === 'thinking'
  const blocks = typeof step.content === 'string' ? [{ type: 'text', text: step.content }] : step.content
  // a reply is cut into many pieces of text
  let words = ''
  const endText = () => {
    read.parts.push(...(isThought ? reasoningPart(words) : textPart(words)))
    words = ''
  }
  for (const [index, block] of blocks.entries()) {
    if (isRecord(block) && block.type === 'text') words += typeof block.text === 'string' ? block.text : ''
    else {
      endText()
      readBlock(block, context, `${place}-${index}`, read)
    }
  }
  endText()
}

function readBlock(block: Json, context: ReadContext, place: string, read: ReadParts): void {
  const { type } = isRecord(block) ? block : {}
  if (isRecord(block) && type === 'file') {
    const name = textAt(block, 'name') ?? textAt(block, 'fileIdentifier')
    const kind = block.fileType === 'image' ? 'Picture' : 'File'
    read.parts.push(
      filePart(context, { ids: [textAt(block, 'fileIdentifier')], name, mediaType: null, kind }),
    )
  } else if (isRecord(block) && type === 'toolCallRequest') {
    const id = callIdOf(block)
    read.parts.push(callPart({ id, name: textAt(block, 'name'), input: block.parameters, place }))
  } else if (isRecord(block) && type === 'toolCallResult') {
    const output = resultOf(block.content)
    read.answers.push({ callId: callIdOf(block), toolName: null, output, failed: false, files: [] })
  } else readBlocks([block], context, place, read)
}

const callIdOf = (block: JsonRecord) =>
  idOf(block.toolCallRequestId) ?? idOf(block.toolCallId) ?? idOf(block.callId)

/** The text of an answer, which stands in blocks that are JSON in a text. */
function resultOf(content: Json): Json {
  const blocks = maybeJson(content)
  const texts = Array.isArray(blocks) ? blocks.map((block) => textAt(block, 'text')) : []
  return texts.length > 0 && !texts.includes(null) ? texts.join('\n') : blocks
}
