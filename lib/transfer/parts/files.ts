import type { ForeignPart } from '../foreign-chat'
import { idOf, isRecord, type Json, type JsonRecord, listAt, textAt } from '../json/values'
import type { Problems } from '../tree/problems'

/** Finds the entry of the archive for a file that a message names, by its ids or its name; null: there is none. */
export type FindEntry = (names: readonly (string | null)[]) => string | null

/** Everything that a format needs besides the value of a chat. */
export interface ReadContext {
  problems: Problems
  findEntry: FindEntry
}

const typesByEnding: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
  pdf: 'application/pdf',
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  json: 'application/json',
  html: 'text/html',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  m4a: 'audio/mp4',
  mp4: 'video/mp4',
  webm: 'video/webm',
}

const endingOf = (name: string | null | undefined) =>
  name?.slice(name.lastIndexOf('.') + 1).toLowerCase() ?? ''

/** The media type that an export gives, else the type that the name tells, else the fallback. */
export function mediaTypeOf(
  given: string | null,
  name?: string | null,
  fallback = 'application/octet-stream',
): string {
  if (given && /^[\w.+-]+\/[\w.+-]+$/.test(given)) return given.toLowerCase()
  return typesByEnding[endingOf(name)] ?? fallback
}

const baseName = (path: string) => path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)

/** A file that the export names, out of its archive; a missing file leaves a text that says so. */
export function filePart(
  { problems, findEntry }: ReadContext,
  file: { ids: readonly (string | null)[]; name: string | null; mediaType: string | null; kind?: string },
): ForeignPart {
  const entry = findEntry([...file.ids, file.name])
  const kind = file.kind ?? 'File'
  if (entry === null) {
    problems.count('missing file')
    return { type: 'text', text: `[${kind}${file.name ? ` ${file.name}` : ''}: not in the export]` }
  }
  const filename = file.name ?? baseName(entry)
  const fallback = kind === 'Picture' ? 'image/png' : undefined
  return {
    type: 'file',
    mediaType: mediaTypeOf(file.mediaType, filename, fallback),
    filename,
    content: { entry },
  }
}

/** The text that a program has read out of a file, as a file of that text. */
export const textFile = (text: string, filename: string | null): ForeignPart => ({
  type: 'file',
  mediaType: 'text/plain',
  filename: filename ?? 'text.txt',
  content: { base64: Buffer.from(text).toString('base64') },
})

export const base64File = (base64: string, mediaType: string, filename?: string | null): ForeignPart => ({
  type: 'file',
  mediaType,
  ...(filename && { filename }),
  content: { base64 },
})

/** The part for an address: the bytes that it holds, an entry of the archive, or a link that stays one. */
export function fileAt(
  context: ReadContext,
  url: string,
  {
    name = null,
    mediaType = null,
    kind = 'File',
  }: { name?: string | null; mediaType?: string | null; kind?: string } = {},
): ForeignPart {
  const data = /^data:([^;,]*)((?:;[^;,]*)*),/.exec(url.slice(0, 500))
  if (data) {
    const body = url.slice(data[0].length)
    const base64 = data[2]?.includes(';base64') ? body : Buffer.from(unescapeUrl(body)).toString('base64')
    return base64File(base64, mediaTypeOf(data[1] || mediaType, name), name)
  }
  if (/^https?:\/\//.test(url)) {
    const words = (name ?? kind).replace(/[[\]]/g, '')
    return { type: 'text', text: `${kind === 'Picture' ? '!' : ''}[${words}](${url})` }
  }
  return filePart(context, { ids: [url, baseName(url)], name, mediaType, kind })
}

/** A file that a message names in a record of its own, in the keys that programs use for it. */
export function fileIn(file: Json, context: ReadContext, kind?: string): ForeignPart[] {
  if (typeof file === 'string') return file === '' ? [] : [bytesOrAddress(file, context, { kind })]
  if (!isRecord(file)) return []
  const name = firstText(file, ['name', 'filename', 'fileName', 'file_name', 'title'])
  const given = firstText(file, [
    'mime',
    'mimeType',
    'mime_type',
    'mediaType',
    'media_type',
    'contentType',
    'content_type',
    'type',
  ])
  const mediaType = given?.includes('/') ? given : null
  const isPicture =
    kind === 'Picture' || file.type === 'image' || mediaTypeOf(mediaType, name).startsWith('image/')
  const about = { name, mediaType, kind: isPicture ? 'Picture' : 'File' }
  const text = firstText(file, ['extracted_content', 'text'])
  if (text !== null) return [textFile(text, name)]
  const data = firstText(file, ['data', 'base64', 'value', 'content', 'url', 'path'])
  if (data !== null) return [bytesOrAddress(data, context, about)]
  const ids = ['id', 'file_id', 'fileId', 'uuid'].map((key) => idOf(file[key]))
  return name === null && ids.every((id) => id === null) ? [] : [filePart(context, { ...about, ids })]
}

/** The files that a message names in lists of its own. */
export const filesAt = (
  message: Json,
  keys: readonly string[],
  context: ReadContext,
  kind?: string,
): ForeignPart[] => keys.flatMap((key) => listAt(message, key)).flatMap((file) => fileIn(file, context, kind))

const firstText = (record: JsonRecord, keys: readonly string[]): string | null => {
  for (const key of keys) {
    const text = textAt(record, key)
    if (text !== null) return text
  }
  return null
}

/** A shorter text without an address is a name of a file. */
const MIN_BASE64 = 40

function bytesOrAddress(
  text: string,
  context: ReadContext,
  {
    name = null,
    mediaType = null,
    kind = 'File',
  }: { name?: string | null; mediaType?: string | null; kind?: string | undefined },
): ForeignPart {
  const isBytes = text.length >= MIN_BASE64 && /^[A-Za-z\d+/_-]+={0,2}$/.test(text.slice(0, 1000).trim())
  if (!isBytes) return fileAt(context, text, { name, mediaType, kind })
  return base64File(text, mediaTypeOf(mediaType, name, kind === 'Picture' ? 'image/png' : undefined), name)
}

/** The words that stand where a file was named that the export does not hold. */
export const isMissingFile = (text: string): boolean =>
  /^\[[A-Z][a-z]+[^\]]*: not in the export\]$/.test(text)

function unescapeUrl(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
