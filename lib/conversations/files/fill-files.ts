import type { FileUIPart, UIMessage } from 'ai'
import { fileIdOf, isTextType, MAX_SENT_BYTES, sizeWords, takesType } from '@/lib/protocol'
import type { FileFacts } from '../ports'

/** Reads the stored files of a chat's owner. */
export interface ChatFiles {
  /** those of some files that the owner of a chat has */
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
 * Messages as a model is asked with them: in place of the address of a stored file its content. Text is written out, whatever
 * the model; of other files the bytes, as a data URL. A file that cannot be sent (its type, its size, or it is gone) is
 * named in a line of text, so that the model knows of it. The files sent come to 50 MB at most, the newest first. Images
 * are passed on as they are stored: nothing is decoded here, so none can grow.
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
    if (!file || isTooMuch || !takesType(input, file.mediaType)) {
      filled.set(part, leftOut(part, file, isTooMuch))
      continue
    }
    room -= file.size
    // one after the other: at most one file is in memory twice
    filled.set(part, sent(part, file, await files.bytes(file)))
  }
  return messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) => filled.get(part) ?? part),
  }))
}

const idOf = (part: Part): string | undefined => (part.type === 'file' ? fileIdOf(part.url) : undefined)

function sent({ filename }: FileUIPart, { name, mediaType }: FileFacts, bytes: Buffer): Part {
  const called = filename ?? name
  if (!isTextType(mediaType)) {
    const url = `data:${mediaType};base64,${bytes.toString('base64')}`
    return { type: 'file', mediaType, filename: called, url }
  }
  const text = new TextDecoder().decode(bytes)
  return { type: 'text', text: `<file name=${JSON.stringify(called)}>\n${text.trimEnd()}\n</file>` }
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
