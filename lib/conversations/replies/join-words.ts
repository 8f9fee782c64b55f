import type { UIMessageChunk } from 'ai'

/** The same parts with neighbouring words of one text joined: fewer to store and to send, and the same to read. */
export function joinWords(chunks: readonly UIMessageChunk[]): UIMessageChunk[] {
  const joined: UIMessageChunk[] = []
  for (const chunk of chunks) {
    const last = joined.at(-1)
    const both = last && joinTwo(last, chunk)
    if (both) joined[joined.length - 1] = both
    else joined.push(chunk)
  }
  return joined
}

/** Two parts as one, when both are words of one text; else undefined. */
export function joinTwo(last: UIMessageChunk, next: UIMessageChunk): Words | undefined {
  const goesOn =
    isWords(next) && last.type === next.type && last.id === next.id && next.providerMetadata === undefined
  return goesOn ? { ...last, delta: last.delta + next.delta } : undefined
}

export type Words = Extract<UIMessageChunk, { type: 'text-delta' | 'reasoning-delta' }>

export const isWords = (chunk: UIMessageChunk): chunk is Words =>
  chunk.type === 'text-delta' || chunk.type === 'reasoning-delta'
