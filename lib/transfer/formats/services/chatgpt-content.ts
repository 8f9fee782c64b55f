import type { ForeignPart } from '../../foreign-chat'
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
import { callPart, codeFence, reasoningPart, textPart, unknownPart } from '../../parts/read-blocks'
import type { ToolAnswer } from '../../tree/source-node'
import { withReferences } from './chatgpt-references'

interface Content {
  parts: ForeignPart[]
  answers?: ToolAnswer[]
  readsOn?: boolean
  /** Facts about the person that the model was given, and the page does not show. */
  isContext?: boolean
}

/**
 * The content of a message of ChatGPT. Words to a tool are its call, and a tool's words are the answer; thoughts are
 * reasoning; an unknown kind of content stays in the text.
 */
export function readContent(message: JsonRecord, context: ReadContext, key: string): Content {
  const content = recordAt(message, 'content')
  const role = textAt(recordAt(message, 'author'), 'role')
  const kind = textAt(content, 'content_type') ?? 'text'
  const recipient = textAt(message, 'recipient')
  if (kind === 'thoughts') return { parts: thoughts(content), readsOn: true }
  if (kind === 'reasoning_recap')
    return { parts: reasoningPart(textAt(content, 'content') ?? ''), readsOn: true }
  if (kind === 'user_editable_context' || kind === 'model_editable_context')
    return { parts: textPart(contextText(content)), isContext: true }
  const metadata = recordAt(message, 'metadata')
  const told = recordAt(metadata, 'user_context_message_data')
  const instructions = ['about_user_message', 'about_model_message'].flatMap((key) => textAt(told, key) ?? [])
  if (instructions.length > 0) return { parts: textPart(instructions.join('\n\n')), isContext: true }
  const parts = withReferences(readParts(kind, content, context), metadata, key)
  if (role === 'tool') return { parts: [], answers: answersOf(message, parts, context) }
  if (role === 'assistant' && recipient && recipient !== 'all') return callOf(recipient, content, parts, key)
  return { parts }
}

function thoughts(content: JsonRecord): ForeignPart[] {
  const texts = listAt(content, 'thoughts').map((thought) =>
    [textAt(thought, 'summary'), textAt(thought, 'content')].filter((text) => text !== null).join('\n\n'),
  )
  return reasoningPart(texts.filter((text) => text !== '').join('\n\n'))
}

function contextText(content: JsonRecord): string {
  const keys = ['user_profile', 'user_instructions', 'model_set_context', 'repository', 'text']
  return keys.flatMap((key) => textAt(content, key) ?? []).join('\n\n')
}

function readParts(kind: string, content: JsonRecord, context: ReadContext): ForeignPart[] {
  if (Array.isArray(content.parts)) return content.parts.flatMap((part) => readPart(part, context))
  if (kind === 'code') return textPart(codeFence(textAt(content, 'text') ?? '', languageOf(content)))
  if (kind === 'tether_quote') {
    const [title, url, text] = ['title', 'url', 'text'].map((key) => textAt(content, key))
    return textPart([title && url ? `[${title}](${url})` : (title ?? url), text].filter(Boolean).join('\n\n'))
  }
  if (kind === 'system_error')
    return textPart(`${textAt(content, 'name') ?? 'Error'}: ${textAt(content, 'text') ?? ''}`)
  const text =
    textAt(content, 'text') ??
    textAt(content, 'result') ??
    textAt(content, 'content') ??
    textAt(content, 'summary')
  if (text !== null) return textPart(text)
  const said = Object.entries(content).filter(
    ([key, value]) => key !== 'content_type' && value !== null && value !== '',
  )
  if (said.length === 0 || kind === 'tether_browsing_display') return []
  return unknownPart(content, context)
}

const languageOf = (content: JsonRecord) => {
  const language = textAt(content, 'language')
  return language === 'unknown' || language === null ? '' : language
}

function readPart(part: Json, context: ReadContext): ForeignPart[] {
  if (typeof part === 'string') return textPart(part)
  if (part === null) return []
  if (!isRecord(part)) return unknownPart(part, context)
  const kind = textAt(part, 'content_type') ?? ''
  if (kind === 'audio_transcription') return textPart(textAt(part, 'text') ?? '')
  if (kind === 'real_time_user_audio_video_asset_pointer') {
    const inside = [part.audio_asset_pointer, part.video_container_asset_pointer].filter(isRecord)
    return inside.flatMap((pointer) => readAsset(pointer, context))
  }
  if (textAt(part, 'asset_pointer')) return readAsset(part, context)
  if (typeof part.text === 'string') return textPart(part.text)
  return unknownPart(part, context)
}

function readAsset(part: JsonRecord, context: ReadContext): ForeignPart[] {
  const pointer = textAt(part, 'asset_pointer')
  if (!pointer) return []
  const kind = textAt(part, 'content_type') ?? ''
  const isPicture = kind === 'image_asset_pointer'
  const named = isPicture ? 'Picture' : kind.startsWith('audio') ? 'Recording' : 'File'
  const format = textAt(part, 'format')
  const mediaType = format && !isPicture ? `audio/${format}` : null
  return [filePart(context, { ids: [assetId(pointer)], name: null, mediaType, kind: named })]
}

/**
 * `file-service://file-Ab1` and `sediment://file_00ab#page` name the files whose names begin with the text after
 * `//`.
 */
const assetId = (pointer: string) => pointer.replace(/^[a-z-]+:\/\//, '').split(/[#?]/)[0] ?? pointer

/** The files that a person attached, but for those the text shows already. */
export function attachedFiles(
  metadata: JsonRecord,
  parts: readonly ForeignPart[],
  context: ReadContext,
): ForeignPart[] {
  const shown = new Set(
    parts.flatMap((part) => (part.type === 'file' && 'entry' in part.content ? [part.content.entry] : [])),
  )
  const hasPictures = parts.some((part) => part.type === 'text' && part.text.startsWith('[Picture'))
  return listAt(metadata, 'attachments').flatMap((attachment) => {
    const [id, name] = [isRecord(attachment) ? idOf(attachment.id) : null, textAt(attachment, 'name')]
    const entry = context.findEntry([id, name])
    const mediaType = textAt(attachment, 'mime_type') ?? textAt(attachment, 'mimeType')
    if (entry !== null && shown.has(entry)) return []
    // a missing picture is said once, where it stood
    if (entry === null && hasPictures && mediaType?.startsWith('image/')) return []
    return [filePart(context, { ids: [id], name, mediaType })]
  })
}

function callOf(recipient: string, content: JsonRecord, parts: readonly ForeignPart[], key: string): Content {
  const text =
    textAt(content, 'text') ?? parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
  const parsed = maybeJson(text)
  const input = isRecord(parsed) ? parsed : { code: text }
  if (text.trim() === '') return { parts: [] }
  return { parts: [callPart({ id: key, name: recipient, input, place: key })] }
}

function answersOf(message: JsonRecord, parts: readonly ForeignPart[], context: ReadContext): ToolAnswer[] {
  const result = recordAt(recordAt(message, 'metadata'), 'aggregate_result')
  const drawn = listAt(result, 'messages').flatMap((item) => {
    const pointer = textAt(item, 'image_url')
    return pointer
      ? [filePart(context, { ids: [assetId(pointer)], name: null, mediaType: null, kind: 'Picture' })]
      : []
  })
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const files = [...parts.filter((part) => part.type !== 'text'), ...drawn]
  if (texts.length === 0 && files.length === 0) return []
  const toolName = textAt(recordAt(message, 'author'), 'name')
  return [{ callId: null, toolName, output: texts.join('\n'), failed: false, files }]
}
