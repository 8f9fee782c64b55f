import type { FileUIPart } from 'ai'
import { type MessageId, newId } from '@/lib/events'
import type { ChatMessage } from '@/lib/protocol'
import { fileIdOf } from '@/lib/protocol/file-types'

/** A stored file as a message holds it. */
export interface AttachedFile extends Required<Pick<FileUIPart, 'mediaType' | 'filename' | 'url'>> {
  /** in bytes; a message that is sent does not tell it */
  size?: number
}

/** @param files stand before the words */
export const userMessage = (
  text: string,
  files: readonly AttachedFile[] = [],
  id: MessageId = newId(),
): ChatMessage => ({
  id,
  role: 'user',
  parts: [
    ...files.map(({ mediaType, filename, url }) => ({ type: 'file' as const, mediaType, filename, url })),
    ...(text.trim() === '' && files.length > 0 ? [] : [{ type: 'text' as const, text }]),
  ],
})

/** The words of a message, without reasoning, tools and data. */
export const wordsOf = (message: Pick<ChatMessage, 'parts'>): string =>
  message.parts
    .filter((part) => part.type === 'text')
    .map((part) => part.text)
    .join('\n\n')

/** The stored files of a message. */
export const filesOf = (message: Pick<ChatMessage, 'parts'> | undefined): AttachedFile[] =>
  (message?.parts ?? []).flatMap((part) => {
    if (part.type !== 'file' || fileIdOf(part.url) === undefined) return []
    const { mediaType, filename = 'A file', url } = part
    return [{ mediaType, filename, url }]
  })

/** True when two messages hold the same files. */
export const sameFiles = (one: readonly AttachedFile[], other: readonly AttachedFile[]): boolean =>
  one.length === other.length && one.every(({ url }, at) => url === other[at]?.url)
