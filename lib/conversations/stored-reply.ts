import type { UIMessageChunk } from 'ai'
import type { PlacedMessage } from '@/lib/context'
import { toChatMessage } from './to-chat-message'

/** A stored reply as the stream it once was. */
export function storedReply(message: PlacedMessage): UIMessageChunk[] {
  const { id, parts, metadata } = toChatMessage(message)
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
