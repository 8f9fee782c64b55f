import type { UIMessage } from 'ai'
import { z } from 'zod'
import { messagePreview, type NewMessage } from '@/lib/context'
import { fileIdOf, fileUrl, MAX_FILES } from '@/lib/protocol'
import { InvalidRequestError } from '../errors'
import { fileName } from '../files/store-file'

const MAX_MESSAGE_CHARACTERS = 100_000
/** Texts that one message can be made of. */
const MAX_PARTS = 1000

const textPart = z.object({ type: z.literal('text'), text: z.string() })
const filePart = z.object({ type: z.literal('file'), url: z.string(), filename: z.string().optional() })

const userMessage = z.object({
  id: z.string().min(1).max(128),
  role: z.string(),
  parts: z.array(z.looseObject({ type: z.string() })),
})

/** Type of a message's stored file before its lookup. */
const UNKNOWN = 'application/octet-stream'

/**
 * The user message out of what a client sent: text and stored files, its own id, nothing else a client may claim.
 * Throws `InvalidRequestError` with the sentence to show.
 */
export function parseUserMessage(value: unknown): UIMessage {
  if (value === undefined || value === null)
    throw new InvalidRequestError('Message cannot be empty', 'empty_message')
  const parsed = userMessage.safeParse(value)
  if (!parsed.success) throw new InvalidRequestError('The message is not in the expected form.')
  const { id, role, parts } = parsed.data
  if (role !== 'user')
    throw new InvalidRequestError('Only messages of the role "user" can be sent.', 'invalid_role')
  if (parts.length > MAX_PARTS) {
    throw new InvalidRequestError(
      `A message can have ${MAX_PARTS.toLocaleString('en')} parts at most, not ${parts.length.toLocaleString('en')}.`,
      'too_many_parts',
    )
  }
  const said = parts.map(partOf)
  const files = said.filter((part) => part.type === 'file')
  if (files.length > MAX_FILES) {
    throw new InvalidRequestError(
      `A message can hold ${MAX_FILES} files at most, not ${files.length}.`,
      'too_many_files',
    )
  }
  const text = said.map((part) => (part.type === 'text' ? part.text : '')).join('')
  checkText(text, { canBeEmpty: files.length > 0 })
  checkText(id)
  return { id, role: 'user', parts: said }
}

type SaidPart = Extract<UIMessage['parts'][number], { type: 'text' | 'file' }>

function partOf(part: { type: string }): SaidPart {
  const text = textPart.safeParse(part)
  if (text.success) return { type: 'text', text: text.data.text }
  const file = filePart.safeParse(part)
  if (!file.success) {
    const detail = `A message can hold text and files only, not "${part.type}".`
    throw new InvalidRequestError(detail, 'unsupported_part')
  }
  const id = fileIdOf(file.data.url)
  if (id === undefined) {
    const detail = 'A file of a message is one that you have stored: upload it first (POST /api/files).'
    throw new InvalidRequestError(detail, 'unsupported_file')
  }
  const { filename } = file.data
  const named = filename === undefined ? {} : { filename: fileName(filename) }
  return { type: 'file', mediaType: UNKNOWN, ...named, url: fileUrl(id) }
}

/** Throws `InvalidRequestError` for text that cannot be a message; `canBeEmpty`: with files a message needs no words. */
export function checkText(text: string, { canBeEmpty = false } = {}): void {
  if (text.trim() === '' && !canBeEmpty)
    throw new InvalidRequestError('Message cannot be empty', 'empty_message')
  if (text.length > MAX_MESSAGE_CHARACTERS) {
    throw new InvalidRequestError(
      `Message is too long: ${text.length.toLocaleString('en')} characters, at most ${MAX_MESSAGE_CHARACTERS.toLocaleString('en')} are allowed.`,
      'message_too_long',
    )
  }
  if (text.includes('\0'))
    throw new InvalidRequestError('Message must not contain the NUL character.', 'invalid_text')
  if (!text.isWellFormed()) {
    throw new InvalidRequestError('Message must be valid Unicode: it has a lone surrogate.', 'invalid_text')
  }
}

/** The ids of the stored files of a message, in the order of its parts; none for data in another form than the AI SDK's. */
export const fileIdsOf = ({ parts }: Pick<UIMessage, 'parts'>): string[] =>
  (Array.isArray(parts) ? parts : []).flatMap((part) =>
    part.type === 'file' ? (fileIdOf(part.url) ?? []) : [],
  )

/** A person's message as it is stored. `createdAt` in milliseconds. */
export function newUserMessage(message: UIMessage, createdAt: number): NewMessage {
  const files = fileIdsOf(message)
  return {
    id: message.id,
    name: 'user',
    type: 'message',
    data: { ...message, metadata: { createdAt } },
    preview: messagePreview(message),
    createdAt,
    ...(files.length > 0 && { files }),
  }
}
