import type { FileUIPart, UIMessage } from 'ai'
import { fileIdOf, hasText, isTextType, MAX_SENT_BYTES, sizeWords, takesBytes } from '@/lib/protocol'
import type { FileFacts } from '../ports'
import { decodeText } from './text/decode-text'
import { takeOut } from './text/take-out'

/** Reads the stored files of a chat's owner. */
export interface ChatFiles {
  /** the existing ones among some files of a chat's owner */
  ofChat(chatId: string, ids: readonly string[]): Promise<FileFacts[]>
  bytes(file: FileFacts): Promise<Buffer>
}

interface Place {
  chatId: string
  /** the media types that the model takes; asked for only when there is a file */
  input(): Promise<readonly string[]> | readonly string[]
}

type Part = UIMessage['parts'][number]

/**
 * Messages for a model: the content of a stored file replaces its address. Text is written out for every
 * model, and so is the text of documents; a model that takes no PDF gets its text; other files are sent as a
 * data URL. A file that cannot be sent (its type, its size, or it is gone) is named in a line of text for the
 * model. The files sent come to 50 MB at most, the newest first.
 *
 * @returns the same messages when they hold no stored file
 */
export async function fillFiles(files: ChatFiles, messages: UIMessage[], place: Place): Promise<UIMessage[]> {
  const ids = new Set(messages.flatMap(({ parts }) => parts.flatMap((part) => idOf(part) ?? [])))
  if (ids.size === 0) return messages
  const [found, input] = await Promise.all([files.ofChat(place.chatId, [...ids]), place.input()])
  const known = new Map(found.map((file) => [file.id, file]))
  const filled = new Map<Part, Part>()
  let room = MAX_SENT_BYTES
  for (const part of messages.flatMap(({ parts }) => parts).toReversed()) {
    const id = idOf(part)
    if (id === undefined || part.type !== 'file') continue
    const file = known.get(id)
    const isTooMuch = file !== undefined && file.size > room
    const isSent = file && takesBytes(input, file.mediaType)
    if (!file || isTooMuch || !(isSent || isTextType(file.mediaType) || hasText(file.mediaType))) {
      filled.set(part, leftOut(part, file, isTooMuch))
      continue
    }
    room -= file.size
    // one after the other: at most one file is in memory twice
    filled.set(part, isSent ? await sent(files, part, file) : await written(files, part, file))
  }
  return messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) => filled.get(part) ?? part),
  }))
}

const idOf = (part: Part): string | undefined => (part.type === 'file' ? fileIdOf(part.url) : undefined)

async function sent(files: ChatFiles, { filename }: FileUIPart, file: FileFacts): Promise<Part> {
  const bytes = await files.bytes(file)
  const url = `data:${file.mediaType};base64,${bytes.toString('base64')}`
  return { type: 'file', mediaType: file.mediaType, filename: filename ?? file.name, url }
}

/** Documents that are no zips. */
const ownKinds: Readonly<Record<string, 'pdf' | 'rtf'>> = {
  'application/pdf': 'pdf',
  'application/rtf': 'rtf',
}

/** A file as text: its own, or the text taken out of it. */
async function written(files: ChatFiles, { filename }: FileUIPart, file: FileFacts): Promise<Part> {
  const called = JSON.stringify(filename ?? file.name)
  const within = (text: string): Part => ({
    type: 'text',
    text: `<file name=${called}>\n${text.trimEnd()}\n</file>`,
  })
  if (isTextType(file.mediaType)) {
    const bytes = await files.bytes(file)
    return within(decodeText(bytes) ?? new TextDecoder().decode(bytes))
  }
  const kind = ownKinds[file.mediaType] ?? 'zip'
  const taken = await takeOut(kind, file.sha256, () => files.bytes(file))
  if (taken.kind === 'text' && taken.text !== '') return within(taken.text)
  const why =
    taken.kind === 'refused'
      ? taken.why
      : kind === 'pdf'
        ? 'has no text: its pages are pictures. A model that takes PDFs can read it.'
        : 'has no text.'
  return { type: 'text', text: `[The file ${called} is left out: it ${why}]` }
}

function leftOut({ filename }: FileUIPart, file: FileFacts | undefined, isTooMuch: boolean): Part {
  const called = JSON.stringify(filename ?? file?.name ?? 'a file')
  const why = !file
    ? 'is no longer stored'
    : isTooMuch
      ? `(${file.mediaType}, ${sizeWords(file.size)}) is left out: the files of this chat are too large together`
      : `(${file.mediaType}, ${sizeWords(file.size)}) is left out: this model cannot read it`
  return { type: 'text', text: `[The file ${called} ${why}.]` }
}
