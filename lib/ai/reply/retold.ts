import type { UIMessageChunk } from 'ai'
import { wasThoughts } from './separate-thoughts'

/**
 * The chunks of a reply, begun anew as thoughts where its first text turns out to be thoughts: a reader then has the
 * stored parts. After anything else the text stays where it is, until the message is read again.
 */
export async function* retold(chunks: AsyncIterable<UIMessageChunk>): AsyncGenerator<UIMessageChunk> {
  let thoughts = ''
  let isFirst = true
  for await (const chunk of chunks) {
    if (isFirst && chunk.type === 'text-delta') thoughts += chunk.delta
    if (isFirst && chunk.type === 'text-end' && wasThoughts(chunk.providerMetadata)) {
      yield { type: 'reset-step' }
      yield { type: 'reasoning-start', id: chunk.id }
      yield { type: 'reasoning-delta', id: chunk.id, delta: thoughts.trimEnd() }
      yield { type: 'reasoning-end', id: chunk.id }
    } else yield chunk
    isFirst &&= opening.has(chunk.type)
  }
}

/** The chunks that a first text has before its end. */
const opening: ReadonlySet<string> = new Set([
  'start',
  'start-step',
  'message-metadata',
  'text-start',
  'text-delta',
])
