import type { ChatMessage } from '@/lib/protocol'

/** The words of a message, without reasoning, tools and data. */
export function messageText(message: Pick<ChatMessage, 'parts'>): string {
  return message.parts
    .filter((part) => part.type === 'text')
    .map((part) => part.text)
    .join('\n\n')
}
