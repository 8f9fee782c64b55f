import type { UIMessage, UIMessageChunk } from 'ai'

/** A stored reply as the stream it once was. */
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
