import type { UIMessage } from 'ai'
import { z } from 'zod'
import { messagePreview, type NewMessage } from '@/lib/context'
import { InvalidRequestError } from '../errors'

const MAX_MESSAGE_CHARACTERS = 100_000
/** Texts that one message can be made of. */
const MAX_PARTS = 1000

const textPart = z.object({ type: z.literal('text'), text: z.string() })

const userMessage = z.object({
  id: z.string().min(1).max(128),
  role: z.string(),
  parts: z.array(z.looseObject({ type: z.string() })),
})

/**
 * The user message out of what a client sent: text only, its own id, nothing else a client may claim.
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
  const texts = parts.map((part) => {
    const text = textPart.safeParse(part)
    if (!text.success) {
      throw new InvalidRequestError(`A message can hold text only, not "${part.type}".`, 'unsupported_part')
    }
    return text.data
  })
  checkText(texts.map((part) => part.text).join(''))
  checkText(id)
  return { id, role: 'user', parts: texts.map(({ text }) => ({ type: 'text', text })) }
}

/** Throws `InvalidRequestError` for text that cannot be a message. */
export function checkText(text: string): void {
  if (text.trim() === '') throw new InvalidRequestError('Message cannot be empty', 'empty_message')
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

/** A person's message as it is stored. `createdAt` in milliseconds. */
export const newUserMessage = (message: UIMessage, createdAt: number): NewMessage => ({
  id: message.id,
  name: 'user',
  type: 'message',
  data: { ...message, metadata: { createdAt } },
  preview: messagePreview(message),
  createdAt,
})
