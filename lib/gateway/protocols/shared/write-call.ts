import type { ModelMessage, ToolResultPart } from 'ai'
import { addressOf, answersOf, bytesOf, contentOf } from '../../chain'
import { isKept, type KeptPart } from '../../kept'
import { type Fields, fieldsOf, textOf } from './values'

/** A part of a message, as a protocol writes it. */
export type Written = { kind: 'text'; text: string } | { kind: 'file'; file: SentFile } | KeptPart

/** A file as protocols send it: its bytes, or its address. */
export interface SentFile {
  mediaType: string
  filename: string
  /** in base64 */
  data?: string
  url?: string
}

/** The texts, files and kept parts of a message, or of a tool's output. */
export const writtenParts = (message: ModelMessage): Written[] => contentOf(message).flatMap(written)

function written(part: Fields): Written[] {
  if (isKept(part)) return [part]
  if (part.type === 'text') return part.text === '' ? [] : [{ kind: 'text', text: String(part.text) }]
  if (part.type !== 'file' && part.type !== 'image') return []
  const data = part.data ?? part.image ?? part.url
  const bytes = bytesOf(data)
  const url = bytes ? undefined : addressOf(data)
  const mediaType = textOf(part.mediaType) ?? 'image/*'
  const filename = textOf(part.filename) ?? 'file'
  const held = bytes ? { data: Buffer.from(bytes).toString('base64') } : { url: url ?? '' }
  return [{ kind: 'file', file: { mediaType, filename, ...held } }]
}

/** The text of a content that is one text and nothing else. */
export function onlyText([only, ...others]: readonly Written[]): string | undefined {
  return only && others.length === 0 && !('item' in only) && only.kind === 'text' ? only.text : undefined
}

/** The message that one part holds as it came: its role is none of the protocol. */
export function wholeMessage([only]: readonly Written[]): Fields | undefined {
  const item = only && 'item' in only ? fieldsOf(only.item) : {}
  return 'role' in item ? item : undefined
}

/** The address of a file, also of a file that is sent with its message. */
export const linkOf = ({ mediaType, data, url = '' }: SentFile): string =>
  data === undefined ? url : `data:${mediaType};base64,${data}`

/** Words in place of a file that a protocol has no place for. */
export const namedFile = ({ filename, mediaType }: SentFile): string =>
  `[The file ${JSON.stringify(filename)} (${mediaType}) stood here: it cannot be sent.]`

/** An answer of a tool, as parts. */
export interface WrittenAnswer {
  id: string
  parts: Written[]
  isError: boolean
}

/** The answers of tools in a message, and the answers that are kept as they came. */
export function answersIn(message: ModelMessage): (WrittenAnswer | KeptPart)[] {
  if (message.role !== 'tool') return []
  return contentOf(message).flatMap((part): (WrittenAnswer | KeptPart)[] => {
    if (isKept(part)) return [part]
    return answersOf({ role: 'tool', content: [part as unknown as ToolResultPart] }).map((answer) => ({
      id: answer.toolCallId,
      ...outputOf(answer.output),
    }))
  })
}

function outputOf(output: ToolResultPart['output']): Omit<WrittenAnswer, 'id'> {
  const text = (value: string): Written[] => [{ kind: 'text', text: value }]
  switch (output.type) {
    case 'content':
      return { parts: output.value.flatMap((item) => written(item as unknown as Fields)), isError: false }
    case 'text':
      return { parts: text(output.value), isError: false }
    case 'error-text':
      return { parts: text(output.value), isError: true }
    case 'execution-denied':
      return { parts: text(output.reason ?? 'Tool call execution denied.'), isError: true }
    default:
      return { parts: text(JSON.stringify(output.value)), isError: output.type === 'error-json' }
  }
}

/** The call of a tool in a part of a reply. */
export function callOf(part: Fields): { id: string; name: string; input: unknown } | undefined {
  if (part.type !== 'tool-call') return undefined
  return { id: String(part.toolCallId), name: String(part.toolName), input: part.input ?? {} }
}

/** The input of a call as a text of JSON. */
export const inputText = (input: unknown): string =>
  typeof input === 'string' ? input : JSON.stringify(input)

/** The options of a part that a provider has given, and wants back with it. */
export const keptOf = (part: Fields, provider: string): Fields =>
  fieldsOf(fieldsOf(part.providerOptions)[provider])
