import type { UIMessageChunk } from 'ai'

export type ChunkQueue = ReturnType<typeof createChunkQueue>

/**
 * Lets the model run ahead of the reader. Deltas that wait are merged, so an absent or slow reader costs no more
 * memory than the reply itself, and a reader that cancels costs none. Reading fast sees every chunk as it came;
 * reading slowly sees the same text in fewer pieces.
 */
export function createChunkQueue() {
  const waiting: UIMessageChunk[] = []
  let closed = false
  let cancelled = false
  let wake: (() => void) | undefined

  const stream = new ReadableStream<UIMessageChunk>(
    {
      async pull(controller) {
        if (waiting.length === 0 && !closed) {
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
        const chunk = waiting.shift()
        if (chunk !== undefined) controller.enqueue(chunk)
        else if (!cancelled) controller.close()
      },
      cancel() {
        cancelled = true
        waiting.length = 0
        wake?.()
      },
    },
    { highWaterMark: 0 },
  )

  return {
    stream,
    push(chunk: UIMessageChunk): void {
      if (cancelled || closed) return
      const last = waiting.at(-1)
      const merged = last && merge(last, chunk)
      if (merged === undefined) waiting.push(chunk)
      else waiting[waiting.length - 1] = merged
      wake?.()
    },
    close(): void {
      closed = true
      wake?.()
    },
  }
}

function merge(first: UIMessageChunk, second: UIMessageChunk): UIMessageChunk | undefined {
  if (first.type === 'text-delta' || first.type === 'reasoning-delta') {
    if (second.type !== first.type || second.id !== first.id) return undefined
    // Metadata of a later delta replaces earlier metadata in the message, so it must stay where it is.
    if (first.providerMetadata !== undefined || second.providerMetadata !== undefined) return undefined
    return { type: first.type, id: first.id, delta: first.delta + second.delta }
  }
  if (first.type === 'tool-input-delta' && second.type === 'tool-input-delta') {
    if (second.toolCallId !== first.toolCallId) return undefined
    return { ...first, inputTextDelta: first.inputTextDelta + second.inputTextDelta }
  }
  return undefined
}
