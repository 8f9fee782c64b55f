import { type MessageId, newId } from '@/lib/events'
import type { ChatMessage } from '@/lib/protocol'

export const userMessage = (text: string, id: MessageId = newId()): ChatMessage => ({
  id,
  role: 'user',
  parts: [{ type: 'text', text }],
})

/** The words of a message, without reasoning, tools and data. */
export const wordsOf = (message: Pick<ChatMessage, 'parts'>): string =>
  message.parts
    .filter((part) => part.type === 'text')
    .map((part) => part.text)
    .join('\n\n')
