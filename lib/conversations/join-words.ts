import type { UIMessageChunk } from 'ai'

/** The same parts with neighbouring words of one text joined: fewer to store and to send, and the same to read. */
export function joinWords(chunks: readonly UIMessageChunk[]): UIMessageChunk[] {
  const joined: UIMessageChunk[] = []
  for (const chunk of chunks) {
    const last = joined.at(-1)
    const goesOn =
      (chunk.type === 'text-delta' || chunk.type === 'reasoning-delta') &&
      last?.type === chunk.type &&
      last.id === chunk.id &&
      chunk.providerMetadata === undefined
    if (goesOn) joined[joined.length - 1] = { ...last, delta: last.delta + chunk.delta }
    else joined.push(chunk)
  }
  return joined
}
