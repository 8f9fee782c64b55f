import type { UIMessage } from 'ai'
import { messagePreview, type NewMessage } from '@/lib/context'

/** A person's message as it is stored. `createdAt` in milliseconds. */
export function newUserMessage(message: UIMessage, createdAt: number): NewMessage {
  return {
    id: message.id,
    name: 'user',
    type: 'message',
    data: { ...message, metadata: { createdAt } },
    preview: messagePreview(message),
    createdAt,
  }
}
