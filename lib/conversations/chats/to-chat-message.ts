import type { UIMessage, UIMessageChunk } from 'ai'
import { type MessageData, messageText } from '@/lib/context'
import type { ChatMessage, MessageMetadata } from '@/lib/protocol'

/** A stored message as the page shows it; a message in a form of a library caller's own is shown as its text. */
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
      status: message.status ?? stored?.metadata?.status,
    },
  }
}

/** A stored reply as a stream of parts. */
export function storedReply({ id, parts, metadata }: UIMessage): UIMessageChunk[] {
  return [
    { type: 'start', messageId: id, messageMetadata: metadata },
    ...parts.flatMap((part, i): UIMessageChunk[] =>
      part.type === 'text'
        ? [
            { type: 'text-start', id: `${i}` },
            { type: 'text-delta', id: `${i}`, delta: part.text },
            { type: 'text-end', id: `${i}` },
          ]
        : [],
    ),
  ]
}
