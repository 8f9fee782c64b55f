import {
  idOf,
  isRecord,
  type Json,
  type JsonRecord,
  jsonText,
  listAt,
  recordAt,
  textAt,
} from '../../json/values'
import { fileAt, fileIn, filePart } from '../../parts/files'
import {
  answerOf,
  callPart,
  codeFence,
  errorPart,
  type ReadParts,
  readBlocks,
  reasoningPart,
  sourceParts,
  textPart,
} from '../../parts/read-blocks'
import type { ChatContext } from '../format'

/** The parts of a message of Cherry Studio: its blocks, or its content. */
export function cherryParts(message: JsonRecord, context: ChatContext, id: string): ReadParts {
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
    parts.push(...errorPart(textAt(error, 'message') ?? textAt(error, 'name') ?? jsonText(error)))
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
