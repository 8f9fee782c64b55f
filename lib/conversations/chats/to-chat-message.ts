import type { UIMessage } from 'ai'
import { type MessageData, messageText } from '@/lib/context'
import type { ChatMessage, MessageMetadata } from '@/lib/protocol'

/** A stored message as the page shows it; what a library caller stored in another form is shown as its text. */
export function toChatMessage(message: MessageData): ChatMessage {
  const stored = message.data as Partial<UIMessage<MessageMetadata>> | null
  const parts = Array.isArray(stored?.parts)
    ? (stored.parts as ChatMessage['parts'])
    : [{ type: 'text' as const, text: messageText(message.data) }]
  return {
    id: message.id,
    role: message.name === 'user' ? 'user' : message.name === 'system' ? 'system' : 'assistant',
    parts,
    metadata: {
      ...stored?.metadata,
      createdAt: message.createdAt,
      ...(message.status ? { status: message.status } : {}),
    },
  }
}
